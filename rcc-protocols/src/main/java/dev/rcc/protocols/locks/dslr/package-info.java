/**
 * DSLR: fair locks by tickets, drawn and handed back by one FETCH_ADD each (dslr, 4 and 5), corrected where the paper is unsafe.
 *
 * <p>Entry: {@link dev.rcc.protocols.locks.dslr.Dslr}. A lock is two words, which {@link dev.rcc.protocols.locks.dslr.DslrLayout} draws:
 * the counters, and the <em>fence</em>, which dates the tickets. {@link dev.rcc.protocols.locks.dslr.DslrTurn} decides, in one place, on
 * the turn of a ticket by the words that were read.
 *
 * <p>Differences from the paper:
 * <ul>
 *   <li>A reset first moves the fence on, then the counters; the next requester finishes a reset that a dead requester has left half done. So a
 *       reader that sees a reset's counters sees its fence, too. No ticket mistakes a gap that other tickets left for a gap that was made for it
 *       (Algorithm 2, lines 3 to 10, is right in neither order).
 *   <li>A holder hands its lock back by FETCH_ADD in the first half of its lease only, and by CAS in the second. After that it resets behind its own
 *       ticket, which races with the waiters' resets on the fence. A FETCH_ADD whose answer shows that it
 *       came after a reset makes all tickets void: a requester that it let in can't pass as the holder.
 *   <li>No FETCH_ADD of -1 undoes a ticket. A ticket from beyond the limit is void, and its requester reads until there is room again. So there
 *       are no more such tickets than requesters, and a cluster with too many requesters for the field is refused.
 *   <li>The ticket that crosses the limit, whatever its number of slots, has the counters set to zero, from whatever value they have.
 *   <li>The service coroutine of the worker does the waiting that a release would need, or that replaces it
 *       ({@link dev.rcc.protocols.locks.dslr.DslrService}): for the turn of a ticket that was given up, and for the tickets before a zeroing.
 * </ul>
 */
package dev.rcc.protocols.locks.dslr;
