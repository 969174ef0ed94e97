package dev.rcc.core.txn;

import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.Table;
import java.util.Arrays;

/**
 * A worker's memory of which leaf of an ordered index covers which keys, so that inner nodes are seldom read. What it
 * returns is a hint: the leaf, read under the protocol's rules, proves itself by its fences. Used on its worker only;
 * allocates nothing once it has met as many leaves as it may hold.
 */
public final class IndexHints {
    private static final int MAX_LEAVES = 32 * 1024;

    private final Leaves[] leaves;

    /** Knows nothing yet. */
    public IndexHints(Catalog catalog) {
        leaves = new Leaves[catalog.tables()];
        for (int id = 0; id < leaves.length; id++) {
            leaves[id] = catalog.table(id).isOrdered() ? new Leaves() : null;
        }
    }

    /** The id of a leaf that may cover a key, or {@link IndexNodeLayout#NO_NODE}. */
    long find(Table table, long key) {
        return leaves[table.id()].find(key);
    }

    /** Remembers a leaf. */
    void learn(Table table, long low, long high, long id) {
        leaves[table.id()].learn(low, high, id);
    }

    /** Forgets the leaf that is remembered for a key. */
    void forget(Table table, long key) {
        leaves[table.id()].forget(key);
    }

    /** The level that the root had when it was seen last, 0 before. */
    int rootLevel(Table table) {
        return leaves[table.id()].rootLevel;
    }

    /** Remembers the root's level. */
    void rootLevel(Table table, int level) {
        leaves[table.id()].rootLevel = level;
    }

    /** Leaves of one index, by their low fences. Ranges may overlap when they are out of date. */
    private static final class Leaves {
        private long[] lows = new long[16];
        private long[] highs = new long[16];
        private long[] ids = new long[16];
        private int size;
        private int rootLevel;

        long find(long key) {
            int i = floor(key);
            return i >= 0 && key <= highs[i] ? ids[i] : IndexNodeLayout.NO_NODE;
        }

        void learn(long low, long high, long id) {
            int i = floor(low);
            if (i < 0 || lows[i] != low) {
                if (size < MAX_LEAVES) {
                    i++;
                    makeRoom(i);
                } else {
                    i = Math.max(i, 0); // full: in place of its neighbour
                }
                lows[i] = low;
            }
            highs[i] = high;
            ids[i] = id;
        }

        void forget(long key) {
            int i = floor(key);
            if (i >= 0) {
                int after = size - i - 1;
                System.arraycopy(lows, i + 1, lows, i, after);
                System.arraycopy(highs, i + 1, highs, i, after);
                System.arraycopy(ids, i + 1, ids, i, after);
                size--;
            }
        }

        private int floor(long key) {
            int i = Arrays.binarySearch(lows, 0, size, key);
            return i >= 0 ? i : -i - 2;
        }

        private void makeRoom(int i) {
            if (size == lows.length) {
                int length = Math.min(2 * size, MAX_LEAVES);
                lows = Arrays.copyOf(lows, length);
                highs = Arrays.copyOf(highs, length);
                ids = Arrays.copyOf(ids, length);
            }
            int after = size - i;
            System.arraycopy(lows, i, lows, i + 1, after);
            System.arraycopy(highs, i, highs, i + 1, after);
            System.arraycopy(ids, i, ids, i + 1, after);
            size++;
        }
    }
}
