/**
 * N-CoSED, with which DSLR is compared (dslr, 6.1; Narravula et al., "High performance distributed lock management services using
 * network-based remote atomic operations", 2007): queues without a keeper.
 *
 * <p>Entry: {@link dev.rcc.protocols.locks.ncosed.NCosed}. {@link dev.rcc.protocols.locks.ncosed.NCosedLayout} draws the words,
 * {@link dev.rcc.protocols.locks.ncosed.NCosedMessage} the messages, {@link dev.rcc.protocols.locks.ncosed.NCosedPlace} the states of a
 * requester's place. Requesters reach the lock's word one-sided or by RPC; messages always go by RPC:
 *
 * <pre>
 *   arrives     finds                 does
 *   exclusive   no requester          holds the lock
 *   exclusive   a tail                asks it for the lock (SUCCEED), then waits for the sharers in between (DRAIN)
 *   exclusive   sharers only          waits for them (DRAIN)
 *   sharer      no tail               holds the lock
 *   sharer      a tail                asks it for the lock (SHARE)
 *
 *   leaves      finds                 does
 *   exclusive   itself as the tail    takes itself out; gives the lock to the sharers behind it
 *   exclusive   another tail          gives the lock to the sharers in between, and notifies the next exclusive requester
 *   sharer      no tail               counts itself out of the word
 *   sharer      a tail                counts itself out at the lock's node (LEAVE), which answers DRAIN when all sharers have
 * </pre>
 *
 * <p>RCC's additions to the paper:
 * <ul>
 *   <li>A sharer counts itself out by CAS, and not after an exclusive requester has swapped itself in: that requester has taken the count with it.
 *   <li>A sharer may leave before the lock's node knows the waiting requester and the number of leaving sharers, so the node keeps a balance.
 *   <li>Tokens. The grant contains the number of exclusive holds; the last holder of a queue writes it beside the word.
 *   <li>Time-outs, as in dslr, 6.1. A place that was given up stays in its queue, and is passed on in the background
 *       ({@link dev.rcc.protocols.locks.ncosed.NCosedPlaces}).
 * </ul>
 *
 * <p>A queue ends at a requester that dies in it, holder or waiter: no requester behind it gets the lock.
 */
package dev.rcc.protocols.locks.ncosed;
