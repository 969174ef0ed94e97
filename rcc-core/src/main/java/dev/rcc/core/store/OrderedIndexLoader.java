package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * Builds the ordered indexes of loaded tables, bottom up, before the workers start. The result follows from the keys alone, so that processes that
 * have all keys, and hold some of the nodes each, build the same index.
 */
public final class OrderedIndexLoader {
    private final Catalog catalog;
    private final CopyLoader copies;
    private final Table table;
    private final IndexNodeLayout layout;
    private final Memory identity;
    private final Memory record;
    private final KeySlot slot;
    private long lastId = IndexNodeLayout.ROOT;

    private OrderedIndexLoader(Catalog catalog, CopyLoader copies, Table table, Arena arena) {
        this.catalog = catalog;
        this.copies = copies;
        this.table = table;
        this.layout = table.indexNodeLayout();
        this.slot = layout.keys();
        this.identity = Memory.allocate(arena, 2 * Memory.WORD_BYTES);
        this.record = Memory.allocate(arena, table.indexNodes().layout().tuple().recordBytes());
    }

    /**
     * Builds the index of every ordered table, empty ones included.
     *
     * @param copies loads the nodes, with the version of loaded records
     * @param keys all keys of the table with a number, in any order
     * @throws TableFull when there is no room
     */
    public static void load(Catalog catalog, CopyLoader copies, IntFunction<KeyList> keys) {
        for (int id = 0; id < catalog.userTables(); id++) {
            if (catalog.table(id).isOrdered()) {
                try (Arena arena = Arena.ofConfined()) {
                    new OrderedIndexLoader(catalog, copies, catalog.table(id), arena)
                            .load(keys.apply(id).copy());
                }
            }
        }
    }

    /**
     * Loads level after level. Each node of a level has the same number of children of the level below: node {@code i} has the children from
     * {@code i * children} on.
     */
    private void load(KeyList keys) {
        keys.sort();
        Leaves leaves = new Leaves(keys);
        long[] ids = new long[leaves.count];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = nextId(leaves, i, i + 1);
        }
        for (int i = 0; i < ids.length; i++) {
            loadLeaf(leaves, i, ids[i], i + 1 < ids.length ? ids[i + 1] : IndexNodeLayout.NO_NODE);
        }
        long stride = 1; // leaves below a node of the level below
        int level = 1;
        while (ids.length > layout.capacity(level)) {
            int children = layout.comfortable(level);
            long[] parents = new long[Math.ceilDiv(ids.length, children)];
            for (int i = 0; i < parents.length; i++) {
                int end = Math.min(ids.length, (i + 1) * children);
                parents[i] = nextId(leaves, i * (long) children * stride, end * stride);
                loadInner(leaves, parents[i], level, stride, ids, i * children, end);
            }
            ids = parents;
            stride *= children;
            level++;
        }
        loadInner(leaves, IndexNodeLayout.ROOT, level, stride, ids, 0, ids.length);
    }

    /** An id for a node that covers the leaves from one up to, but not with, another: in the leaves' partition, if they have one in common. */
    private long nextId(Leaves leaves, long from, long to) {
        lastId++;
        int home = table.isByPrefix() ? leaves.partition(from, to) : Leaves.SEVERAL;
        return home == Leaves.SEVERAL ? lastId : table.indexNodes().idWithin(home, lastId);
    }

    private void loadLeaf(Leaves leaves, int leaf, long id, long next) {
        int first = leaves.starts[leaf];
        int count = leaves.starts[leaf + 1] - first;
        begin(leaves, IndexNodeLayout.LEAF_LEVEL, count, leaf, leaf + 1);
        record.putLong(IndexNodeLayout.NEXT_OFFSET, next);
        for (int i = 0; i < count; i++) {
            leaves.keys.put(first + i, slot, record, layout.keyOffset(IndexNodeLayout.LEAF_LEVEL, i));
        }
        put(id);
    }

    private void loadInner(Leaves leaves, long id, int level, long stride, long[] ids, int from, int to) {
        begin(leaves, level, to - from, from * stride, to * stride);
        for (int i = from; i < to; i++) {
            leaves.putLow(i * stride, record, layout.keyOffset(level, i - from));
            record.putLong(layout.childOffset(i - from), ids[i]);
        }
        put(id);
    }

    /** Begins a node that covers the leaves from one up to, but not with, another. */
    private void begin(Leaves leaves, int level, int count, long from, long to) {
        record.zero(0, record.size());
        record.putLong(IndexNodeLayout.LEVEL_OFFSET, level);
        record.putLong(IndexNodeLayout.COUNT_OFFSET, count);
        leaves.putLow(from, record, IndexNodeLayout.LOW_OFFSET);
        if (to >= leaves.count) {
            slot.putGreatest(record, layout.highOffset());
        } else {
            leaves.putLow(to, record, layout.highOffset());
            slot.putPredecessor(record, layout.highOffset(), record, layout.highOffset());
        }
    }

    private void put(long id) {
        identity.putLong(0, TupleLayout.liveHeader(Long.BYTES));
        identity.putLong(Memory.WORD_BYTES, id);
        long keyHash = KeyHash.of(id);
        copies.load(table.indexNodes(), catalog.placement().partition(keyHash), keyHash, identity, record);
    }

    /**
     * The keys of each leaf: as many as are comfortable. In a table that is distributed by a prefix, a leaf ends where keys of another partition
     * begin, and the next leaf begins with the least key of their prefix. So the first leaf, which begins with the least key of all, may have no
     * keys.
     */
    private final class Leaves {
        /** In place of a partition: the leaves have several. */
        static final int SEVERAL = -1;

        private final KeyList keys;
        private final Memory low = Memory.allocate(Arena.ofAuto(), slot.bytes());
        /** The number of the first key of each leaf and, after the last one, the number of all keys. */
        private int[] starts = new int[16];

        private int count = 1;

        Leaves(KeyList keys) {
            this.keys = keys;
            int each = layout.comfortable(IndexNodeLayout.LEAF_LEVEL);
            for (int key = 0; key < keys.size(); key++) {
                if (key - starts[count - 1] == each || isBoundary(key)) {
                    if (count + 1 == starts.length) {
                        starts = Arrays.copyOf(starts, 2 * count + 2);
                    }
                    starts[count++] = key;
                }
            }
            starts[count] = keys.size();
        }

        /** Whether a key lies in another partition than the one before it, or than the least key there is. */
        private boolean isBoundary(int key) {
            return table.isByPrefix() && partitionOf(key - 1) != partitionOf(key);
        }

        private int partitionOf(int key) {
            if (key < 0) {
                slot.putLeast(low, 0);
            } else {
                keys.put(key, slot, low, 0);
            }
            return slot.partition(table, low, 0);
        }

        /** The partition of the leaves from one up to, but not with, another, or {@link #SEVERAL}. */
        int partition(long from, long to) {
            int partition = partitionOfLeaf(from);
            for (long leaf = from + 1; leaf < Math.min(to, count) && partition != SEVERAL; leaf++) {
                partition = partitionOfLeaf(leaf) == partition ? partition : SEVERAL;
            }
            return partition;
        }

        private int partitionOfLeaf(long leaf) {
            putLow(leaf, low, 0);
            return slot.partition(table, low, 0);
        }

        /** Puts the low fence of a leaf. The first leaf begins with the least key there is. */
        void putLow(long leaf, Memory to, long offset) {
            if (leaf == 0) {
                slot.putLeast(to, offset);
                return;
            }
            int key = starts[(int) leaf];
            boolean beginsPrefix = isBoundary(key);
            keys.put(key, slot, to, offset);
            if (beginsPrefix) {
                slot.putPrefix(to, offset, table.schema().distribution().prefixBytes(), to, offset);
            }
        }
    }
}
