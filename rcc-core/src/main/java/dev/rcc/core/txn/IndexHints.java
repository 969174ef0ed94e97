package dev.rcc.core.txn;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.KeySlot;
import dev.rcc.core.store.Table;
import java.lang.foreign.Arena;
import java.util.Arrays;

/**
 * A worker's cache of the leaves of ordered indexes and the keys that they cover, so that inner nodes are seldom read. It returns a hint only: the
 * leaf is read under the protocol's rules, and its fences show whether it covers the key. Used on its worker only; allocates nothing once it has met
 * as many leaves as it may hold.
 */
public final class IndexHints {
    private static final int MAX_LEAVES = 32 * 1024;
    /** Bounds the leaves of an index whose keys are long. */
    private static final int MAX_FENCE_BYTES = 4 << 20;

    private static final int INITIAL = 16;

    private final Leaves[] leaves;

    /** Creates an empty cache. */
    public IndexHints(Catalog catalog) {
        leaves = new Leaves[catalog.tables()];
        for (int id = 0; id < leaves.length; id++) {
            Table table = catalog.table(id);
            if (table.isOrdered()) {
                leaves[id] = table.schema().keyKind() == KeyKind.LONG
                        ? new LongLeaves()
                        : new ByteLeaves(table.indexNodeLayout().keys());
            }
        }
    }

    /** The id of a leaf that may cover the key in a slot, or {@link IndexNodeLayout#NO_NODE}. */
    long find(Table table, Memory memory, long key) {
        return leaves[table.id()].find(memory, key);
    }

    /** Remembers a leaf with the fences in two slots. */
    void learn(Table table, Memory memory, long low, long high, long id) {
        leaves[table.id()].learn(memory, low, high, id);
    }

    /** Forgets the leaf that is remembered for the key in a slot. */
    void forget(Table table, Memory memory, long key) {
        leaves[table.id()].forget(memory, key);
    }

    /** The level that the root had when it was read last; 0 before that. */
    int rootLevel(Table table) {
        return leaves[table.id()].rootLevel;
    }

    /** Remembers the root's level. */
    void rootLevel(Table table, int level) {
        leaves[table.id()].rootLevel = level;
    }

    /** Leaves of one index, by their low fences. Ranges may overlap when they are out of date. */
    private abstract static sealed class Leaves {
        int size;
        private int rootLevel;

        abstract long find(Memory memory, long key);

        abstract void learn(Memory memory, long low, long high, long id);

        abstract void forget(Memory memory, long key);
    }

    /** Leaves of an index of 64-bit keys. */
    private static final class LongLeaves extends Leaves {
        private long[] lows = new long[INITIAL];
        private long[] highs = new long[INITIAL];
        private long[] ids = new long[INITIAL];

        @Override
        long find(Memory memory, long slot) {
            long key = memory.getLong(slot);
            int i = floor(key);
            return i >= 0 && key <= highs[i] ? ids[i] : IndexNodeLayout.NO_NODE;
        }

        @Override
        void learn(Memory memory, long lowSlot, long highSlot, long id) {
            long low = memory.getLong(lowSlot);
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
            highs[i] = memory.getLong(highSlot);
            ids[i] = id;
        }

        @Override
        void forget(Memory memory, long slot) {
            int i = floor(memory.getLong(slot));
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

    /**
     * Leaves of an index of byte strings. Fences lie where they were put, off the heap, two slots a leaf; only their places are kept in order:
     * {@code places} is a permutation, whose first {@code size} are taken.
     */
    private static final class ByteLeaves extends Leaves {
        private final KeySlot keys;
        private final int slotBytes;
        private final int most;
        private Memory fences;
        private int[] places = new int[0];
        private long[] ids = new long[0];

        ByteLeaves(KeySlot keys) {
            this.keys = keys;
            this.slotBytes = keys.bytes();
            this.most = Math.min(MAX_LEAVES, MAX_FENCE_BYTES / (2 * slotBytes));
            grow(INITIAL);
        }

        @Override
        long find(Memory memory, long key) {
            int i = floor(memory, key);
            return i >= 0 && keys.compare(memory, key, fences, high(i)) <= 0 ? ids[places[i]] : IndexNodeLayout.NO_NODE;
        }

        @Override
        void learn(Memory memory, long low, long high, long id) {
            int i = floor(memory, low);
            if (i < 0 || keys.compare(memory, low, fences, low(i)) != 0) {
                if (size < most) {
                    i++;
                    makeRoom(i);
                } else {
                    i = Math.max(i, 0); // full: in place of its neighbour
                }
                keys.copy(memory, low, fences, low(i));
            }
            keys.copy(memory, high, fences, high(i));
            ids[places[i]] = id;
        }

        @Override
        void forget(Memory memory, long key) {
            int i = floor(memory, key);
            if (i >= 0) {
                int place = places[i];
                System.arraycopy(places, i + 1, places, i, size - i - 1);
                places[--size] = place;
            }
        }

        private long low(int i) {
            return 2L * slotBytes * places[i];
        }

        private long high(int i) {
            return low(i) + slotBytes;
        }

        /** The last leaf that does not begin after a key, or -1. */
        private int floor(Memory memory, long key) {
            int from = 0;
            int to = size;
            while (from < to) {
                int middle = (from + to) >>> 1;
                if (keys.compare(fences, low(middle), memory, key) <= 0) {
                    from = middle + 1;
                } else {
                    to = middle;
                }
            }
            return from - 1;
        }

        private void makeRoom(int i) {
            if (size == places.length) {
                grow(Math.min(2 * size, most));
            }
            int place = places[size];
            System.arraycopy(places, i, places, i + 1, size - i);
            places[i] = place;
            size++;
        }

        private void grow(int length) {
            Memory grown = Memory.allocate(Arena.ofAuto(), 2L * slotBytes * length);
            if (fences != null) {
                fences.copy(0, grown, 0, fences.size());
            }
            fences = grown;
            int before = places.length;
            places = Arrays.copyOf(places, length);
            Arrays.setAll(places, i -> i < before ? places[i] : i);
            ids = Arrays.copyOf(ids, length);
        }
    }
}
