package dev.rcc.core.store;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.Arena;
import java.util.Arrays;
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
    private long lastId = IndexNodeLayout.ROOT;

    private OrderedIndexLoader(Catalog catalog, List<Memstore> memstores, Table table, long version, Arena arena) {
        this.catalog = catalog;
        this.memstores = memstores;
        this.table = table;
        this.layout = table.indexNodeLayout();
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
    public static void load(Catalog catalog, List<Memstore> memstores, IntFunction<long[]> keys, long version) {
        for (int id = 0; id < catalog.userTables(); id++) {
            if (catalog.table(id).isOrdered()) {
                try (Arena arena = Arena.ofConfined()) {
                    new OrderedIndexLoader(catalog, memstores, catalog.table(id), version, arena)
                            .load(keys.apply(id).clone());
                }
            }
        }
    }

    private void load(long[] keys) {
        Arrays.sort(keys);
        long[] lows = {Long.MIN_VALUE};
        long[] ids = loadLeaves(keys);
        if (ids.length > 1) {
            int each = layout.comfortable(IndexNodeLayout.LEAF_LEVEL);
            lows = new long[ids.length];
            lows[0] = Long.MIN_VALUE;
            for (int i = 1; i < lows.length; i++) {
                lows[i] = keys[i * each];
            }
        }
        int level = 1;
        while (lows.length > layout.capacity(level)) {
            int each = layout.comfortable(level);
            int nodes = Math.ceilDiv(lows.length, each);
            long[] parentLows = new long[nodes];
            long[] parentIds = new long[nodes];
            for (int i = 0; i < nodes; i++) {
                parentLows[i] = lows[i * each];
                parentIds[i] = ++lastId;
                loadInner(parentIds[i], level, lows, ids, i * each, Math.min(lows.length, (i + 1) * each));
            }
            lows = parentLows;
            ids = parentIds;
            level++;
        }
        loadInner(IndexNodeLayout.ROOT, level, lows, ids, 0, lows.length);
    }

    private long[] loadLeaves(long[] keys) {
        int each = layout.comfortable(IndexNodeLayout.LEAF_LEVEL);
        long[] ids = new long[Math.max(1, Math.ceilDiv(keys.length, each))];
        for (int i = 0; i < ids.length; i++) {
            int end = Math.min(keys.length, (i + 1) * each);
            boolean isLast = i == ids.length - 1;
            ids[i] = ++lastId;
            begin(
                    IndexNodeLayout.LEAF_LEVEL,
                    end - i * each,
                    i == 0 ? Long.MIN_VALUE : keys[i * each],
                    isLast ? Long.MAX_VALUE : keys[end] - 1);
            record.putLong(IndexNodeLayout.NEXT_OFFSET, isLast ? IndexNodeLayout.NO_NODE : ids[i] + 1);
            for (int key = i * each; key < end; key++) {
                record.putLong(IndexNodeLayout.keyOffset(IndexNodeLayout.LEAF_LEVEL, key - i * each), keys[key]);
            }
            put(ids[i]);
        }
        return ids;
    }

    private void loadInner(long id, int level, long[] lows, long[] ids, int from, int to) {
        begin(level, to - from, lows[from], to == lows.length ? Long.MAX_VALUE : lows[to] - 1);
        for (int i = from; i < to; i++) {
            record.putLong(IndexNodeLayout.keyOffset(level, i - from), lows[i]);
            record.putLong(IndexNodeLayout.childOffset(i - from), ids[i]);
        }
        put(id);
    }

    private void begin(int level, int count, long low, long high) {
        record.zero(0, record.size());
        record.putLong(IndexNodeLayout.LEVEL_OFFSET, level);
        record.putLong(IndexNodeLayout.COUNT_OFFSET, count);
        record.putLong(IndexNodeLayout.LOW_OFFSET, low);
        record.putLong(IndexNodeLayout.HIGH_OFFSET, high);
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
