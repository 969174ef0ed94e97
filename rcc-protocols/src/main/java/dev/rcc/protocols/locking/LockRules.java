package dev.rcc.protocols.locking;

import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.CasAcquisition;
import dev.rcc.protocols.common.LockAcquisition;

/**
 * The differences between two-phase locking protocols: the meaning of the lock word, and the effect of a conflict. The word lies at the
 * start of each tuple and leaf. Implementations are stateless, and nothing allocates.
 *
 * <p>Under all rules 0 is free; an exclusive lock is the owner itself and is dropped by a WRITE of 0; a shared lock is counted in the word's
 * low-order bits and dropped by a FETCH_ADD of -1.
 */
public interface LockRules {
    /** The word of a lock that no transaction holds and that has no residue. */
    long FREE = 0;

    /** The value that stands for a transaction in lock words: the same from the first lock to the last, and no other transaction's. */
    long owner(Transaction txn);

    /** The mode in which a record that is only read is locked. */
    default LockMode readMode() {
        return LockMode.SHARED;
    }

    /** Whether no transaction holds the lock. */
    boolean isFree(long word);

    /** Whether a transaction shares the lock; false if all locks are exclusive. */
    default boolean isShared(long word) {
        return false;
    }

    /** The word after {@code owner} has locked, or {@link #FREE} if {@code word} does not let it. */
    long grant(long word, LockMode mode, long owner);

    /** The word after {@code owner}, a sharer, has made the lock exclusive, or {@link #FREE} if it isn't the only sharer. */
    long upgrade(long word, long owner);

    /** The likely word of a lock that {@code owner} alone shares. */
    long soleSharer(long owner);

    /**
     * The word that is likely left when {@code owner} was the last to drop a shared lock; it is replaced by {@link #FREE} then. Any other
     * residue only costs the next one-sided lock a round trip more.
     */
    long residue(long owner);

    /**
     * The word of a lock that other transactions share and {@code owner} wants to hold alone, once it is closed to further sharers;
     * {@code word} itself if the lock stays open.
     *
     * @param nowNanos the cluster's time
     */
    default long close(long word, long owner, long nowNanos) {
        return word;
    }

    /** The reason for which {@code owner}, which {@code word} does not let lock, must abort, or null if it may wait. */
    AbortReason refusal(long word, long owner);

    /** How long an attempt waits in one lock stage until it aborts, in nanoseconds. */
    long waitNanosMax();

    /**
     * The reason for which the attempt of {@code txn} must abort whatever the lock words are, or null if it goes on. Its coordinator asks
     * each time before it waits for a lock, and once more when it holds all locks, while nothing is decided.
     */
    default AbortReason overdue(Transaction txn) {
        return null;
    }

    /** How the coordinator of {@code txn} takes locks one-sided, on the worker of {@code context}. */
    default LockAcquisition acquisition(WorkerContext context, Transaction txn) {
        return new CasAcquisition(context.buffers(), new GrantedWords(this, txn, context.clock()));
    }
}
