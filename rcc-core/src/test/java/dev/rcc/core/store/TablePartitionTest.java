package dev.rcc.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.core.testing.Seeds;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TablePartitionTest {
    private final Memory scratch = Memory.allocate(Arena.ofAuto(), 4096);
    private final long[] buckets = new long[TableLayout.CHOICES];

    @Test
    void shouldAgreeWithAMapUnderLongKeys() {
        Seeds.forEach(20, random -> {
            TablePartition partition = partition(TableSchema.ofLongKeys(0, "t", 16, 200));
            assertAgreesWithMap(partition, random, 200, i -> {
                scratch.putLong(0, TupleLayout.liveHeader(8));
                scratch.putLong(8, i * 3L);
                return KeyHash.of(i * 3L);
            });
        });
    }

    @Test
    void shouldAgreeWithAMapUnderByteStringKeys() {
        Seeds.forEach(20, random -> {
            TablePartition partition = partition(TableSchema.ofByteKeys(0, "t", 20, 5, 200));
            assertAgreesWithMap(partition, random, 200, i -> {
                byte[] key = Integer.toString(i).getBytes(StandardCharsets.UTF_8); // prefixes of one another among them
                partition.table().layout().tuple().putIdentity(scratch, 0, key);
                return KeyHash.of(scratch, 8, key.length);
            });
        });
    }

    // Goal: a table holds as many records as it may grow to, wherever the keys of a leaf are, and whatever
    // was inserted and deleted before.
    @Test
    void shouldAgreeWithAMapFarBeyondItsCapacity() {
        Seeds.forEach(20, random -> {
            int growth = random.nextInt(1, 8);
            TablePartition partition =
                    partition(TableSchema.ofLongKeys(0, "t", 16, 50).growing(growth));
            int most = (1 + growth) * 50;
            assertAgreesWithMap(partition, random, 2 * most, most, 20_000, i -> {
                scratch.putLong(0, TupleLayout.liveHeader(8));
                scratch.putLong(8, i * 3L);
                return KeyHash.of(i * 3L);
            });
            assertThat(partition.depth()).isPositive();
        });
    }

    // Goal: a copy is the same as if every record had been loaded into it, too.
    // Method: most of the records overflow.
    @Test
    void shouldLoadACopyAsItsOriginal() {
        TableSchema schema = TableSchema.ofLongKeys(0, "t", 16, 50).growing(3);
        TablePartition original = partition(schema);
        TablePartition copy = partition(schema);
        TablePartition loaded = partition(schema);
        for (long key = 0; key < 200; key++) {
            scratch.putLong(0, TupleLayout.liveHeader(8));
            scratch.putLong(8, key);
            scratch.putLong(256, 7 * key);
            long entry = original.load(KeyHash.of(key), scratch, 0, 1, scratch, 256);
            loaded.load(KeyHash.of(key), scratch, 0, 1, scratch, 256);
            copy.loadCopy(original, entry, KeyHash.of(key));
        }
        assertThat(original.depth()).isPositive();
        long bytes = original.table().layout().regionBytes();
        for (long offset = 0; offset < bytes; offset += Memory.WORD_BYTES) {
            assertThat(copy.memory().getLong(offset))
                    .as("at %s", offset)
                    .isEqualTo(loaded.memory().getLong(offset));
        }
    }

    // Goal: keys of one bucket overflow from segment to segment; depth counts the segments.
    // Method: all keys get the same hash.
    @Test
    void shouldOverflowFromSegmentToSegment() {
        TablePartition partition =
                partition(TableSchema.ofLongKeys(0, "t", 8, 1000).growing(3));
        TableLayout layout = partition.table().layout();
        long hash = 0x1234_5678_9ABC_DEF0L;
        int full = 3 * TableLayout.BUCKET_ENTRIES;
        for (int key = 0; key < 3 * full; key++) {
            assertThat(partition.leafDepth(hash)).isEqualTo(Math.max(0, key - 1) / full);
            assertThat(partition.depth()).isEqualTo(partition.leafDepth(hash));
            scratch.putLong(0, TupleLayout.liveHeader(8));
            scratch.putLong(8, key);
            partition.load(hash, scratch, 0, 1, scratch, 64);
            assertThat(layout.segmentOf(partition.lookup(hash, scratch, 0))).isEqualTo(key / full);
        }
        assertThat(partition.reserve(hash, buckets)).isEqualTo(-1);
        assertThat(partition.leafDepth(~hash)).as("of another leaf").isZero();

        scratch.putLong(8, 0);
        long first = partition.lookup(hash, scratch, 0);
        partition.clearIdentity(first);
        partition.clear(layout.entryOfTuple(first));
        assertThat(layout.tupleOfEntry(partition.reserve(hash, buckets)))
                .as("a key takes a slot that was freed in the first part")
                .isEqualTo(first);
        assertThat(partition.leafDepth(hash)).as("depth never sinks").isEqualTo(2);
    }

    // Goal: the tag in an entry is a hint, the key in the tuple decides.
    // Method: all keys get the same hash.
    @Test
    void shouldDistinguishKeysWithEqualHashes() {
        Seeds.forEach(20, random -> {
            TablePartition partition = partition(TableSchema.ofLongKeys(0, "t", 8, 1000));
            assertAgreesWithMap(partition, random, 3 * TableLayout.BUCKET_ENTRIES, i -> {
                scratch.putLong(0, TupleLayout.liveHeader(8));
                scratch.putLong(8, i);
                return 0x1234_5678_9ABC_DEF0L;
            });
        });
    }

    @Test
    void shouldReportTableAndPartitionWhenATableIsFull() {
        TablePartition partition = partition(TableSchema.ofLongKeys(0, "orders", 8, 10));
        scratch.putLong(0, TupleLayout.liveHeader(8));
        assertThatExceptionOfType(TableFull.class)
                .isThrownBy(() -> {
                    for (long key = 0; key <= partition.table().layout().slots(); key++) {
                        scratch.putLong(8, key);
                        partition.load(KeyHash.of(key), scratch, 0, 1, scratch, 64);
                    }
                })
                .withMessageContaining("table orders, partition 0")
                .withMessageContaining("10 tuples");
        List<Long> tuples = new ArrayList<>();
        partition.forEachTuple(tuples::add);
        assertThat(tuples.size()).isGreaterThan(10).isLessThanOrEqualTo((int)
                partition.table().layout().slots());
    }

    @Test
    void shouldRefuseToLoadAKeyTwice() {
        TablePartition partition = partition(TableSchema.ofLongKeys(0, "t", 8, 10));
        scratch.putLong(0, TupleLayout.liveHeader(8));
        scratch.putLong(8, 5);
        partition.load(KeyHash.of(5), scratch, 0, 1, scratch, 64);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> partition.load(KeyHash.of(5), scratch, 0, 1, scratch, 64))
                .withMessageContaining("table t has a tuple with this key already");
    }

    @Test
    void shouldShowAnEntryOnlyBetweenPublishAndClear() {
        TablePartition partition = partition(TableSchema.ofLongKeys(0, "t", 8, 10));
        TupleLayout t = partition.table().layout().tuple();
        scratch.putLong(0, TupleLayout.liveHeader(8));
        scratch.putLong(8, 5);
        long entry = partition.reserve(KeyHash.of(5), buckets);
        long tuple = partition.table().layout().tupleOfEntry(entry);
        scratch.copy(0, partition.memory(), tuple + t.identityOffset(), t.identityBytes());
        assertThat(partition.lookup(KeyHash.of(5), scratch, 0)).isEqualTo(-1);
        assertThat(partition.reserve(KeyHash.of(5), buckets)).isNotEqualTo(entry);
        partition.publish(entry, KeyHash.of(5));
        assertThat(partition.lookup(KeyHash.of(5), scratch, 0)).isEqualTo(tuple);
        partition.clearIdentity(tuple);
        assertThat(partition.lookup(KeyHash.of(5), scratch, 0)).isEqualTo(-1);
        partition.clear(entry);
        assertThat(partition.reserve(KeyHash.of(5), buckets)).isEqualTo(entry);
    }

    @Test
    void shouldRefuseARegionThatIsTooSmall() {
        Table table = table(TableSchema.ofLongKeys(0, "t", 8, 10), 8);
        long bytes = table.layout().regionBytes();
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new TablePartition(table, 0, new Region(0, 16, Memory.allocate(Arena.ofAuto(), bytes - 8))))
                .withMessageContaining("needs " + bytes + " bytes, its region has " + (bytes - 8));
    }

    @Test
    void shouldHoldTheCopiesThatThePlacementGivesToTheNode() {
        Catalog catalog = new Catalog(
                new RingPlacement(4, 2),
                8,
                List.of(TableSchema.ofLongKeys(0, "a", 8, 10), TableSchema.ofByteKeys(1, "b", 9, 8, 10)));
        Memstore memstore = new Memstore(catalog, new FakeFabric(2));
        for (int id = 0; id < 2; id++) {
            for (int partition : new int[] {1, 2}) {
                TablePartition copy = memstore.partition(id, partition);
                assertThat(copy.table()).isSameAs(catalog.table(id));
                assertThat(copy.partition()).isEqualTo(partition);
                assertThat(copy.region().node()).isEqualTo(2);
                assertThat(memstore.partitionOfRegion(copy.region().id())).isSameAs(copy);
            }
            int table = id;
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> memstore.partition(table, 3))
                    .withMessage("node 2 holds no copy of table " + catalog.table(id) + ", partition 3");
        }
    }

    @Test
    void shouldGiveEveryPartitionOfEveryTableARegionOfItsOwn() {
        List<TableSchema> schemas = new ArrayList<>();
        for (int id = 0; id < 15; id++) {
            schemas.add(TableSchema.ofLongKeys(id, "t" + id, 8, 1));
        }
        Catalog catalog = new Catalog(new RingPlacement(256, 1), 0, schemas);
        Map<Integer, String> regions = new HashMap<>();
        for (int id = 0; id < 15; id++) {
            for (int partition = 0; partition < 256; partition++) {
                int region = catalog.table(id).region(partition);
                assertThat(region).isBetween(Catalog.LOG_REGION + 1, 4094);
                assertThat(regions.put(region, id + "/" + partition)).isNull();
                assertThat(catalog.tableOfRegion(region)).isSameAs(catalog.table(id));
                assertThat(catalog.table(id).partitionOfRegion(region)).isEqualTo(partition);
            }
        }
        schemas.add(TableSchema.ofLongKeys(15, "t15", 8, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Catalog(new RingPlacement(256, 1), 0, schemas))
                .withMessageContaining("16 tables of 256 partitions need more regions than the 4094");
    }

    @Test
    void shouldTellWhatCountsWhenThereAreTooManyTables() {
        List<TableSchema> schemas = new ArrayList<>();
        for (int id = 0; id < 32; id++) {
            schemas.add(TableSchema.ofLongKeys(id, "t" + id, 8, 1).ordered());
        }
        assertThat(new Catalog(new RingPlacement(1, 1), 0, schemas).tables()).isEqualTo(64);
        schemas.add(TableSchema.ofLongKeys(32, "t32", 8, 1).ordered());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Catalog(new RingPlacement(1, 1), 0, schemas))
                .withMessage("there are at most 64 tables, where an ordered table and an index count twice, got 66");
    }

    @Test
    void shouldFindTablesByNameAndRefuseGapsInTheirNumbers() {
        Catalog catalog = new Catalog(new RingPlacement(1, 1), 0, List.of(TableSchema.ofLongKeys(0, "a", 8, 1)));
        assertThat(catalog.table("a").id()).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> catalog.table("b"))
                .withMessage("no table b; there are [a]");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new Catalog(new RingPlacement(1, 1), 0, List.of(TableSchema.ofLongKeys(1, "a", 8, 1))))
                .withMessage("table a must have the number 0, got 1");
    }

    /** Writes key number {@code i}'s identity to the start of the scratch memory and returns its hash. */
    private interface Keys {
        long put(int i);
    }

    private void assertAgreesWithMap(TablePartition partition, SplittableRandom random, int keys, Keys naming) {
        assertAgreesWithMap(partition, random, keys, keys, 2000, naming);
    }

    private void assertAgreesWithMap(
            TablePartition partition, SplittableRandom random, int keys, int most, int steps, Keys naming) {
        TableLayout layout = partition.table().layout();
        TupleLayout t = layout.tuple();
        Map<Integer, Long> model = new HashMap<>();
        Map<Integer, Long> places = new HashMap<>();
        for (int step = 0; step < steps; step++) {
            int i = random.nextInt(keys);
            long hash = naming.put(i);
            long tuple = partition.lookup(hash, scratch, 0);
            assertThat(tuple >= 0).as("step %d", step).isEqualTo(model.containsKey(i));
            if (tuple >= 0) {
                assertThat(tuple).isEqualTo(places.get(i));
                assertThat(partition.memory().getLong(tuple + t.versionOffset()))
                        .isEqualTo(model.get(i));
                if (random.nextBoolean()) {
                    partition.clearIdentity(tuple);
                    partition.clear(layout.entryOfTuple(tuple));
                    model.remove(i);
                    places.remove(i);
                }
            } else if (model.size() < most) {
                long version = random.nextLong();
                partition.load(hash, scratch, 0, version, scratch, 256);
                model.put(i, version);
                places.put(i, partition.lookup(hash, scratch, 0));
            }
        }
        List<Long> tuples = new ArrayList<>();
        partition.forEachTuple(tuples::add);
        assertThat(tuples).isSorted().containsExactlyInAnyOrderElementsOf(places.values());
    }

    private static TablePartition partition(TableSchema schema) {
        Table table = table(schema, 8);
        Memory memory = Memory.allocate(Arena.ofAuto(), table.layout().regionBytes());
        return new TablePartition(table, 0, new Region(0, table.region(0), memory));
    }

    private static Table table(TableSchema schema, int metadataBytes) {
        return new Catalog(new RingPlacement(1, 1), metadataBytes, List.of(schema)).table(0);
    }
}
