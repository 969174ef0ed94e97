package dev.rcc.core.log;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Prefetch;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * Replays log entries into a node's backup copies. Transactions that follow one another on a key may lie in different rings. So an entry is replayed
 * only when the copy has the versions that the entry's changes replace: the version in the tuple's slot, which outlives a delete, and for an insert
 * or delete the leaf's version. The entry's predecessors are in some ring already: they were logged before their transactions released the locks that
 * this one took. So every entry's turn comes. The copy passes through the same versions of each tuple and leaf as the primary, in the same slots.
 *
 * <p>Several workers may replay at once: of the changes of a tuple, leaf or slot, only one can be replayed at a time.
 */
public final class ReplicaWriter {
    private static final int ALL = -1;
    private static final long NONE = -1;

    private final Memstore memstore;
    private final Catalog catalog;
    private final int node;
    private final int only;

    /** Replays into the backup copies of {@code node}. */
    public ReplicaWriter(Memstore memstore, int node) {
        this(memstore, node, ALL);
    }

    private ReplicaWriter(Memstore memstore, int node, int only) {
        this.memstore = memstore;
        this.catalog = memstore.catalog();
        this.node = node;
        this.only = only;
    }

    /** A writer for the copies of one partition alone, where each partition has a log of its own. */
    public ReplicaWriter only(int partition) {
        return new ReplicaWriter(memstore, node, partition);
    }

    /**
     * Replays a transaction's changes to the partitions that this node backs up.
     *
     * @param log holds the whole, intact entry at {@code entry}
     * @return false if it is not this entry's turn yet; nothing has been changed then
     */
    public boolean apply(Memory log, long entry) {
        if (firstWaiting(log, entry) != NONE) {
            return false;
        }
        int count = LogEntry.count(log, entry);
        long commitTs = LogEntry.commitTs(log, entry);
        boolean changesLeaves = false;
        long change = LogEntry.firstChange(entry);
        for (int i = 0; i < count; i++) {
            if (isForThisNode(log, change)) {
                applyChange(log, change, commitTs);
                changesLeaves |= LogEntry.changeKind(log, change) != LogEntry.UPDATE;
            }
            change = LogEntry.nextChange(log, change, catalog);
        }
        if (changesLeaves) {
            moveLeavesOn(log, entry, commitTs);
        }
        return true;
    }

    private void moveLeavesOn(Memory log, long entry, long commitTs) {
        int count = LogEntry.count(log, entry);
        long change = LogEntry.firstChange(entry);
        for (int i = 0; i < count; i++) {
            if (LogEntry.changeKind(log, change) != LogEntry.UPDATE && isForThisNode(log, change)) {
                moveLeafOn(log, change, commitTs);
            }
            change = LogEntry.nextChange(log, change, catalog);
        }
    }

    /** The first change of a transaction whose turn it is not, {@link #NONE} if it is the transaction's turn. */
    private long firstWaiting(Memory log, long entry) {
        int count = LogEntry.count(log, entry);
        long change = LogEntry.firstChange(entry);
        for (int i = 0; i < count; i++) {
            if (isForThisNode(log, change) && !isItsTurn(log, change)) {
                return change;
            }
            change = LogEntry.nextChange(log, change, catalog);
        }
        return NONE;
    }

    /**
     * A version of a tuple's slot, or of a leaf.
     *
     * @param partition of the table
     * @param offset of the version's word in the partition's copy
     * @param version the word's value
     */
    public record Version(int table, int partition, long offset, long version) {}

    /**
     * The first version that one of a transaction's changes replaces and that the copy does not have yet. The transaction's turn cannot come before
     * the copy has that version.
     *
     * @throws IllegalStateException if it is the transaction's turn
     */
    public Version awaited(Memory log, long entry) {
        long change = firstWaiting(log, entry);
        if (change == NONE) {
            throw new IllegalStateException(
                    "transaction " + Timestamp.toString(LogEntry.id(log, entry)) + " waits for nothing");
        }
        long expected = LogEntry.tupleVersion(log, change);
        return slotVersion(log, change) != expected
                ? slot(log, change, expected)
                : leaf(log, change, LogEntry.leafVersion(log, change));
    }

    /** Passes on all versions that the replay of a transaction writes; a leaf's version perhaps more than once. */
    public void forEachVersion(Memory log, long entry, Consumer<Version> to) {
        int count = LogEntry.count(log, entry);
        long commitTs = LogEntry.commitTs(log, entry);
        long change = LogEntry.firstChange(entry);
        for (int i = 0; i < count; i++) {
            if (isForThisNode(log, change)) {
                to.accept(slot(log, change, commitTs));
                if (LogEntry.changeKind(log, change) != LogEntry.UPDATE) {
                    to.accept(leaf(log, change, commitTs));
                }
            }
            change = LogEntry.nextChange(log, change, catalog);
        }
    }

    private Version slot(Memory log, long change, long version) {
        TablePartition copy = copy(log, change);
        int word = copy.table().layout().tuple().versionOffset();
        return new Version(copy.table().id(), copy.partition(), LogEntry.tupleOffset(log, change) + word, version);
    }

    private Version leaf(Memory log, long change, long version) {
        TablePartition copy = copy(log, change);
        return new Version(copy.table().id(), copy.partition(), leafVersion(copy, log, change), version);
    }

    /** Why it is not a transaction's turn, in words: the first change that has to wait, and the versions that it waits for and finds. */
    public String missing(Memory log, long entry) {
        long change = firstWaiting(log, entry);
        if (change == NONE) {
            return "waits for nothing";
        }
        TablePartition copy = copy(log, change);
        long leaf = leafVersion(copy, log, change);
        return "waits in table " + copy.table() + ", partition " + copy.partition() + ", at offset "
                + LogEntry.tupleOffset(log, change) + " for version "
                + Timestamp.toString(LogEntry.tupleVersion(log, change)) + ", which is "
                + Timestamp.toString(slotVersion(log, change))
                + (LogEntry.changeKind(log, change) == LogEntry.UPDATE
                        ? ""
                        : ", and for version " + Timestamp.toString(LogEntry.leafVersion(log, change))
                                + " of its leaf, which is "
                                + Timestamp.toString(copy.memory().getLong(leaf)));
    }

    /** Adds the memory that the replay of a transaction will read to what is about to be fetched. Changes nothing. */
    public void prefetch(Memory log, long entry, Prefetch prefetch) {
        int count = LogEntry.count(log, entry);
        long change = LogEntry.firstChange(entry);
        for (int i = 0; i < count; i++) {
            if (isForThisNode(log, change)) {
                prefetchChange(log, change, prefetch);
            }
            change = LogEntry.nextChange(log, change, catalog);
        }
    }

    private void prefetchChange(Memory log, long change, Prefetch prefetch) {
        TablePartition copy = copy(log, change);
        TableLayout layout = copy.table().layout();
        long tuple = LogEntry.tupleOffset(log, change);
        int identity = layout.tuple().identityOffset();
        prefetch.add(copy.memory(), tuple + identity, layout.tuple().tupleBytes() - identity);
        if (LogEntry.changeKind(log, change) != LogEntry.UPDATE) {
            prefetch.add(copy.memory(), leafVersion(copy, log, change));
            prefetch.add(copy.memory(), layout.entryOfTuple(tuple));
        }
    }

    /**
     * Replays a transaction's changes into copies of a snapshot, some of whose tuples are ahead of it. A change that the copy already has is left
     * out; any other must follow on the version in its slot. A tuple that was read while it changed becomes whole by that, as the change is replayed.
     * So does a leaf: a replay moves it on after the tuples, and it may be behind a tuple in the copy. The index is left to be rebuilt.
     *
     * @return false if a version is missing that a change follows on; nothing has been changed then
     */
    public boolean redo(Memory log, long entry) {
        int count = LogEntry.count(log, entry);
        long commitTs = LogEntry.commitTs(log, entry);
        long change = LogEntry.firstChange(entry);
        for (int i = 0; i < count; i++) {
            if (isForThisNode(log, change)) {
                long version = slotVersion(log, change);
                if (Timestamp.isBefore(version, commitTs) && version != LogEntry.tupleVersion(log, change)) {
                    return false;
                }
            }
            change = LogEntry.nextChange(log, change, catalog);
        }
        change = LogEntry.firstChange(entry);
        for (int i = 0; i < count; i++) {
            if (isForThisNode(log, change)) {
                if (Timestamp.isBefore(slotVersion(log, change), commitTs)) {
                    redoChange(log, change, commitTs);
                }
                raiseLeaf(log, change, commitTs);
            }
            change = LogEntry.nextChange(log, change, catalog);
        }
        return true;
    }

    /**
     * Makes the changes of a lost coordinator's committed transaction in the partitions whose primary this node is. The coordinator may have made
     * them in part, or not at all. Tuples that later transactions have changed since stay as they are.
     */
    public void complete(Memory log, long entry) {
        int count = LogEntry.count(log, entry);
        long commitTs = LogEntry.commitTs(log, entry);
        long change = LogEntry.firstChange(entry);
        for (int i = 0; i < count; i++) {
            boolean isPrimary = catalog.placement().primary(LogEntry.partition(log, change)) == node;
            if (isPrimary
                    && !Timestamp.isBefore(commitTs, slotVersion(log, change))) { // equal: perhaps written in part
                redoChange(log, change, commitTs);
                raiseLeaf(log, change, commitTs);
                index(log, change);
            }
            change = LogEntry.nextChange(log, change, catalog);
        }
    }

    private void index(Memory log, long change) {
        TablePartition copy = copy(log, change);
        long entry = copy.table().layout().entryOfTuple(LogEntry.tupleOffset(log, change));
        if (LogEntry.changeKind(log, change) == LogEntry.DELETE) {
            copy.clear(entry);
        } else {
            copy.publish(entry, keyHash(copy, log, change));
        }
    }

    private long slotVersion(Memory log, long change) {
        TablePartition copy = copy(log, change);
        int version = copy.table().layout().tuple().versionOffset();
        return copy.memory().getLong(LogEntry.tupleOffset(log, change) + version);
    }

    private void redoChange(Memory log, long change, long commitTs) {
        TablePartition copy = copy(log, change);
        Memory memory = copy.memory();
        TupleLayout t = copy.table().layout().tuple();
        long tuple = LogEntry.tupleOffset(log, change);
        int kind = LogEntry.changeKind(log, change);
        if (kind == LogEntry.DELETE) {
            copy.use(copy.table().layout().segmentOf(tuple));
            copy.clearIdentity(tuple);
        } else {
            copy.deepen(keyHash(copy, log, change), copy.table().layout().segmentOf(tuple));
            log.copy(LogEntry.identityOffset(change), memory, tuple + t.identityOffset(), t.identityBytes());
            log.copy(LogEntry.recordOffset(change, t), memory, tuple + t.recordOffset(), t.recordBytes());
            t.putChecksum(memory, tuple, commitTs);
        }
        memory.putLong(tuple + t.versionOffset(), commitTs);
    }

    private void raiseLeaf(Memory log, long change, long commitTs) {
        if (LogEntry.changeKind(log, change) != LogEntry.UPDATE) {
            TablePartition copy = copy(log, change);
            Memory memory = copy.memory();
            long leafVersion = leafVersion(copy, log, change);
            memory.putLong(leafVersion, Timestamp.max(memory.getLong(leafVersion), commitTs));
        }
    }

    /** The partitions of a transaction's changes, each once. */
    public List<Integer> partitions(Memory log, long entry) {
        BitSet partitions = new BitSet();
        int count = LogEntry.count(log, entry);
        long change = LogEntry.firstChange(entry);
        for (int i = 0; i < count; i++) {
            partitions.set(LogEntry.partition(log, change));
            change = LogEntry.nextChange(log, change, catalog);
        }
        return partitions.stream().boxed().toList();
    }

    private boolean isForThisNode(Memory log, long change) {
        int partition = LogEntry.partition(log, change);
        return (only == ALL || partition == only) && catalog.placement().isBackup(node, partition);
    }

    private boolean isItsTurn(Memory log, long change) {
        TablePartition copy = copy(log, change);
        Memory memory = copy.memory();
        TableLayout layout = copy.table().layout();
        long tuple = LogEntry.tupleOffset(log, change);
        int kind = LogEntry.changeKind(log, change);
        if (memory.getAcquire(tuple + layout.tuple().versionOffset()) != LogEntry.tupleVersion(log, change)) {
            return false;
        }
        if (kind == LogEntry.UPDATE) {
            return true;
        }
        long leafVersion = memory.getAcquire(leafVersion(copy, log, change));
        return leafVersion == LogEntry.leafVersion(log, change);
    }

    private void applyChange(Memory log, long change, long commitTs) {
        TablePartition copy = copy(log, change);
        Memory memory = copy.memory();
        TableLayout layout = copy.table().layout();
        TupleLayout t = layout.tuple();
        long tuple = LogEntry.tupleOffset(log, change);
        int kind = LogEntry.changeKind(log, change);
        if (kind == LogEntry.DELETE) {
            copy.clearIdentity(tuple);
            copy.clear(layout.entryOfTuple(tuple));
            memory.putRelease(tuple + t.versionOffset(), commitTs); // last: the slot's next owner checks it
        } else {
            long identity = LogEntry.identityOffset(change);
            if (kind == LogEntry.INSERT) {
                log.copy(identity, memory, tuple + t.identityOffset(), t.identityBytes());
            } else if (!copy.hasIdentity(tuple, log, identity)) {
                throw new IllegalStateException("table " + copy.table() + ", partition " + copy.partition()
                        + ": a log entry is for another key than the one at offset " + tuple);
            }
            log.copy(LogEntry.recordOffset(change, t), memory, tuple + t.recordOffset(), t.recordBytes());
            t.putChecksum(memory, tuple, commitTs);
            memory.putRelease(tuple + t.versionOffset(), commitTs);
        }
        if (kind == LogEntry.INSERT) {
            long keyHash = keyHash(copy, log, change);
            copy.deepen(keyHash, layout.segmentOf(tuple));
            copy.publish(layout.entryOfTuple(tuple), keyHash);
        }
    }

    /**
     * Called after all changes of the entry; moves a leaf on once even if several changes concern it. Another worker may replay the leaf's next entry
     * as soon as it sees the version, and must not find the version set back.
     */
    private void moveLeafOn(Memory log, long change, long commitTs) {
        TablePartition copy = copy(log, change);
        long leafVersion = leafVersion(copy, log, change);
        copy.memory().compareAndExchange(leafVersion, LogEntry.leafVersion(log, change), commitTs);
    }

    private TablePartition copy(Memory log, long change) {
        return memstore.partition(LogEntry.table(log, change, catalog).id(), LogEntry.partition(log, change));
    }

    private static long leafVersion(TablePartition copy, Memory log, long change) {
        TableLayout layout = copy.table().layout();
        return layout.leafOffset(keyHash(copy, log, change)) + layout.leafVersionOffset();
    }

    private static long keyHash(TablePartition copy, Memory log, long change) {
        return copy.table().keyHashOfIdentity(copy.partition(), log, LogEntry.identityOffset(change));
    }
}
