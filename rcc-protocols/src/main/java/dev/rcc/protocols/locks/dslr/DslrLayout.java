package dev.rcc.protocols.locks.dslr;

import dev.rcc.protocols.locks.LockMode;

/**
 * The two words of a DSLR lock (dslr, 4.4 and 5.2). A ticket is the counters that a FETCH_ADD to a <em>max</em> found; its holder has the lock
 * when the <em>n</em>s have reached its numbers. With update locks there are six counters of 10 bits, without them four of 16.
 *
 * <pre>
 *  63            48 47            32 31            16 15             0
 * +----------------+----------------+----------------+----------------+
 * |       nX       |       nS       |      maxX      |      maxS      |   counters
 * +-+-+------------+----------------+----------------+----------------+
 * |0|Z|        generation (30)      |       rX       |       rS       |   fence
 * +-+-+-----------------------------+----------------+----------------+
 *
 *  63    60 59      50 49      40 39      30 29      20 19      10 9         0
 * +--------+----------+----------+----------+----------+----------+----------+
 * |        |    nU    |    nX    |    nS    |   maxU   |   maxX   |   maxS   |   counters
 * +-+-+----+----------+----------+----------+----------+----------+----------+
 * |0|Z|          generation (32)            |    rU    |    rX    |    rS    |   fence
 * +-+-+-------------------------------------+----------+----------+----------+
 * </pre>
 *
 * The fence contains the numbers to which the last reset has moved the <em>n</em>s: a ticket with a smaller number is void. The generation grows
 * with every reset. Its lower {@value #RESET_BITS} bits count the resets of one numbering, the other bits are the <em>era</em>. Tickets of another
 * era are void, as the counters began at zero in between. Z: the counters are to be set to zero, or have been and Z is still to be cleared.
 *
 * <p>No field carries into its neighbour: tickets from {@link #countMax} on are void, each requester has at most one of them, and
 * {@link #checkRequesters} makes sure that they fit. An era ends after {@code countMax} tickets, so the generations last for 2^41 tickets of a lock
 * without update locks and for 2^37 with them; then {@link #nextEra} throws. Counters at rest are equal in pairs.
 */
public final class DslrLayout {
    private static final int RESET_BITS = 4;
    private static final long RESETS_MAX = (1L << RESET_BITS) - 1;
    private static final long ZEROING = 1L << 62;
    private static final int FLAG_BITS = 2;

    private static final LockMode[] MODES = LockMode.values();

    private final boolean hasUpdates;
    private final int bits;
    private final int fields;
    private final long fieldMax;
    private final long countMax;
    private final long servedMask;

    private DslrLayout(boolean hasUpdates, long countMax) {
        this.hasUpdates = hasUpdates;
        this.bits = hasUpdates ? 10 : 16;
        this.fields = hasUpdates ? 3 : 2;
        this.fieldMax = (1L << bits) - 1;
        long half = (fieldMax + 1) / 2;
        if (countMax < 1 || countMax > half) {
            throw new IllegalArgumentException(
                    "counters of " + bits + " bits are set to zero at 1 to " + half + ", got " + countMax);
        }
        this.countMax = countMax;
        this.servedMask = ((1L << (bits * fields)) - 1) << (bits * fields);
    }

    /**
     * A layout.
     *
     * @param hasUpdates whether there are update locks
     * @param countMax the number from which tickets are void; 0 for half of a field's range, as in the paper
     * @throws IllegalArgumentException when the number is greater than that
     */
    public static DslrLayout of(boolean hasUpdates, long countMax) {
        return new DslrLayout(hasUpdates, countMax == 0 ? hasUpdates ? 1 << 9 : 1 << 15 : countMax);
    }

    /** Whether there are update locks. */
    public boolean hasUpdates() {
        return hasUpdates;
    }

    /** The number from which tickets are void (COUNT_MAX). */
    public long countMax() {
        return countMax;
    }

    /**
     * Checks that void tickets can't overflow a field.
     *
     * @throws IllegalArgumentException when they can: the message has the numbers
     */
    public void checkRequesters(long requesters, long slotsMax) {
        long reached = countMax - 1 + slotsMax * requesters;
        if (reached > fieldMax) {
            throw new IllegalArgumentException(requesters + " coroutines that take up to " + slotsMax
                    + " slots of a lock can bring its counters, which are set to zero at " + countMax + ", to "
                    + reached
                    + ", and " + bits + " bits hold " + fieldMax + ": allowed are "
                    + (fieldMax + 1 - countMax) / slotsMax + " coroutines, or fewer slots");
        }
    }

    // ---- counters --------------------------------------------------------------------------------------------------

    private int maxShift(LockMode mode) {
        return mode == LockMode.SHARED ? 0 : mode == LockMode.EXCLUSIVE ? bits : 2 * bits;
    }

    private int servedShift(LockMode mode) {
        return maxShift(mode) + bits * fields;
    }

    private boolean has(LockMode mode) {
        return mode != LockMode.UPDATE || hasUpdates;
    }

    /** The ticket whose turn it is among those of a mode (nX, nS, nU). */
    public long served(long counters, LockMode mode) {
        return has(mode) ? counters >>> servedShift(mode) & fieldMax : 0;
    }

    /** The next ticket of a mode (maxX, maxS, maxU). */
    public long next(long counters, LockMode mode) {
        return has(mode) ? counters >>> maxShift(mode) & fieldMax : 0;
    }

    /** The number to add to draw a ticket of so many slots. */
    public long ticket(LockMode mode, int slots) {
        return (long) slots << maxShift(mode);
    }

    /** The number to add to hand a lock back. */
    public long handBack(LockMode mode, int slots) {
        return (long) slots << servedShift(mode);
    }

    /** The part of the counters that moves when a lock is handed back. */
    public long served(long counters) {
        return counters & servedMask;
    }

    /** Whether a ticket that was drawn from these counters is void. */
    public boolean isFull(long counters) {
        boolean full = false;
        for (LockMode mode : MODES) {
            full |= next(counters, mode) >= countMax;
        }
        return full;
    }

    /** Whether no requester holds the lock or waits for it. */
    public boolean isAtRest(long counters) {
        return counters >>> (bits * fields) == (counters & servedMask >>> (bits * fields));
    }

    /** How many slots of tickets with numbers below these have not been handed back: a ticket with these numbers waits for them. */
    long before(long counters, long shared, long exclusive, long update) {
        return Math.max(0, shared - served(counters, LockMode.SHARED))
                + Math.max(0, exclusive - served(counters, LockMode.EXCLUSIVE))
                + Math.max(0, update - served(counters, LockMode.UPDATE));
    }

    // ---- fence -----------------------------------------------------------------------------------------------------

    private int generationShift() {
        return bits * fields;
    }

    private long generationMax() {
        return (1L << (Long.SIZE - FLAG_BITS - generationShift())) - 1;
    }

    /** How often the lock has been reset, with gaps. */
    public long generation(long fence) {
        return (fence & ~ZEROING) >>> generationShift();
    }

    /** The era of a generation: its numbering. */
    static long era(long generation) {
        return generation >>> RESET_BITS;
    }

    /** The number to which the last reset has moved the turn of a mode's tickets. */
    public long resetTo(long fence, LockMode mode) {
        return next(fence, mode); // the fields lie alike
    }

    /** Whether the counters are to be set to zero, or have been and Z is still to be cleared. */
    public boolean isZeroing(long fence) {
        return (fence & ZEROING) != 0;
    }

    /** The fence once the counters have been set to zero: Z is cleared. */
    long zeroed(long fence) {
        return fence & ~ZEROING;
    }

    /** Whether a reset is left half done: the fence is ahead of the counters. */
    boolean isIncomplete(long counters, long fence) {
        return isZeroing(fence) || complete(counters, fence) != counters;
    }

    /** The counters after the reset that the fence announces; the same if it is done. */
    long complete(long counters, long fence) {
        if (isZeroing(fence)) {
            return isFull(counters) ? 0 : counters;
        }
        long completed = 0;
        for (LockMode mode : MODES) {
            if (has(mode)) {
                long served = Math.max(served(counters, mode), resetTo(fence, mode));
                long next = Math.max(next(counters, mode), served);
                completed |= served << servedShift(mode) | next << maxShift(mode);
            }
        }
        return completed;
    }

    /** The fence of a reset after which the turn is at these numbers, or behind all tickets if the era has had too many resets. */
    long reset(long fence, long counters, long shared, long exclusive, long update) {
        long generation = generation(fence);
        if ((generation & RESETS_MAX) == RESETS_MAX) {
            return resetAll(fence, counters);
        }
        return fence(generation + 1, shared, exclusive, update);
    }

    /** The fence of a reset that makes all tickets void. */
    long resetAll(long fence, long counters) {
        long generation = generation(fence);
        if (generation == generationMax()) {
            throw exhausted();
        }
        return fence(
                generation + 1,
                last(counters, LockMode.SHARED),
                last(counters, LockMode.EXCLUSIVE),
                last(counters, LockMode.UPDATE));
    }

    private long last(long counters, LockMode mode) {
        return Math.max(served(counters, mode), next(counters, mode));
    }

    /**
     * The fence of a reset to zero.
     *
     * @throws IllegalStateException when the generations are used up
     */
    long nextEra(long fence) {
        long era = era(generation(fence)) + 1;
        if (era > era(generationMax())) {
            throw exhausted();
        }
        return fence(era << RESET_BITS, 0, 0, 0) | ZEROING;
    }

    private long fence(long generation, long shared, long exclusive, long update) {
        long fence = generation << generationShift() | exclusive << maxShift(LockMode.EXCLUSIVE) | shared;
        return hasUpdates ? fence | update << maxShift(LockMode.UPDATE) : fence;
    }

    /** The fence of a recovered lock, whose counters are zero and which no requester holds or awaits: all tickets that were drawn are void. */
    public long recovered(long fence) {
        return zeroed(nextEra(fence));
    }

    private IllegalStateException exhausted() {
        return new IllegalStateException("a lock has used up its " + generationMax()
                + " generations: its tokens would no longer grow. Create its lock space again");
    }

    /** Text for people: counters and fence. */
    public String toString(long counters, long fence) {
        StringBuilder text = new StringBuilder("{");
        for (LockMode mode : MODES) {
            if (has(mode)) {
                text.append(mode.name().charAt(0))
                        .append(' ')
                        .append(served(counters, mode))
                        .append('/')
                        .append(next(counters, mode))
                        .append(" reset to ")
                        .append(resetTo(fence, mode))
                        .append(", ");
            }
        }
        return text.append("generation ")
                .append(generation(fence))
                .append(isZeroing(fence) ? ", zeroing}" : "}")
                .toString();
    }
}
