package dev.rcc.server.recovery;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;

/**
 * Makes a node's copy of a partition fit to be its primary after nodes were lost, while no transaction runs and all backups have replayed
 * all committed transactions. A copy that was a backup gets metadata. A copy that was the primary already may have been left half-written
 * by a lost coordinator, wherever the coordinator held a lock or an index entry: there the copy takes a backup's data. If it is the last
 * copy, the entries that it has logged as the primary decide what it contains ({@link dev.rcc.core.cluster.Placement#logsAtPrimary}).
 *
 * <p>Runs on a coroutine; reads a backup in pieces as large as its buffer. A slot may be larger than that, most of all with a history: it is
 * taken without the history, and in parts.
 */
final class PartitionRecovery {
    private final Protocol protocol;
    private final Endpoint endpoint;
    private final Memory buffers;
    private final Completion completion;
    private final long buffer;
    private final int bufferBytes;
    private final long bound;

    /**
     * Recovers partitions on {@code coroutine}.
     *
     * @param buffer the offset in the buffers region that a backup's bytes are read to
     * @param bound see {@link Protocol#recover}
     */
    PartitionRecovery(
            Protocol protocol, WorkerContext context, Coroutine coroutine, long buffer, int bufferBytes, long bound) {
        this.protocol = protocol;
        this.endpoint = context.endpoint();
        this.buffers = context.buffers();
        this.completion = new Completion(coroutine);
        this.buffer = buffer;
        this.bufferBytes = bufferBytes;
        this.bound = bound;
    }

    /** Gives metadata to a copy that was a backup. */
    void promote(TablePartition copy) {
        TableLayout layout = copy.table().layout();
        long slots = copy.slots();
        for (long slot = 0; slot < slots; slot++) {
            protocol.recover(copy.memory(), layout.tupleOffset(slot), bound);
        }
        for (long leaf = 0; leaf < layout.buckets(); leaf++) {
            protocol.recover(copy.memory(), layout.leafOffsetAt(leaf), bound);
        }
    }

    /**
     * Repairs a primary.
     *
     * @param backup a node that holds another copy
     * @param lost whether coordinators were lost, which may have left writes half done; where lock holders are not marked, these may be
     *     anywhere
     * @return false if the backup cannot be reached
     */
    boolean repair(TablePartition copy, int backup, boolean lost) {
        return takeWhere(copy, backup, lost && !protocol.marksHolders());
    }

    /**
     * Gives a primary all data of a backup.
     *
     * @param backup a node that holds another copy
     * @return false if the backup cannot be reached
     */
    boolean take(TablePartition copy, int backup) {
        return takeWhere(copy, backup, true);
    }

    private boolean takeWhere(TablePartition copy, int backup, boolean everywhere) {
        TableLayout layout = copy.table().layout();
        int slotBytes = layout.tuple().slotBytes() + Memory.WORD_BYTES;
        long slots = Math.max(1, bufferBytes / slotBytes);
        if (!takeMarks(copy, backup)) {
            return false;
        }
        int depth = copy.depth();
        for (int segment = 0; segment <= depth; segment++) {
            long end = layout.slots(segment);
            for (long first = layout.firstSlot(segment); first < end; first += slots) {
                if (!repairSlots(copy, backup, first, Math.min(slots, end - first), everywhere)) {
                    return false;
                }
            }
        }
        long leaves = bufferBytes / layout.leafBytes();
        for (long first = 0; first < layout.buckets(); first += leaves) {
            if (!repairLeaves(copy, backup, first, Math.min(leaves, layout.buckets() - first), everywhere)) {
                return false;
            }
        }
        return true;
    }

    /** Takes into use the segments that a backup uses. Other segments may be in use here, into which no insert has committed. */
    private boolean takeMarks(TablePartition copy, int backup) {
        TableLayout layout = copy.table().layout();
        if (layout.segments() == 0) {
            return true;
        }
        endpoint.batch(backup)
                .read(address(copy, backup, layout.marksOffset()), layout.segments() * Memory.WORD_BYTES, buffer)
                .post(completion);
        if (!completion.await()) {
            return false;
        }
        for (int segment = 1; segment <= layout.segments(); segment++) {
            if (buffers.getLong(buffer + (segment - 1L) * Memory.WORD_BYTES) != 0) {
                copy.use(segment);
            }
        }
        return true;
    }

    /** Counts the slots and leaves that lost coordinators hold in a copy. */
    long leftBehind(TablePartition copy) {
        TableLayout layout = copy.table().layout();
        long left = 0;
        long slots = copy.slots();
        for (long slot = 0; slot < slots; slot++) {
            left += isLeftBehind(copy, slot) ? 1 : 0;
        }
        for (long leaf = 0; leaf < layout.buckets(); leaf++) {
            left += protocol.isLocked(copy.memory(), layout.leafOffsetAt(leaf)) ? 1 : 0;
        }
        return left;
    }

    /** Frees the slots and leaves that lost coordinators hold in a copy that is the last one, and has all committed data. */
    void release(TablePartition copy) {
        TableLayout layout = copy.table().layout();
        long slots = copy.slots();
        for (long slot = 0; slot < slots; slot++) {
            if (isLeftBehind(copy, slot)) {
                long entry = layout.entryOffset(slot);
                if (!IndexEntry.isLive(copy.memory().getAcquire(entry)) || isEmpty(copy, slot)) {
                    copy.clear(entry); // reserved for an insert that has not committed, or of a deleted record
                }
                protocol.recover(copy.memory(), layout.tupleOffset(slot), bound);
            }
        }
        for (long leaf = 0; leaf < layout.buckets(); leaf++) {
            protocol.recover(copy.memory(), layout.leafOffsetAt(leaf), bound);
        }
    }

    private boolean repairSlots(TablePartition copy, int backup, long first, long count, boolean everywhere) {
        boolean any = everywhere;
        for (long slot = first; slot < first + count && !any; slot++) {
            any = isLeftBehind(copy, slot);
        }
        if (!any) {
            return true;
        }
        TableLayout layout = copy.table().layout();
        long entries = buffer;
        long tuples = buffer + count * Memory.WORD_BYTES;
        int tuplesBytes = (int) (count * layout.tuple().slotBytes());
        if (count * Memory.WORD_BYTES + tuplesBytes > bufferBytes) {
            return takeInParts(copy, backup, first);
        }
        endpoint.batch(backup)
                .read(address(copy, backup, layout.entryOffset(first)), (int) (count * Memory.WORD_BYTES), entries)
                .read(address(copy, backup, layout.tupleOffset(first)), tuplesBytes, tuples)
                .post(completion);
        if (!completion.await()) {
            return false;
        }
        for (long i = 0; i < count; i++) {
            if (everywhere || isLeftBehind(copy, first + i)) {
                long tuple = tuples + i * layout.tuple().slotBytes();
                takeOver(copy, first + i, buffers.getLong(entries + i * Memory.WORD_BYTES), tuple);
            }
        }
        return true;
    }

    /**
     * Whether a transaction holds the slot, or has deleted its record and unlocked it, but not freed its index entry yet. No transaction of
     * a living node does.
     */
    private boolean isLeftBehind(TablePartition copy, long slot) {
        TableLayout layout = copy.table().layout();
        long entry = copy.memory().getAcquire(layout.entryOffset(slot));
        return (IndexEntry.isLive(entry) ? isEmpty(copy, slot) : entry != IndexEntry.EMPTY)
                || protocol.isLocked(copy.memory(), layout.tupleOffset(slot));
    }

    private static boolean isEmpty(TablePartition copy, long slot) {
        TableLayout layout = copy.table().layout();
        long identity = layout.tupleOffset(slot) + layout.tuple().identityOffset();
        return !TupleLayout.isLive(copy.memory().getAcquire(identity));
    }

    private void takeOver(TablePartition copy, long slot, long entry, long tuple) {
        TableLayout layout = copy.table().layout();
        TupleLayout t = layout.tuple();
        long target = layout.tupleOffset(slot) + t.identityOffset();
        buffers.copy(tuple + t.identityOffset(), copy.memory(), target, t.identityBytes() + t.valueBytes());
        finish(copy, slot, entry);
    }

    /** Takes over a slot that is larger than the buffer. A slot that was left behind counts as that until all parts have been taken. */
    private boolean takeInParts(TablePartition copy, int backup, long slot) {
        TableLayout layout = copy.table().layout();
        TupleLayout t = layout.tuple();
        long part = buffer + Memory.WORD_BYTES;
        int most = bufferBytes - Memory.WORD_BYTES;
        long from = layout.tupleOffset(slot) + t.identityOffset();
        long end = from + t.identityBytes() + t.valueBytes();
        for (long offset = from; offset < end; offset += most) {
            int bytes = (int) Math.min(most, end - offset);
            endpoint.batch(backup)
                    .read(address(copy, backup, layout.entryOffset(slot)), Memory.WORD_BYTES, buffer)
                    .read(address(copy, backup, offset), bytes, part)
                    .post(completion);
            if (!completion.await()) {
                return false;
            }
            buffers.copy(part, copy.memory(), offset, bytes);
        }
        finish(copy, slot, buffers.getLong(buffer));
        return true;
    }

    /** Frees a slot whose tuple has been taken over. */
    private void finish(TablePartition copy, long slot, long entry) {
        TableLayout layout = copy.table().layout();
        protocol.recover(copy.memory(), layout.tupleOffset(slot), bound);
        copy.memory().putRelease(layout.entryOffset(slot), entry);
    }

    private boolean repairLeaves(TablePartition copy, int backup, long first, long count, boolean everywhere) {
        TableLayout layout = copy.table().layout();
        boolean any = everywhere;
        for (long leaf = first; leaf < first + count && !any; leaf++) {
            any = protocol.isLocked(copy.memory(), layout.leafOffsetAt(leaf));
        }
        if (!any) {
            return true;
        }
        int bytes = (int) (count * layout.leafBytes());
        endpoint.batch(backup)
                .read(address(copy, backup, layout.leafOffsetAt(first)), bytes, buffer)
                .post(completion);
        if (!completion.await()) {
            return false;
        }
        for (long i = 0; i < count; i++) {
            long leaf = layout.leafOffsetAt(first + i);
            if (everywhere || protocol.isLocked(copy.memory(), leaf)) {
                long version = buffers.getLong(buffer + i * layout.leafBytes() + layout.leafVersionOffset());
                copy.memory().putLong(leaf + layout.leafVersionOffset(), version);
                takeDepth(copy, leaf, buffer + i * layout.leafBytes());
                protocol.recover(copy.memory(), leaf, bound);
            }
        }
        return true;
    }

    private void takeDepth(TablePartition copy, long leaf, long taken) {
        TableLayout layout = copy.table().layout();
        if (layout.segments() > 0) {
            long own = leaf + layout.leafDepthOffset();
            long depth = buffers.getLong(taken + layout.leafDepthOffset());
            copy.memory().putLong(own, Math.max(copy.memory().getLong(own), depth));
        }
    }

    private static long address(TablePartition copy, int node, long offset) {
        return copy.table().address(node, copy.partition(), offset);
    }
}
