package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Builds the ordered indexes of loaded tables, bottom up, before the workers start. What it builds follows from the keys
 * alone, so that processes which know them all, and hold some of the nodes each, build the same.
 */
public final class OrderedIndexLoader {
    private final Catalog catalog;
    private final List<Memstore> memstores;
    private final Table table;
    private final IndexNodeLayout layout;
    private final long version;
    private final Memory identity;
    private final Memory record;
    private final KeySlot slot;
    private long lastId = IndexNodeLayout.ROOT;

    private OrderedIndexLoader(Catalog catalog, List<Memstore> memstores, Table table, long version, Arena arena) {
        this.catalog = catalog;
        this.memstores = memstores;
        this.table = table;
        this.layout = table.indexNodeLayout();
        this.slot = layout.keys();
        this.version = version;
        this.identity = Memory.allocate(arena, 2 * Memory.WORD_BYTES);
        this.record = Memory.allocate(arena, table.indexNodes().layout().tuple().recordBytes());
    }

    /**
     * Builds the index of every ordered table, empty ones included.
     *
     * @param memstores of the nodes that are to be filled
     * @param keys all keys of the table with a number, in any order
     * @param version the version that the nodes get, that of loaded records
     * @throws TableFull when there is no room
     */
    public static void load(Catalog catalog, List<Memstore> memstores, IntFunction<KeyList> keys, long version) {
        for (int id = 0; id < catalog.userTables(); id++) {
            if (catalog.table(id).isOrdered()) {
                try (Arena arena = Arena.ofConfined()) {
                    new OrderedIndexLoader(catalog, memstores, catalog.table(id), version, arena)
                            .load(keys.apply(id).copy());
                }
            }
        }
    }

    /** The nodes of a level have each so many keys, or children, of the level below: node {@code i} those from {@code i * each}. */
    private void load(KeyList keys) {
        keys.sort();
        int each = layout.comfortable(IndexNodeLayout.LEAF_LEVEL);
        long[] ids = loadLeaves(keys, each);
        long stride = each; // keys below a node of the level
        int level = 1;
        while (ids.length > layout.capacity(level)) {
            int children = layout.comfortable(level);
            long[] parents = new long[Math.ceilDiv(ids.length, children)];
            for (int i = 0; i < parents.length; i++) {
                parents[i] = ++lastId;
                int end = Math.min(ids.length, (i + 1) * children);
                loadInner(parents[i], level, keys, stride, ids, i * children, end);
            }
            ids = parents;
            stride *= children;
            level++;
        }
        loadInner(IndexNodeLayout.ROOT, level, keys, stride, ids, 0, ids.length);
    }

    private long[] loadLeaves(KeyList keys, int each) {
        long[] ids = new long[Math.max(1, Math.ceilDiv(keys.size(), each))];
        for (int i = 0; i < ids.length; i++) {
            int end = Math.min(keys.size(), (i + 1) * each);
            boolean isLast = i == ids.length - 1;
            ids[i] = ++lastId;
            begin(IndexNodeLayout.LEAF_LEVEL, end - i * each, keys, (long) i * each, end);
            record.putLong(IndexNodeLayout.NEXT_OFFSET, isLast ? IndexNodeLayout.NO_NODE : ids[i] + 1);
            for (int key = i * each; key < end; key++) {
                keys.put(key, slot, record, layout.keyOffset(IndexNodeLayout.LEAF_LEVEL, key - i * each));
            }
            put(ids[i]);
        }
        return ids;
    }

    private void loadInner(long id, int level, KeyList keys, long stride, long[] ids, int from, int to) {
        begin(level, to - from, keys, from * stride, Math.min(keys.size(), to * stride));
        for (int i = from; i < to; i++) {
            putLow(keys, i * stride, layout.keyOffset(level, i - from));
            record.putLong(layout.childOffset(i - from), ids[i]);
        }
        put(id);
    }

    /** Begins a node that covers the keys from one number up to, but not with, another. */
    private void begin(int level, int count, KeyList keys, long from, long to) {
        record.zero(0, record.size());
        record.putLong(IndexNodeLayout.LEVEL_OFFSET, level);
        record.putLong(IndexNodeLayout.COUNT_OFFSET, count);
        putLow(keys, from, IndexNodeLayout.LOW_OFFSET);
        if (to == keys.size()) {
            slot.putGreatest(record, layout.highOffset());
        } else {
            keys.put((int) to, slot, record, layout.highOffset());
            slot.putPredecessor(record, layout.highOffset(), record, layout.highOffset());
        }
    }

    /** The first node of a level begins with the least key there is. */
    private void putLow(KeyList keys, long number, int offset) {
        if (number == 0) {
            slot.putLeast(record, offset);
        } else {
            keys.put((int) number, slot, record, offset);
        }
    }

    private void put(long id) {
        identity.putLong(0, TupleLayout.liveHeader(Long.BYTES));
        identity.putLong(Memory.WORD_BYTES, id);
        long keyHash = KeyHash.of(id);
        int partition = catalog.placement().partition(keyHash);
        for (Memstore memstore : memstores) {
            if (catalog.placement().holds(memstore.node(), partition)) {
                memstore.partition(table.indexNodes().id(), partition).load(keyHash, identity, 0, version, record, 0);
            }
        }
    }
}
