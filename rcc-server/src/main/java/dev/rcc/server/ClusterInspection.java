package dev.rcc.server;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.OrderedIndexCheck;
import dev.rcc.core.store.SecondaryIndexCheck;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Checks the invariants of a cluster at rest, after all logs were replayed. No lock is left behind; the index and the tuples agree. Ordered
 * indexes have exactly the tables' keys, and secondary indexes exactly their records' entries. Each backup equals its primary, and the
 * partitions of a replicated table have the same records. Stopped nodes are left out. While any node is stopped, ordered and secondary indexes
 * are not checked, as they lie on all nodes.
 */
public final class ClusterInspection {
    private static final int MAX_VIOLATIONS = 20;

    private final Protocol protocol;
    private final Catalog catalog;
    private final Memstore[] memstores;
    private final List<String> violations = new ArrayList<>();

    /**
     * Inspects a cluster at rest.
     *
     * @param memstores by node, or copies of them; null for nodes that were stopped
     */
    public ClusterInspection(Protocol protocol, Catalog catalog, List<Memstore> memstores) {
        this.protocol = protocol;
        this.catalog = catalog;
        this.memstores = memstores.toArray(Memstore[]::new);
    }

    /** Visits the live tuples of the primary copies. */
    @FunctionalInterface
    public interface TupleVisitor {
        /**
         * Visits one tuple.
         *
         * @param memory holds the tuple
         * @param keyOffset where its key starts
         * @param recordOffset where its record starts
         */
        void visit(Memory memory, long keyOffset, long recordOffset);
    }

    /** Visits the live tuples of the primary copies of all tables. */
    @FunctionalInterface
    public interface AnyTupleVisitor {
        /**
         * Visits one tuple.
         *
         * @param copy holds the tuple
         * @param tuple where it starts
         */
        void visit(TablePartition copy, long tuple);
    }

    /** All violations, at most {@value #MAX_VIOLATIONS}; each is a sentence that describes the fault and its place. */
    public List<String> violations() {
        violations.clear();
        for (int id = 0; id < catalog.tables(); id++) {
            Table table = catalog.table(id);
            for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
                inspect(table, partition);
            }
            if (table.isReplicated()) {
                compareCopies(table);
            }
            if (table.isOrdered() && !anyStopped()) {
                new OrderedIndexCheck(catalog, node -> memstores[node], table)
                        .violations()
                        .forEach(this::report);
            }
            if (table.isIndex() && !anyStopped()) {
                new SecondaryIndexCheck(catalog, node -> memstores[node], table)
                        .violations()
                        .forEach(this::report);
            }
        }
        return List.copyOf(violations);
    }

    /** Visits every live tuple of the primary copies of a table. */
    public void forEachTuple(Table table, TupleVisitor visitor) {
        TupleLayout t = table.layout().tuple();
        forEachPrimary(
                table,
                copy -> copy.forEachTuple(
                        tuple -> visitor.visit(copy.memory(), tuple + t.keyOffset(), tuple + t.recordOffset())));
    }

    /** Visits every live tuple of the primary copies of all tables. */
    public void forEachTuple(AnyTupleVisitor visitor) {
        for (int id = 0; id < catalog.tables(); id++) {
            forEachPrimary(catalog.table(id), copy -> copy.forEachTuple(tuple -> visitor.visit(copy, tuple)));
        }
    }

    private void forEachPrimary(Table table, Consumer<TablePartition> visitor) {
        for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
            int primary = catalog.placement().primary(partition);
            if (memstores[primary] != null) {
                visitor.accept(copy(primary, table, partition));
            }
        }
    }

    private void inspect(Table table, int partition) {
        int primary = catalog.placement().primary(partition);
        if (memstores[primary] == null) {
            return;
        }
        TablePartition copy = copy(primary, table, partition);
        checkLeaves(copy);
        long slots = copy.slots();
        for (long slot = 0; slot < slots; slot++) {
            checkSlot(copy, slot);
        }
        for (int i = 0; i < catalog.placement().backups(partition); i++) {
            int backup = catalog.placement().backup(partition, i);
            if (memstores[backup] != null) {
                compare(copy, copy(backup, table, partition), backup);
            }
        }
    }

    private void checkLeaves(TablePartition copy) {
        TableLayout layout = copy.table().layout();
        for (long leaf = 0; leaf < layout.buckets(); leaf++) {
            if (protocol.isLocked(copy.memory(), layout.leafOffsetAt(leaf))) {
                report(copy, "leaf " + leaf + " is still locked");
            }
        }
    }

    private void checkSlot(TablePartition copy, long slot) {
        TableLayout layout = copy.table().layout();
        TupleLayout t = layout.tuple();
        Memory memory = copy.memory();
        long tuple = layout.tupleOffset(slot);
        long entry = memory.getLong(layout.entryOffset(slot));
        long header = memory.getLong(tuple + t.identityOffset());
        if (protocol.isLocked(memory, tuple)) {
            report(copy, "the tuple in slot " + slot + " is still locked");
        }
        if (entry == IndexEntry.EMPTY) {
            if (TupleLayout.isLive(header)) {
                report(copy, "slot " + slot + " holds a tuple without an index entry");
            }
        } else if (!IndexEntry.isLive(entry)) {
            report(copy, "slot " + slot + " is still reserved for an insert");
        } else if (!TupleLayout.isLive(header)) {
            report(copy, "the index has an entry for slot " + slot + ", which is empty");
        } else {
            checkFound(copy, slot, tuple);
        }
    }

    private void checkFound(TablePartition copy, long slot, long tuple) {
        TupleLayout t = copy.table().layout().tuple();
        Memory memory = copy.memory();
        long keyHash = copy.keyHash(tuple);
        if (copy.lookup(keyHash, memory, tuple + t.identityOffset()) != tuple) {
            report(copy, "the index does not find the tuple in slot " + slot + " by its key");
        }
        if (catalog.placement().partition(keyHash) != copy.partition()) {
            report(copy, "the tuple in slot " + slot + " belongs to another partition");
        }
    }

    private void compare(TablePartition primary, TablePartition backup, int backupNode) {
        TableLayout layout = primary.table().layout();
        TupleLayout t = layout.tuple();
        long slots = Math.max(primary.slots(), backup.slots()); // an insert without effect may have used a segment
        for (long slot = 0; slot < slots; slot++) {
            long entry = layout.entryOffset(slot);
            long tuple = layout.tupleOffset(slot) + t.identityOffset();
            boolean live = IndexEntry.isLive(primary.memory().getLong(entry));
            int bytes = t.identityBytes() + (live ? t.valueBytes() : Memory.WORD_BYTES); // an empty slot has no record
            boolean same = primary.memory().getLong(entry) == backup.memory().getLong(entry)
                    && primary.memory().equalWords(tuple, backup.memory(), tuple, bytes);
            if (!same) {
                report(primary, "slot " + slot + " differs on the backup, node " + backupNode);
            } else if (live
                    && backup.leafDepth(backup.keyHash(layout.tupleOffset(slot))) < layout.segmentOfSlot(slot)) {
                report(
                        primary,
                        "the index does not find the tuple in slot " + slot + " on the backup, node " + backupNode);
            }
        }
        for (long leaf = 0; leaf < layout.buckets(); leaf++) {
            long version = layout.leafOffsetAt(leaf) + layout.leafVersionOffset();
            if (primary.memory().getLong(version) != backup.memory().getLong(version)) {
                report(primary, "leaf " + leaf + " has another version on the backup, node " + backupNode);
            }
        }
    }

    /** Checks that each record is in every partition, with the same version. */
    private void compareCopies(Table table) {
        List<TablePartition> primaries = new ArrayList<>();
        forEachPrimary(table, primaries::add);
        for (int i = 0; i < primaries.size(); i++) {
            TablePartition copy = primaries.get(i);
            TablePartition next = primaries.get((i + 1) % primaries.size()); // a circle compares all of them
            copy.forEachTuple(tuple -> compareCopy(copy, tuple, next));
        }
    }

    private void compareCopy(TablePartition copy, long tuple, TablePartition other) {
        TupleLayout t = copy.table().layout().tuple();
        long identity = tuple + t.identityOffset();
        long keyHash = copy.table().keyHashOfIdentity(other.partition(), copy.memory(), identity);
        long found = other.lookup(keyHash, copy.memory(), identity);
        int bytes = t.identityBytes() + t.valueBytes();
        if (found < 0) {
            report(copy, "the record in " + slot(copy, tuple) + " is not in partition " + other.partition());
        } else if (!copy.memory().equalWords(identity, other.memory(), found + t.identityOffset(), bytes)) {
            report(copy, "the record in " + slot(copy, tuple) + " differs in partition " + other.partition());
        }
    }

    private static String slot(TablePartition copy, long tuple) {
        TableLayout layout = copy.table().layout();
        return "slot " + layout.slotOfEntry(layout.entryOfTuple(tuple));
    }

    private TablePartition copy(int node, Table table, int partition) {
        return memstores[node].partition(table.id(), partition);
    }

    private void report(TablePartition copy, String what) {
        report("table " + copy.table() + ", partition " + copy.partition() + ": " + what);
    }

    private void report(String violation) {
        if (violations.size() < MAX_VIOLATIONS) {
            violations.add(violation);
        }
    }

    /** Whether a node that should hold copies was stopped. */
    private boolean anyStopped() {
        for (int node = 0; node < memstores.length; node++) {
            for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
                if (memstores[node] == null && catalog.placement().holds(node, partition)) {
                    return true;
                }
            }
        }
        return false;
    }
}
