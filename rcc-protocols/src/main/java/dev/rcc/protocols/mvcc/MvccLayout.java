package dev.rcc.protocols.mvcc;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.time.Timestamp;

/**
 * MVCC's metadata, at the start of each tuple and leaf (rcc, Figure 3). The version of the current record, the largest
 * {@code wts}, is not among them: it lies where every protocol has it, and so does the record. H older records lie behind
 * the tuple ({@link dev.rcc.core.store.TupleLayout}); a leaf has none.
 *
 * <pre>
 *  0            8            16                      16+8*H
 * +------------+------------+-----------------------+
 * | lock word  | rts        | wts of the H older    |
 * |            |            | records               |
 * +------------+------------+-----------------------+
 *
 * lock word   0: free; otherwise held by the writer whose attempt's id this is, its timestamp (the paper's tts)
 * rts         largest timestamp of the transactions that have read the current record, or found a key of the leaf missing
 * wts         version of the older record with the same number; 0: none
 * </pre>
 *
 * <p>The lock word is taken by CAS and dropped by its holder. {@code rts} only grows, also when the slot goes to another
 * key, and is changed by CAS only. {@code wts} are changed by a transaction that holds the lock.
 *
 * <p><b>Installing.</b> A writer w that holds the lock and replaces version v
 * <ol>
 *   <li>for an update, writes v into the smallest {@code wts}, then copies v's record into that slot of the history; for
 *       a delete, sets all {@code wts} to 0, the smallest first;
 *   <li>writes the version w: from here on the record is <i>installing</i>, until w unlocks;
 *   <li>writes the record or the identity, and the index entry;
 *   <li>unlocks.
 * </ol>
 * Leaves get their new version before anything below them changes, and are unlocked after it has. Each step is ordered
 * after the last. So a version that is about to become invalid in some place is overwritten before its bytes are, and a
 * version's bytes are there once the lock word differs from the version.
 */
public final class MvccLayout {
    /** Offset of the lock word. */
    public static final int LOCK_OFFSET = 0;
    /** Offset of the read timestamp. */
    public static final int RTS_OFFSET = 8;
    /** Offset of the first older version. */
    public static final int WTS_OFFSET = 16;
    /** No transaction holds the lock. */
    public static final long FREE = 0;
    /** No slot of the history. */
    static final int NO_SLOT = -1;

    private MvccLayout() {}

    /** Bytes of metadata in each tuple and leaf. */
    public static int metadataBytes(int historySlots) {
        return WTS_OFFSET + historySlots * Memory.WORD_BYTES;
    }

    /** Offset of the version of an older record. */
    public static int wtsOffset(int slot) {
        return WTS_OFFSET + slot * Memory.WORD_BYTES;
    }

    /** Whether the lock word shows a writer that comes before {@code timestamp}. */
    static boolean isPending(long lockWord, long timestamp) {
        return lockWord != FREE && Timestamp.isBefore(lockWord, timestamp);
    }

    /**
     * The slot of the latest older record before {@code timestamp}, or {@link #NO_SLOT}.
     *
     * @param memory holds the metadata at {@code offset}
     */
    static int slotBefore(Memory memory, long offset, int historySlots, long timestamp) {
        int chosen = NO_SLOT;
        long latest = Timestamp.NONE;
        for (int slot = 0; slot < historySlots; slot++) {
            long wts = memory.getAcquire(offset + wtsOffset(slot));
            if (Timestamp.isBefore(latest, wts) && Timestamp.isBefore(wts, timestamp)) {
                chosen = slot;
                latest = wts;
            }
        }
        return chosen;
    }

    /** The slot for the next record that becomes old: an empty one, or the slot of the oldest record. */
    static int slotToReplace(Memory memory, long offset, int historySlots) {
        int chosen = 0;
        for (int slot = 1; slot < historySlots; slot++) {
            if (Timestamp.isBefore(
                    memory.getLong(offset + wtsOffset(slot)), memory.getLong(offset + wtsOffset(chosen)))) {
                chosen = slot;
            }
        }
        return chosen;
    }

    /** The slot of the oldest record, or {@link #NO_SLOT} if there is none. */
    static int oldestSlot(Memory memory, long offset, int historySlots) {
        return oldestSlotAfter(memory, offset, historySlots, Timestamp.NONE);
    }

    /** The slot of the oldest record that is younger than a version, or {@link #NO_SLOT} if there is none. */
    static int oldestSlotAfter(Memory memory, long offset, int historySlots, long version) {
        int chosen = NO_SLOT;
        for (int slot = 0; slot < historySlots; slot++) {
            long wts = memory.getLong(offset + wtsOffset(slot));
            if (Timestamp.isBefore(version, wts)
                    && (chosen == NO_SLOT || Timestamp.isBefore(wts, memory.getLong(offset + wtsOffset(chosen))))) {
                chosen = slot;
            }
        }
        return chosen;
    }
}
