package dev.rcc.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.testing.Seeds;
import java.lang.foreign.Arena;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The load of full tables and the cost of a lookup: the figures in {@link TableLayout}, by experiment on the index alone. */
class TableLoadTest {
    @Test
    void shouldTakeItsCapacityInTablesOfEverySize() {
        Seeds.forEach(20, random -> {
            for (long capacity : new long[] {1, 2, 10, 39, 48, 60, 100, 256, 1000, 10_000}) {
                Index index = new Index(capacity);
                for (long i = 0; i < capacity; i++) {
                    assertThat(index.insert(random.nextLong()))
                            .as("insert %d of %d", i, capacity)
                            .isNotNegative();
                }
            }
        });
    }

    // Loaders make consecutive keys; the hash spreads them as well as random ones.
    @Test
    void shouldTakeConsecutiveKeysUpToCapacityWithOneAndAQuarterReadsALookup() {
        Index index = new Index(200_000);
        long buckets = 0;
        for (long key = 0; key < 200_000; key++) {
            int reads = index.insert(KeyHash.of(key));
            assertThat(reads).isBetween(1, TableLayout.CHOICES);
            buckets += reads;
        }
        assertThat(buckets / 200_000.0).isBetween(1.24, 1.28);
    }

    @Test
    void shouldFillToMoreThanThreeQuartersBeforeAnInsertFails() {
        Seeds.forEach(10, random -> {
            for (long capacity : new long[] {1000, 20_000}) {
                Index index = new Index(capacity);
                long size = 0;
                while (index.insert(random.nextLong()) > 0) {
                    size++;
                }
                assertThat((double) size / index.layout.slots()).isBetween(0.78, 0.95);
            }
        });
    }

    // Goal: no entry ever moves, so alternating deletes and inserts unbalance the buckets; a table at
    // capacity still finds room.
    // Method: replace every key ten times over, at random.
    @Test
    void shouldStayAtCapacityUnderInsertsAndDeletesWithLessThanTwoReadsALookup() {
        int capacity = 20_000;
        SplittableRandom random = new SplittableRandom(11);
        Index index = new Index(capacity);
        long[] entries = new long[capacity];
        int[] reads = new int[capacity];
        for (int i = 0; i < 11 * capacity; i++) {
            int victim = i < capacity ? i : random.nextInt(capacity);
            if (i >= capacity) {
                index.memory.putLong(entries[victim], IndexEntry.EMPTY);
            }
            reads[victim] = index.insert(random.nextLong());
            assertThat(reads[victim]).as("insert %d", i).isPositive();
            entries[victim] = index.lastEntry;
        }
        long sum = 0;
        for (int r : reads) {
            sum += r;
        }
        assertThat((double) sum / capacity).isBetween(1.65, 1.75);
    }

    /** The index of a table without its tuples. */
    private static final class Index {
        final TableLayout layout;
        final Memory memory;
        long lastEntry;
        private final long[] buckets = new long[TableLayout.CHOICES];

        Index(long capacity) {
            layout = new TableLayout(0, TableSchema.ofLongKeys(0, "t", 8, capacity));
            memory = Memory.allocate(Arena.ofAuto(), layout.buckets() * TableLayout.BUCKET_BYTES);
        }

        /** Inserts a key and returns the number of buckets that a lookup will read, or -1 if there is no room. */
        int insert(long hash) {
            for (int choice = 0; choice < TableLayout.CHOICES; choice++) {
                buckets[choice] = layout.bucketOffset(hash, choice);
            }
            int chosen = TableLayout.chooseEmpty(memory, buckets);
            if (chosen < 0) {
                return -1;
            }
            long bucket = buckets[chosen / TableLayout.BUCKET_ENTRIES];
            lastEntry = bucket + (long) chosen % TableLayout.BUCKET_ENTRIES * Memory.WORD_BYTES;
            memory.putLong(lastEntry, IndexEntry.live(hash));
            int reads = 1;
            while (buckets[reads - 1] != bucket) {
                reads++;
            }
            return reads;
        }
    }
}
