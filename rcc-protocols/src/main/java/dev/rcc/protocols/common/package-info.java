/**
 * What protocols share: the course of a transaction through fetch, execute and commit
 * ({@link dev.rcc.protocols.common.StagedCoordinator}), and how a stage talks to many participants at once
 * ({@link dev.rcc.protocols.common.Batches}, {@link dev.rcc.protocols.common.Calls}), as a participant serves it
 * ({@link dev.rcc.protocols.common.ServedItems}); how it installs what a transaction has written
 * ({@link dev.rcc.protocols.common.Installer}), where a protocol says what becomes of the metadata
 * ({@link dev.rcc.protocols.common.InstallRules}); what an attempt locks
 * ({@link dev.rcc.protocols.common.LockSet}), how it finds what it may hold after a link has failed
 * ({@link dev.rcc.protocols.common.LostLocks}), how it takes a lock one-sided
 * ({@link dev.rcc.protocols.common.LockAcquisition}), and what a participant refuses for ({@link dev.rcc.protocols.common.Refusal}).
 *
 * <p>Nothing here knows a particular protocol. Everything runs on a worker, on a coordinator's coroutine or, for
 * handlers, on the event loop.
 */
package dev.rcc.protocols.common;
