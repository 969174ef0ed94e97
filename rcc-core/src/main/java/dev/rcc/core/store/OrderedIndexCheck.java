package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * What must hold of an ordered index at rest: it is one tree, whose fences partition the keys on every level, whose leaves
 * form one chain, and whose keys are exactly those of the table's records. Looks at the primary copies.
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
    private long[] keys = new long[1024];
    private int keyCount;
    private long nextLeaf;

    /**
     * Prepares a check.
     *
     * @param memstores finds a node's
     * @param table an ordered table
     */
    public OrderedIndexCheck(Catalog catalog, IntFunction<Memstore> memstores, Table table) {
        this.catalog = catalog;
        this.memstores = memstores;
        this.table = table;
        this.layout = table.indexNodeLayout();
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
        visit(IndexNodeLayout.ROOT, root, root.level(), Long.MIN_VALUE, Long.MAX_VALUE);
        if (nextLeaf != IndexNodeLayout.NO_NODE && violations.isEmpty()) {
            report("the last leaf is followed by node " + nextLeaf);
        }
        long[] nodes = keysOf(table.indexNodes());
        for (long id : nodes) {
            if (!seen.contains(id)) {
                report("node " + Long.toHexString(id) + " is not in the tree");
            }
        }
        compareKeys();
        return violations;
    }

    private void visit(long id, Node node, long level, long low, long high) {
        String name = "node " + Long.toHexString(id);
        if (node.level() != level) {
            report(name + " has level " + node.level() + " in the place of " + level);
            return;
        }
        int at = (int) level;
        long count = node.word(IndexNodeLayout.COUNT_OFFSET);
        if (count < IndexNodeLayout.fewest(at) || count > layout.capacity(at)) {
            report(name + " has " + count + " entries");
            return;
        }
        if (node.word(IndexNodeLayout.LOW_OFFSET) != low || node.word(IndexNodeLayout.HIGH_OFFSET) != high) {
            report(name + " covers " + node.word(IndexNodeLayout.LOW_OFFSET) + " to "
                    + node.word(IndexNodeLayout.HIGH_OFFSET) + " in the place of " + low + " to " + high);
        }
        for (int i = 0; i < count; i++) {
            long key = node.key(i);
            boolean ascends = i == 0 ? key >= low : key > node.key(i - 1);
            if (!ascends || key > high || (at > IndexNodeLayout.LEAF_LEVEL && i == 0 && key != low)) {
                report(name + " has key " + key + " out of place");
            }
        }
        if (at == IndexNodeLayout.LEAF_LEVEL) {
            visitLeaf(id, node, (int) count);
            return;
        }
        for (int i = 0; i < count && violations.size() < MAX_VIOLATIONS; i++) {
            long child = node.word(IndexNodeLayout.childOffset(i));
            Node found = find(child);
            if (found == null || !seen.add(child)) {
                report(name + " has a child " + Long.toHexString(child)
                        + (found == null ? " that is missing" : " that it shares"));
            } else {
                visit(child, found, level - 1, node.key(i), i + 1 < count ? node.key(i + 1) - 1 : high);
            }
        }
    }

    private void visitLeaf(long id, Node node, int count) {
        if (nextLeaf != -1 && nextLeaf != id) {
            report("leaf " + Long.toHexString(id) + " is not the one that its neighbour names, "
                    + Long.toHexString(nextLeaf));
        }
        nextLeaf = node.word(IndexNodeLayout.NEXT_OFFSET);
        for (int i = 0; i < count; i++) {
            if (keyCount == keys.length) {
                keys = Arrays.copyOf(keys, 2 * keyCount);
            }
            keys[keyCount++] = node.key(i);
        }
    }

    private void compareKeys() {
        long[] records = keysOf(table);
        long[] indexed = Arrays.copyOf(keys, keyCount);
        int mismatch = Arrays.mismatch(records, indexed);
        if (mismatch >= 0) {
            report("the index has " + indexed.length + " keys and the table " + records.length
                    + ", the first difference is "
                    + (mismatch < indexed.length ? indexed[mismatch] : "nothing") + " in the index, "
                    + (mismatch < records.length ? records[mismatch] : "nothing") + " in the table");
        }
    }

    /** The keys of a table's records, in order. */
    private long[] keysOf(Table records) {
        int keyOffset = records.layout().tuple().keyOffset();
        List<Long> found = new ArrayList<>();
        for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
            TablePartition copy = primary(records, partition);
            copy.forEachTuple(tuple -> found.add(copy.memory().getLong(tuple + keyOffset)));
        }
        return found.stream().mapToLong(Long::longValue).sorted().toArray();
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

    /** A node's record where it lies. */
    private record Node(Memory memory, long offset) {
        long word(int at) {
            return memory.getLong(offset + at);
        }

        long level() {
            return word(IndexNodeLayout.LEVEL_OFFSET);
        }

        long key(int i) {
            return word(IndexNodeLayout.keyOffset((int) level(), i));
        }
    }
}
