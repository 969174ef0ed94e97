/**
 * N-CoSED, which DSLR is compared with (dslr, 6.1; Narravula et al., "High performance distributed lock management services using
 * network-based remote atomic operations", 2007): queues without a keeper.
 *
 * <p>Entry: {@link dev.rcc.protocols.locks.ncosed.NCosed}. {@link dev.rcc.protocols.locks.ncosed.NCosedLayout} draws the words,
 * {@link dev.rcc.protocols.locks.ncosed.NCosedMessage} the messages, {@link dev.rcc.protocols.locks.ncosed.NCosedPlace} the states of a
 * requester's place. The lock's word is reached one-sided or by RPC; messages go by RPC always:
 *
 * <pre>
 *   who comes   finds                 does
 *   exclusive   nobody                holds the lock
 *   exclusive   a tail                asks it to be told of its release (SUCCEED), then waits for those who share in between (DRAIN)
 *   exclusive   sharers only          waits for them (DRAIN)
 *   sharer      no tail               holds the lock
 *   sharer      a tail                asks it for the lock (SHARE)
 *
 *   who goes    finds                 does
 *   exclusive   itself as the tail    takes itself out; gives the lock to those who share behind it
 *   exclusive   another tail          gives the lock to those who share in between, and tells the next exclusive one
 *   sharer      no tail               counts itself out of the word
 *   sharer      a tail                counts itself out at the lock's node (LEAVE), which answers DRAIN when all have
 * </pre>
 *
 * <p>What is ours:
 * <ul>
 *   <li>A sharer counts itself out by CAS, and not where an exclusive requester has swapped itself in: that one has taken the count with it.
 *   <li>A sharer may leave before it is known who waits for it, and how many leave, so the lock's node keeps a balance.
 *   <li>Tokens. The number of exclusive holds travels with the grant; the last of a queue writes it beside the word.
 *   <li>Time-outs, as in dslr, 6.1. A place that was given up stays in its queue, and is passed on in the background
 *       ({@link dev.rcc.protocols.locks.ncosed.NCosedPlaces}).
 * </ul>
 *
 * <p>A queue ends at whoever dies in it, holder or waiter: nobody behind gets the lock.
 */
package dev.rcc.protocols.locks.ncosed;
