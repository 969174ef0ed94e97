package dev.rcc.protocols.locks.dslr;

import static dev.rcc.protocols.locks.LockMode.EXCLUSIVE;
import static dev.rcc.protocols.locks.LockMode.SHARED;

import dev.rcc.protocols.locks.LockMode;

/** A DSLR lock by the printed algorithms (dslr, Algorithms 1 to 3), one step at a time. Tests show how it fails. */
final class PrintedDslr {
    static final DslrLayout LAYOUT = DslrLayout.of(false, 0);
    static final long COUNT_MAX = LAYOUT.countMax();

    enum Answer {
        SUCCESS,
        FAILURE,
        WAIT
    }

    /** The only word of the lock. */
    long word;

    static long word(long servedX, long servedS, long nextX, long nextS) {
        return servedX << 48 | servedS << 32 | nextX << 16 | nextS;
    }

    long fetchAdd(long delta) {
        long found = word;
        word += delta;
        return found;
    }

    boolean cas(long expected, long desired) {
        boolean isAsExpected = word == expected;
        word = isAsExpected ? desired : word;
        return isAsExpected;
    }

    /** Algorithm 1, lines 3 and 17; 5.1 with more slots. */
    long draw(LockMode mode, int slots) {
        return fetchAdd(LAYOUT.ticket(mode, slots));
    }

    /** Algorithm 1, lines 4 to 6 and 18 to 20: a ticket from beyond the limit is undone. */
    void undo(LockMode mode) {
        fetchAdd(-LAYOUT.ticket(mode, 1));
    }

    /** Algorithm 1, lines 10 and 24: whether this ticket's requester sets the counters to zero. */
    static boolean isToReset(long previous, LockMode mode) {
        return LAYOUT.next(previous, mode) == COUNT_MAX - 1;
    }

    /** Algorithm 2, lines 3 to 10. */
    static Answer look(long previous, long value, LockMode mode) {
        if (LAYOUT.next(previous, EXCLUSIVE) < LAYOUT.served(value, EXCLUSIVE)
                || LAYOUT.next(previous, SHARED) < LAYOUT.served(value, SHARED)) {
            return Answer.FAILURE;
        }
        return grants(previous, value, mode) ? Answer.SUCCESS : Answer.WAIT;
    }

    /** Algorithm 2 with lines 5 to 10 before line 3. */
    static Answer lookForTheTurnFirst(long previous, long value, LockMode mode) {
        return grants(previous, value, mode) ? Answer.SUCCESS : look(previous, value, mode);
    }

    private static boolean grants(long previous, long value, LockMode mode) {
        return LAYOUT.next(previous, EXCLUSIVE) == LAYOUT.served(value, EXCLUSIVE)
                && (mode == SHARED || LAYOUT.next(previous, SHARED) == LAYOUT.served(value, SHARED));
    }

    /** Algorithm 2, lines 12 to 16. */
    boolean reset(long previous, long value, LockMode mode) {
        long nextX = LAYOUT.next(previous, EXCLUSIVE) + (mode == EXCLUSIVE ? 1 : 0);
        long nextS = LAYOUT.next(previous, SHARED) + (mode == SHARED ? 1 : 0);
        return cas(value, word(nextX, nextS, LAYOUT.next(value, EXCLUSIVE), LAYOUT.next(value, SHARED)));
    }

    /** Algorithm 3, lines 2 to 5. */
    void release(LockMode mode, int slots) {
        fetchAdd(LAYOUT.handBack(mode, slots));
    }

    /** One pass of Algorithm 3, line 7. */
    boolean zero(long resetFrom) {
        return cas(resetFrom, 0);
    }
}
