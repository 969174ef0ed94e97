/**
 * The common parts of protocols that read without locks and lock only the records that they write: OCC, and protocols whose tuples carry timestamps.
 * The stages, each by RPC and one-sided: {@link dev.rcc.protocols.optimistic.Fetching}, {@link dev.rcc.protocols.optimistic.Locking},
 * {@link dev.rcc.protocols.optimistic.Validation} and {@link dev.rcc.protocols.optimistic.Finishing} (commit and release), timed and put in order by
 * {@link dev.rcc.protocols.optimistic.OptimisticStages}, or locked at each access by {@link dev.rcc.protocols.optimistic.AccessLocking}; their
 * results are in the {@link dev.rcc.protocols.optimistic.ReadSet} and the {@link dev.rcc.protocols.optimistic.WriteSet}. A protocol's
 * {@link dev.rcc.protocols.optimistic.LockRules} define the meaning of its lock word.
 *
 * <p>Nothing here depends on a particular protocol. The stages run on a coordinator's coroutine,
 * {@link dev.rcc.protocols.optimistic.OptimisticParticipant} on the event loop of the worker that is called.
 */
package dev.rcc.protocols.optimistic;
