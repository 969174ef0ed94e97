package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;

/**
 * Checks an ordered index at rest: it must be one tree, whose fences partition the keys on every level, whose leaves form one chain, and whose keys
 * are exactly the keys of the table's records. Looks at the primary copies.
 */
public final class OrderedIndexCheck {
    private static final int MAX_VIOLATIONS = 10;

    private final Catalog catalog;
    private final IntFunction<Memstore> memstores;
    private final Table table;
    private final IndexNodeLayout layout;
    private final List<String> violations = new ArrayList<>();
    private final Set<Long> seen = new HashSet<>();
    private final Memory identity = Memory.allocate(Arena.ofAuto(), 2 * Memory.WORD_BYTES);
    private final long base;
    private final KeySlot slot;
    private final Memory ends;
    private final Memory expected;
    private final KeyList keys;
    private long nextLeaf;

    /**
     * Prepares a check.
     *
     * @param memstores finds a node's memstore
     * @param table an ordered table
     */
    public OrderedIndexCheck(Catalog catalog, IntFunction<Memstore> memstores, Table table) {
        this.catalog = catalog;
        this.memstores = memstores;
        this.table = table;
        this.layout = table.indexNodeLayout();
        this.slot = layout.keys();
        this.keys = new KeyList(table.schema().keyKind());
        this.ends = Memory.allocate(Arena.ofAuto(), 2L * slot.bytes());
        this.expected = Memory.allocate(Arena.ofAuto(), slot.bytes());
        this.base = table.indexNodes().layout().tuple().recordOffset();
    }

    /** All violations, each a sentence; at most {@value #MAX_VIOLATIONS}. */
    public List<String> violations() {
        Node root = find(IndexNodeLayout.ROOT);
        if (root == null) {
            report("the root is missing");
            return violations;
        }
        if (root.level() <= IndexNodeLayout.LEAF_LEVEL || root.level() >= IndexNodeLayout.MAX_LEVEL) {
            report("the root has level " + root.level());
            return violations;
        }
        seen.add(IndexNodeLayout.ROOT);
        nextLeaf = -1;
        slot.putLeast(ends, 0);
        slot.putGreatest(ends, slot.bytes());
        visit(IndexNodeLayout.ROOT, root, root.level(), new Key(ends, 0), new Key(ends, slot.bytes()), false);
        if (nextLeaf != IndexNodeLayout.NO_NODE && violations.isEmpty()) {
            report("the last leaf is followed by node " + nextLeaf);
        }
        forEachNode(id -> {
            if (!seen.contains(id)) {
                report("node " + Long.toHexString(id) + " is not in the tree");
            }
        });
        compareKeys();
        return violations;
    }

    /**
     * Checks a node and the nodes below it.
     *
     * @param low the first key that belongs below the node
     * @param end the last such key or, if {@code isNext}, the key after it
     */
    private void visit(long id, Node node, long level, Key low, Key end, boolean isNext) {
        String name = "node " + Long.toHexString(id);
        if (node.level() != level) {
            report(name + " has level " + node.level() + " in the place of " + level);
            return;
        }
        int at = (int) level;
        int count = IndexNodeLayout.count(node.word(IndexNodeLayout.COUNT_OFFSET));
        int inserted = IndexNodeLayout.afterLastInsert(node.word(IndexNodeLayout.COUNT_OFFSET));
        if (count < IndexNodeLayout.fewest(at) || count > layout.capacity(at)) {
            report(name + " has " + count + " entries");
            return;
        }
        if (inserted < 0 || inserted > count) {
            report(name + " has " + count + " entries, and place " + inserted
                    + " is behind the last that was inserted");
        }
        if (!hasKeys(node, count)) {
            report(name + " has a malformed key");
            return;
        }
        if (isNext) {
            slot.putPredecessor(end.memory, end.offset, expected, 0);
        } else {
            slot.copy(end.memory, end.offset, expected, 0);
        }
        Key last = new Key(expected, 0);
        if (compare(node.low(), low) != 0 || compare(node.high(), last) != 0) {
            report(name + " covers " + describe(node.low()) + " to " + describe(node.high()) + " in the place of "
                    + describe(low) + " to " + describe(last));
        }
        for (int i = 0; i < count; i++) {
            Key key = node.key(i);
            boolean ascends = i == 0 ? compare(key, low) >= 0 : compare(key, node.key(i - 1)) > 0;
            if (!ascends
                    || compare(key, last) > 0
                    || (at > IndexNodeLayout.LEAF_LEVEL && i == 0 && compare(key, low) != 0)) {
                report(name + " has key " + describe(key) + " out of place");
                return;
            }
        }
        if (at == IndexNodeLayout.LEAF_LEVEL) {
            visitLeaf(id, node, count);
            return;
        }
        for (int i = 0; i < count && violations.size() < MAX_VIOLATIONS; i++) {
            long child = node.word(layout.childOffset(i));
            Node found = find(child);
            if (found == null || !seen.add(child)) {
                report(name + " has a child " + Long.toHexString(child)
                        + (found == null ? " that is missing" : " that it shares"));
            } else if (i + 1 < count) {
                visit(child, found, level - 1, node.key(i), node.key(i + 1), true);
            } else {
                visit(child, found, level - 1, node.key(i), end, isNext);
            }
        }
    }

    private boolean hasKeys(Node node, int count) {
        boolean all =
                slot.isKey(node.low().memory, node.low().offset) && slot.isKey(node.high().memory, node.high().offset);
        for (int i = 0; all && i < count; i++) {
            all = slot.isKey(node.key(i).memory, node.key(i).offset);
        }
        return all;
    }

    private void visitLeaf(long id, Node node, int count) {
        if (nextLeaf != -1 && nextLeaf != id) {
            report("leaf " + Long.toHexString(id) + " is not the one that its neighbour names, "
                    + Long.toHexString(nextLeaf));
        }
        nextLeaf = node.word(IndexNodeLayout.NEXT_OFFSET);
        if (table.isByPrefix()) {
            checkPartition(id, "begins with", node.low());
        }
        for (int i = 0; i < count; i++) {
            Key key = node.key(i);
            if (table.isByPrefix()) {
                checkPartition(id, "has", key);
            }
            keys.add(slot, key.memory, key.offset);
        }
    }

    /** Checks, in a table that is distributed by a prefix, that a leaf lies in the partition of a key. */
    private void checkPartition(long id, String how, Key key) {
        int home = slot.partition(table, key.memory, key.offset);
        int partition = table.indexNodes().partition(KeyHash.of(id));
        if (partition != home) {
            report("leaf " + Long.toHexString(id) + " lies in partition " + partition + " and " + how + " key "
                    + describe(key) + ", which belongs to partition " + home);
        }
    }

    private void compareKeys() {
        KeyList records = new KeyList(table.schema().keyKind());
        int slotOffset = table.layout().tuple().identityOffset() + slot.identityOffset();
        for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
            TablePartition copy = primary(table, partition);
            copy.forEachTuple(tuple -> records.add(slot, copy.memory(), tuple + slotOffset));
        }
        records.sort();
        int mismatch = records.mismatch(keys);
        if (mismatch >= 0) {
            report("the index has " + keys.size() + " keys and the table " + records.size()
                    + ", the first difference is " + describe(keys, mismatch) + " in the index, "
                    + describe(records, mismatch) + " in the table");
        }
    }

    private String describe(KeyList list, int i) {
        if (i >= list.size()) {
            return "nothing";
        }
        list.put(i, slot, expected, 0);
        return slot.describe(expected, 0);
    }

    private int compare(Key a, Key b) {
        return slot.compare(a.memory, a.offset, b.memory, b.offset);
    }

    private String describe(Key key) {
        return slot.describe(key.memory, key.offset);
    }

    private void forEachNode(LongConsumer visitor) {
        int keyOffset = table.indexNodes().layout().tuple().keyOffset();
        for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
            TablePartition copy = primary(table.indexNodes(), partition);
            copy.forEachTuple(tuple -> visitor.accept(copy.memory().getLong(tuple + keyOffset)));
        }
    }

    private Node find(long id) {
        identity.putLong(0, TupleLayout.liveHeader(Long.BYTES));
        identity.putLong(Memory.WORD_BYTES, id);
        long keyHash = KeyHash.of(id);
        TablePartition copy = primary(table.indexNodes(), catalog.placement().partition(keyHash));
        long tuple = copy.lookup(keyHash, identity, 0);
        return tuple < 0 ? null : new Node(copy.memory(), tuple + base);
    }

    private TablePartition primary(Table of, int partition) {
        return memstores.apply(catalog.placement().primary(partition)).partition(of.id(), partition);
    }

    private void report(String what) {
        if (violations.size() < MAX_VIOLATIONS) {
            violations.add("ordered index of table " + table + ": " + what);
        }
    }

    /** A key at its place in memory. */
    private record Key(Memory memory, long offset) {}

    /** A node's record at its place in memory. */
    private final class Node {
        private final Memory memory;
        private final long offset;

        Node(Memory memory, long offset) {
            this.memory = memory;
            this.offset = offset;
        }

        long word(int at) {
            return memory.getLong(offset + at);
        }

        long level() {
            return word(IndexNodeLayout.LEVEL_OFFSET);
        }

        Key low() {
            return new Key(memory, offset + IndexNodeLayout.LOW_OFFSET);
        }

        Key high() {
            return new Key(memory, offset + layout.highOffset());
        }

        Key key(int i) {
            return new Key(memory, offset + layout.keyOffset((int) level(), i));
        }
    }
}
