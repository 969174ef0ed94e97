package dev.rcc.protocols.waitdie;

import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.locking.LockRules;

/**
 * WAITDIE's metadata: one lock word, at the start of each tuple and leaf.
 *
 * <pre>
 *             63 62                                18 17       10 9             0
 *            +--+------------------------------------+-----------+---------------+
 * exclusive  |0 |  clock of the holder (45)          | node (8)  | coroutine (10)|
 *            +--+------------------------------------+-----------+---------------+
 * shared     |1 |  clock of the oldest sharer (45)   | closed (1) | sharers (17) |
 *            +--+------------------------------------+---------------------------+
 * </pre>
 *
 * The word of an exclusive lock is its holder's age, that is, the timestamp at which the holder's first attempt began; 0 is
 * free, as no timestamp has the clock 0. The word of a shared lock has the clock of its oldest sharer and the number of
 * sharers. With no sharer it is free, too, whatever clock was left in it; the next transaction to lock it replaces the word
 * as a whole. A transaction takes a shared lock by CAS and drops it by FETCH_ADD of -1, which cannot borrow from the clock
 * while a sharer is left; a CAS that is posted behind the FETCH_ADD clears the clock that the last sharer leaves. No
 * transaction joins a full count, so it never carries. A transaction takes an exclusive lock by CAS; only the holder drops
 * it, by a WRITE of 0.
 *
 * <p>The top bit distinguishes the two, so a clock has 45 of a timestamp's 46 bits here: 4.5 years of a cluster's lifetime.
 * When they are over, {@link #owner} refuses every new transaction with an error that says what to do.
 *
 * <p><b>Which transactions may wait.</b> A transaction waits for a lock only while it is older than every holder
 * ({@link #mayWait}). For an exclusive lock the whole timestamps are compared, which are unique. For a shared lock the
 * transaction's clock must be less than the clock in the word, which is no greater than any sharer's. At equal clocks the
 * transaction dies, so it never waits for itself. The oldest sharer may have dropped its lock while other sharers stayed; its
 * clock then stays in the word, and fewer transactions wait than could.
 *
 * <p><b>Why no transaction starves.</b> If a lock's sharers overlapped for ever, no transaction could hold it alone, not even the
 * oldest. So a transaction that has long wanted to hold it alone closes it: no transaction joins a closed lock, its sharers
 * drop it, and the next transaction to lock it replaces the word as a whole.
 *
 * <p><b>Why there is no deadlock.</b> Suppose transactions wait in a cycle. At least one of them, W, waits for a holder H that
 * is not younger: ages cannot fall all the way around. When W began to wait it was older than every holder, so H got the lock
 * afterwards, and that changed the word: an exclusive holder puts its own age there, and a new sharer lowers the clock to its
 * own or finds it lower already. Every waiting request reads the word again, within a bounded time, and decides anew by its
 * value: W dies, and the cycle with it. Waiting in a participant's list behind other waiters ({@link WaitingList}) adds only
 * waits of older transactions for younger ones.
 */
public final class WaitdieLayout {
    /** Most transactions that can share a lock. */
    public static final long MAX_SHARED = (1 << 17) - 1;

    /** The last clock value that a lock word can hold. */
    public static final long MAX_CLOCK = Timestamp.MAX_CLOCK >>> 1;

    private static final long SHARED = 1L << 63;
    private static final long COUNT_MASK = MAX_SHARED;
    private static final long CLOSED = 1 << 17;
    private static final long CLOCK_MASK = ~(SHARED | CLOSED | COUNT_MASK);

    private WaitdieLayout() {}

    /**
     * The word of an exclusive lock, which identifies its holder.
     *
     * @throws IllegalStateException when the clock no longer fits into a lock word
     */
    public static long owner(long age) {
        if (age < 0) {
            throw new IllegalStateException("the lock words of waitdie end at clock " + MAX_CLOCK + ", got "
                    + Timestamp.clock(age) + ": move the data to a new cluster or run it with another protocol");
        }
        return age;
    }

    /** Whether no transaction holds the lock. */
    public static boolean isFree(long word) {
        return (word & (SHARED | COUNT_MASK)) == SHARED || word == LockRules.FREE;
    }

    /** Whether the lock is held, and shared. */
    public static boolean isShared(long word) {
        return word < 0 && sharers(word) > 0;
    }

    /** Number of sharers of a word whose top bit is set. */
    public static long sharers(long word) {
        return word & COUNT_MASK;
    }

    /** Whether the lock is free, or shared with room for one more and not closed. */
    public static boolean canShare(long word) {
        return isFree(word) || (word < 0 && (word & CLOSED) == 0 && sharers(word) < MAX_SHARED);
    }

    /** The word of a shared lock that no transaction joins any more. */
    public static long close(long word) {
        return word | CLOSED;
    }

    /** The word after {@code owner} has joined those who share {@code word}, which {@link #canShare} allows. */
    public static long share(long word, long owner) {
        long clock = owner & CLOCK_MASK;
        return isFree(word) ? SHARED | clock | 1 : SHARED | Math.min(word & CLOCK_MASK, clock) | (sharers(word) + 1);
    }

    /** What is left in the word when {@code owner}, the oldest sharer, is the last to drop the lock. */
    public static long residue(long owner) {
        return SHARED | (owner & CLOCK_MASK);
    }

    /** Whether {@code owner} is older than every transaction that holds the lock. */
    public static boolean mayWait(long word, long owner) {
        return word < 0 ? (owner & CLOCK_MASK) < (word & CLOCK_MASK) : owner < word;
    }
}
