package dev.rcc.protocols.optimistic;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.CasAcquisition;
import dev.rcc.protocols.common.LockAcquisition;

/**
 * The meaning of the first metadata word of a tuple or leaf, its lock word, under a protocol, and its changes. 0, the word
 * of a new tuple, is free; {@link #NO_WORD} stands for a word that could not be read, and is neither lockable nor readable.
 * Stateless; used by coordinators and by participants, on any worker.
 */
public interface LockRules {
    /** In place of a lock word: nothing was read. */
    long NO_WORD = -1;
    /** In place of a held word: the lock is not held. */
    long NOT_HELD = 0;

    /** Bytes of metadata in each tuple and leaf, of which the lock word is the first. */
    int metadataBytes();

    /** Whether no transaction holds the lock. */
    boolean isLockable(long word);

    /** The word that {@code attempt} holds after it has locked a lockable word; never 0. */
    long locked(long word, long attempt);

    /**
     * The reason for which a transaction of age {@code age} aborts when it finds the lock held.
     *
     * @param holderAge the second metadata word, read after the first; see {@link #agesHolders}
     * @return the reason, or null if it may wait for the lock, for a while
     */
    default AbortReason conflict(long word, long holderAge, long age) {
        return AbortReason.LOCK_CONFLICT;
    }

    /**
     * Whether a holder writes its transaction's age to the second metadata word, by a plain write soon after it has locked.
     * Lock RPCs of such a protocol carry the age in place of the attempt's id; the protocol identifies holders by node and
     * coroutine, which are the same in both.
     */
    default boolean agesHolders() {
        return false;
    }

    /** Whether {@code attempt} holds the lock. */
    boolean isHeldBy(long word, long attempt);

    /** Whether the holder of a lock, whose word was {@code held}, still has it, so that its writes are to be installed. */
    default boolean isStillHeld(long word, long held) {
        return word == held;
    }

    /** The word that a holder leaves when it aborts. */
    long released(long held);

    /**
     * The word that a holder leaves when it aborts after it has set its commit timestamp. Logs and histories may contain
     * that timestamp, so a protocol in which another transaction could get the same timestamp makes sure here that no
     * transaction does.
     *
     * @param commitTs the timestamp, {@link dev.rcc.core.time.Timestamp#NONE} if there was none yet
     */
    default long released(long held, long commitTs) {
        return released(held);
    }

    /** The word that a holder leaves when it commits. */
    long committed(long held, long commitTs);

    /**
     * Whether {@code attempt} may use the tuple or leaf that it read before this word, provided that the version has not
     * changed either. False while a transaction may be installing: see {@link Fetching}.
     */
    boolean isReadable(long word, long attempt);

    /**
     * The word that a holder writes before it installs. Protocols that let other transactions read locked records mark the
     * word here; under the other protocols, holding the lock is the mark.
     */
    default long installing(long held) {
        return held;
    }

    /** Bytes of metadata, right behind the lock word, that an installation writes, from the access's image. */
    default int installedMetadataBytes() {
        return 0;
    }

    /** How the coordinator of {@code txn} takes locks one-sided, with results in {@code buffers}. */
    default LockAcquisition acquisition(Memory buffers, Transaction txn) {
        return new CasAcquisition(buffers, new LockableWords(this, txn));
    }
}
