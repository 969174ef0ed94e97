/**
 * DSLR: fair locks by tickets, drawn and handed back by one FETCH_ADD each (dslr, 4 and 5), mended where the paper is unsafe.
 *
 * <p>Entry: {@link dev.rcc.protocols.locks.dslr.Dslr}. A lock is two words, which {@link dev.rcc.protocols.locks.dslr.DslrLayout} draws:
 * the counters, and the <em>fence</em>, which dates the tickets. {@link dev.rcc.protocols.locks.dslr.DslrTurn} says, in one place, what
 * a ticket may make of what was read of them.
 *
 * <p>Where this is other than the paper:
 * <ul>
 *   <li>A reset moves the fence on first, and the counters then; whoever comes by finishes what a dead resetter has left. So a reader that
 *       sees a reset's counters sees its fence, too, and no ticket takes a gap that others left for one that was made for it (Algorithm 2, lines 3 to 10, is
 *       right in neither order).
 *   <li>A lock is handed back by FETCH_ADD in the first half of its lease only, by CAS in the second, and after that by a reset behind its own
 *       ticket, which races with those of waiters on the fence. A FETCH_ADD whose answer shows that it
 *       came after a reset makes all tickets void: whoever was let in by it can't pass as the holder.
 *   <li>Nothing is undone by FETCH_ADD of -1. A ticket from beyond the limit is void, and its requester reads until there is room again. So there
 *       are no more of these than requesters, and a cluster for which the field is too short is refused.
 *   <li>The ticket that crosses the limit, whatever its number of slots, has the counters set to zero, from whatever value is there.
 *   <li>What would have to be waited for after a release or instead of one, the service coroutine of the worker waits for
 *       ({@link dev.rcc.protocols.locks.dslr.DslrService}): its turn of a ticket that was given up, and the end of those before a zeroing.
 * </ul>
 */
package dev.rcc.protocols.locks.dslr;
