/**
 * The parts that protocols share: the course of a transaction through fetch, execute and commit
 * ({@link dev.rcc.protocols.common.StagedCoordinator}), how a stage calls many participants at once
 * ({@link dev.rcc.protocols.common.Batches}, {@link dev.rcc.protocols.common.Calls}), and how a participant serves such a call
 * ({@link dev.rcc.protocols.common.ServedItems}); how it installs a transaction's writes
 * ({@link dev.rcc.protocols.common.Installer}), with a protocol's changes to the metadata
 * ({@link dev.rcc.protocols.common.InstallRules}); the locks of an attempt ({@link dev.rcc.protocols.common.LockSet}), how it finds
 * the locks that it may hold after a link has failed ({@link dev.rcc.protocols.common.LostLocks}), how it takes a lock one-sided
 * ({@link dev.rcc.protocols.common.LockAcquisition}), and the reasons for which a participant refuses
 * ({@link dev.rcc.protocols.common.Refusal}).
 *
 * <p>Nothing here depends on a particular protocol. Everything runs on a worker, on a coordinator's coroutine or, for handlers, on
 * the event loop.
 */
package dev.rcc.protocols.common;
