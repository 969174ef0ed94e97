/**
 * What the protocols share that read without locks and lock only what they write: OCC, and those whose tuples carry
 * timestamps. The stages, each by RPC and one-sided: {@link dev.rcc.protocols.optimistic.Fetching},
 * {@link dev.rcc.protocols.optimistic.Locking}, {@link dev.rcc.protocols.optimistic.Validation} and
 * {@link dev.rcc.protocols.optimistic.Finishing} (commit and release), timed and put in order by
 * {@link dev.rcc.protocols.optimistic.OptimisticStages}, or locked at each access by {@link dev.rcc.protocols.optimistic.AccessLocking}; what they have done is in the
 * {@link dev.rcc.protocols.optimistic.ReadSet} and the {@link dev.rcc.protocols.optimistic.WriteSet}. A protocol says by its
 * {@link dev.rcc.protocols.optimistic.LockRules} what its lock word means.
 *
 * <p>Nothing here knows a particular protocol. The stages run on a coordinator's coroutine,
 * {@link dev.rcc.protocols.optimistic.OptimisticParticipant} on the event loop of the worker that is called.
 */
package dev.rcc.protocols.optimistic;
