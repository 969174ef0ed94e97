package dev.rcc.protocols.locks.dslr;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Coroutine;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockVerbs;

/**
 * The operations on one lock that wait in between: resets and their parts. Used on its coroutine only.
 *
 * <p>A reset has two steps, each a CAS: the fence announces it, then the counters follow. A requester that comes to a lock between the two takes the
 * second step ({@link #complete}).
 */
final class DslrWords {
    /** The number of words in a read of both. */
    static final int PAIR = 2;
    /** Bytes of a ticket's results: of its FETCH_ADD or CAS, and of a read of both words. */
    static final int RESULT_BYTES = 3 * Memory.WORD_BYTES;

    private final Coroutine coroutine;
    private final LockVerbs verbs;
    private final DslrLayout layout;
    private final DslrTerms terms;
    private final LockCounters counters;
    private final boolean isGuarded;
    private final long swapped;
    private final long pair;

    DslrWords(
            Coroutine coroutine,
            LockVerbs verbs,
            DslrLayout layout,
            DslrTerms terms,
            LockCounters counters,
            boolean isGuarded,
            BufferSlice buffer) {
        this.coroutine = coroutine;
        this.verbs = verbs;
        this.layout = layout;
        this.terms = terms;
        this.counters = counters;
        this.isGuarded = isGuarded;
        this.swapped = buffer.keep(RESULT_BYTES);
        this.pair = swapped + Memory.WORD_BYTES;
    }

    static long fenceAddress(long address) {
        return address + Memory.WORD_BYTES;
    }

    /** Reads both words. Returns whether the node has answered. */
    boolean read(long address) {
        verbs.read(address, PAIR, pair);
        return verbs.await();
    }

    /** The counters that were read last. */
    long counters() {
        return verbs.word(pair);
    }

    /** The fence that was read last. */
    long fence() {
        return verbs.word(pair + Memory.WORD_BYTES);
    }

    /** Compares and swaps a word. Returns whether it was as expected. */
    boolean swap(long address, long expected, long desired) {
        verbs.cas(address, expected, desired, swapped);
        return verbs.await() && verbs.word(swapped) == expected;
    }

    /**
     * Finishes a reset that is half done, and reads the lock. Other requesters draw tickets meanwhile, so the CAS can fail again and again; after
     * each failure the coroutine waits for longer (dslr, A.3).
     *
     * @return whether the node has answered: no reset is half done then
     */
    boolean complete(long address) {
        for (int failures = 1; read(address); failures++) {
            long words = counters();
            long fence = fence();
            if (!layout.isIncomplete(words, fence)) {
                return true;
            }
            long completed = layout.complete(words, fence);
            boolean done = completed != words
                    ? swap(address, words, completed)
                    : swap(fenceAddress(address), fence, layout.zeroed(fence));
            if (!done) {
                backOff(failures);
            }
        }
        return false;
    }

    /** Counts a ticket, and the tickets before it, as gone; the tickets behind it go on. The words were just read. */
    void resetBehind(DslrTicket ticket) {
        long fence = fence();
        move(
                ticket.address,
                fence,
                layout.reset(
                        fence,
                        counters(),
                        ticket.behind(LockMode.SHARED),
                        ticket.behind(LockMode.EXCLUSIVE),
                        ticket.behind(LockMode.UPDATE)));
    }

    /** Makes all tickets void. The words were just read. */
    void resetAll(long address) {
        move(address, fence(), layout.resetAll(fence(), counters()));
    }

    /** Sets the counters to zero, which makes all tickets void. The words were just read. */
    void zero(long address) {
        counters.zeroings++;
        move(address, fence(), layout.nextEra(fence()));
    }

    private void move(long address, long fence, long moved) {
        counters.resets++;
        if (swap(fenceAddress(address), fence, moved)) {
            boolean _ = complete(address); // if not, other requesters will
        }
    }

    /** Waits for a random time, up to the limit for this number of failures in a row. */
    void backOff(int failures) {
        coroutine.sleep(backoffNanos(failures));
    }

    long backoffNanos(int failures) {
        long max = terms.backoffNanos(failures);
        return 1 + Math.unsignedMultiplyHigh(coroutine.worker().random(), max);
    }

    /**
     * Hands a lock back by CAS, if the ticket is still valid. After its lease that would race with waiters that take its holder for dead. Then the
     * holder moves the fence on behind the ticket, as the waiters would, and one of them is first; or, if others share the lock, it does nothing.
     * Holders that are guarded may race.
     *
     * @return whether no further try is needed
     */
    boolean handBack(DslrTicket ticket, int tries) {
        for (int failures = 1; failures <= tries; failures++) {
            if (!complete(ticket.address)) {
                return false;
            }
            long words = counters();
            switch (DslrTurn.of(layout, ticket, words, fence())) {
                case VOID -> {
                    return true;
                }
                case OVERTAKEN -> {
                    resetAll(ticket.address);
                    return true;
                }
                case GRANTED -> {
                    if (isLeaseOver(ticket) && !isGuarded) {
                        if (!isLast(ticket, words)) {
                            return true; // other sharers may still have leases: waiters find that it is gone
                        }
                        resetBehind(ticket);
                    } else if (swap(ticket.address, words, words + layout.handBack(ticket.mode, ticket.slots))) {
                        return true;
                    } else {
                        backOff(failures);
                    }
                }
                case WAIT, INCOMPLETE -> {
                    return false;
                }
            }
        }
        return false;
    }

    /** Whether a reset behind a holder would make void its own ticket only. */
    private boolean isLast(DslrTicket ticket, long words) {
        long sharers = layout.next(words, LockMode.SHARED) - layout.served(words, LockMode.SHARED);
        return DslrTurn.isAlone(ticket) || sharers == (ticket.mode == LockMode.SHARED ? ticket.slots : 0);
    }

    private boolean isLeaseOver(DslrTicket ticket) {
        return coroutine.worker().nanoTime() - ticket.grantNanos >= terms.leaseNanos() * ticket.slots;
    }
}
