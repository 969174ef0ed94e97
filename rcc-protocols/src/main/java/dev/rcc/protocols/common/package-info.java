/**
 * What protocols share: the course of a transaction through fetch, execute and commit
 * ({@link dev.rcc.protocols.common.StagedCoordinator}), the log stage in both forms
 * ({@link dev.rcc.protocols.common.LogStage}), and how a stage talks to many participants at once
 * ({@link dev.rcc.protocols.common.Batches}, {@link dev.rcc.protocols.common.Calls}).
 *
 * <p>Nothing here knows a particular protocol. Everything runs on a worker, on a coordinator's coroutine or, for
 * handlers, on the event loop.
 */
package dev.rcc.protocols.common;
