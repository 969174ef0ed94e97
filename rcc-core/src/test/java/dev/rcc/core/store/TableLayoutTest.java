package dev.rcc.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.testing.Seeds;
import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TableLayoutTest {
    private static final int BUCKET = TableLayout.BUCKET_BYTES;

    @Test
    void shouldPutBucketsLeavesAndTuplesSideBySideForEverySize() {
        for (int metadata : new int[] {0, 8, 72}) {
            for (long capacity : new long[] {1, 7, 100, 12_345, 1L << 20}) {
                for (int record : new int[] {1, 100, TableSchema.MAX_RECORD_BYTES}) {
                    TableLayout layout =
                            new TableLayout(metadata, TableSchema.ofByteKeys(0, "t", 1024, record, capacity));
                    long slots = layout.slots();
                    assertThat(slots).isEqualTo(layout.buckets() * 8);
                    assertThat(capacity * 100).isLessThanOrEqualTo(slots * TableLayout.LOAD_PERCENT);
                    assertThat(layout.entryOffset(0)).isZero();
                    assertThat(layout.entryOffset(slots)).isEqualTo(layout.leafOffsetAt(0));
                    assertThat(layout.leafBytes()).isEqualTo(metadata + 8);
                    assertThat(layout.leafVersionOffset()).isEqualTo(metadata);
                    assertThat(layout.tupleOffset(0) - layout.leafOffsetAt(layout.buckets()))
                            .isBetween(0L, 63L);
                    assertThat(layout.tupleOffset(slots)).isEqualTo(layout.regionBytes());
                    assertThat(layout.leafOffsetAt(1) % 8).isZero();
                    assertThat(layout.tupleOffset(0) % 64).isZero();
                    assertThat(layout.tupleOffset(1) - layout.tupleOffset(0))
                            .isEqualTo(layout.tuple().slotBytes());
                }
            }
        }
    }

    @Test
    void shouldPutGrowthSegmentsBehindTheOriginalOne() {
        for (int metadata : new int[] {0, 8, 72}) {
            for (int growth : new int[] {1, 2, 3, 6, 7, 100, TableSchema.MAX_GROWTH}) {
                TableSchema schema = TableSchema.ofByteKeys(0, "t", 17, 100, 1000);
                TableLayout plain = new TableLayout(metadata, schema);
                TableLayout layout = new TableLayout(metadata, schema.growing(growth));
                assertThat(layout.slots(0)).isEqualTo(plain.slots());
                assertThat(layout.leafBytes()).isGreaterThanOrEqualTo(metadata + 16);
                assertThat(layout.leafVersionOffset()).isEqualTo(metadata);
                assertThat(layout.leafDepthOffset()).isEqualTo(metadata + 8);
                assertThat(layout.marksOffset())
                        .isGreaterThanOrEqualTo(layout.tupleOffset(layout.slots(0) - 1)
                                + layout.tuple().slotBytes());
                assertThat(layout.regionBytes(0)).isEqualTo(layout.marksOffset() + 64);
                assertThat(layout.markOffset(layout.segments())).isLessThan(layout.regionBytes(0));
                long room = 0;
                for (int segment = 1; segment <= layout.segments(); segment++) {
                    long first = layout.firstSlot(segment);
                    long slots = layout.slots(segment) - first;
                    assertThat(first).isEqualTo(layout.slots(segment - 1));
                    assertThat(layout.entryOffset(first)).isEqualTo(layout.regionBytes(segment - 1));
                    assertThat(layout.entryOffset(first) % 64).isZero();
                    assertThat(layout.tupleOffset(first)).isEqualTo(layout.entryOffset(first) + slots * 8);
                    assertThat(layout.tupleOffset(first + slots - 1)
                                    + layout.tuple().slotBytes())
                            .isBetween(layout.regionBytes(segment) - 63, layout.regionBytes(segment));
                    room += slots * TableLayout.LOAD_PERCENT / 100;
                }
                assertThat(room).isBetween(growth * 1000L, growth * 1000L + layout.segments() * 64L);
                assertThat(layout.slots()).isEqualTo(layout.slots(layout.segments()));
                assertThat(layout.regionBytes()).isEqualTo(layout.regionBytes(layout.segments()));
            }
        }
    }

    @Test
    void shouldLeadFromEntryToTupleAndBackInEverySegment() {
        TableLayout layout =
                new TableLayout(24, TableSchema.ofByteKeys(0, "t", 17, 100, 100).growing(10));
        for (long slot = 0; slot < layout.slots(); slot++) {
            long entry = layout.entryOffset(slot);
            long tuple = layout.tupleOffset(slot);
            assertThat(layout.slotOfEntry(entry)).isEqualTo(slot);
            assertThat(layout.tupleOfEntry(entry)).isEqualTo(tuple);
            assertThat(layout.entryOfTuple(tuple)).isEqualTo(entry);
            assertThat(layout.segmentOf(entry)).isEqualTo(layout.segmentOfSlot(slot));
            assertThat(layout.segmentOf(tuple)).isEqualTo(layout.segmentOfSlot(slot));
        }
    }

    @Test
    void shouldChooseBucketsOfEveryHashWithinTheirSegment() {
        TableLayout layout =
                new TableLayout(8, TableSchema.ofLongKeys(0, "t", 8, 100).growing(3));
        Seeds.forEach(1000, random -> {
            long hash = random.nextLong();
            for (int choice = 0; choice < 9; choice++) {
                long bucket = layout.bucketOffset(hash, choice);
                int segment = choice / 3;
                assertThat(bucket % BUCKET).isZero();
                assertThat(bucket)
                        .isGreaterThanOrEqualTo(layout.entryOffset(layout.firstSlot(segment)))
                        .isLessThan(layout.entryOffset(layout.slots(segment) - 1));
            }
        });
    }

    @Test
    void shouldLeadFromEntryToTupleAndBack() {
        TableLayout layout = new TableLayout(24, TableSchema.ofByteKeys(0, "t", 17, 100, 1000));
        for (long slot = 0; slot < layout.slots(); slot++) {
            long entry = layout.entryOffset(slot);
            assertThat(layout.slotOfEntry(entry)).isEqualTo(slot);
            assertThat(layout.tupleOfEntry(entry)).isEqualTo(layout.tupleOffset(slot));
            assertThat(layout.entryOfTuple(layout.tupleOffset(slot))).isEqualTo(entry);
        }
    }

    @Test
    void shouldChooseBucketsAndLeafOfEveryHashWithinTheTable() {
        TableLayout layout = new TableLayout(8, TableSchema.ofLongKeys(0, "t", 8, 100));
        Seeds.forEach(1000, random -> {
            long hash = random.nextInt(4) == 0 ? random.nextInt(-2, 3) : random.nextLong();
            for (int choice = 0; choice < TableLayout.CHOICES; choice++) {
                long bucket = layout.bucketOffset(hash, choice);
                assertThat(bucket % BUCKET).isZero();
                assertThat(bucket).isBetween(0L, (layout.buckets() - 1) * BUCKET);
            }
            long home = layout.bucketOffset(hash, 0) / BUCKET;
            assertThat(layout.leafOffset(hash)).isEqualTo(layout.leafOffsetAt(home));
        });
    }

    // One partition's keys share the hash's high bits, which chose the partition: they must still use all
    // buckets, and the three choices must be independent.
    @Test
    void shouldSpreadOnePartitionsKeysOverAllBucketsIndependently() {
        TableLayout layout = new TableLayout(0, TableSchema.ofLongKeys(0, "t", 8, 100));
        SplittableRandom random = new SplittableRandom(3);
        Set<Long> homes = new HashSet<>();
        int same = 0;
        int keys = 20_000;
        for (int i = 0; i < keys; i++) {
            long hash = random.nextLong() >>> 8;
            homes.add(layout.bucketOffset(hash, 0));
            same += layout.bucketOffset(hash, 0) == layout.bucketOffset(hash, 1) ? 1 : 0;
            same += layout.bucketOffset(hash, 0) == layout.bucketOffset(hash, 2) ? 1 : 0;
            same += layout.bucketOffset(hash, 1) == layout.bucketOffset(hash, 2) ? 1 : 0;
        }
        assertThat((long) homes.size()).isEqualTo(layout.buckets());
        double expected = 3.0 * keys / layout.buckets();
        assertThat((double) same).isCloseTo(expected, within(6 * Math.sqrt(expected)));
    }

    @Test
    void shouldChooseTheHomeBucketUntilItHasFiveEntriesAndThenTheEmptiest() {
        Memory memory = Memory.allocate(Arena.ofAuto(), 3 * BUCKET);
        long[] buckets = {0, BUCKET, 2 * BUCKET};
        for (int i = 0; i < 5; i++) {
            assertThat(TableLayout.chooseEmpty(memory, buckets)).isEqualTo(i);
            memory.putLong(8L * i, IndexEntry.live(i));
        }
        assertThat(TableLayout.chooseEmpty(memory, buckets)).isEqualTo(8);
        fill(memory, BUCKET, 2);
        assertThat(TableLayout.chooseEmpty(memory, buckets)).isEqualTo(16);
        fill(memory, 2 * BUCKET, 5);
        assertThat(TableLayout.chooseEmpty(memory, buckets)).isEqualTo(8 + 2);
        fill(memory, BUCKET, 5);
        assertThat(TableLayout.chooseEmpty(memory, buckets))
                .as("home wins a tie")
                .isEqualTo(5);
        fill(memory, 0, 8);
        fill(memory, BUCKET, 8);
        fill(memory, 2 * BUCKET, 8);
        assertThat(TableLayout.chooseEmpty(memory, buckets)).isEqualTo(-1);
        memory.putLong(2 * BUCKET + 56, IndexEntry.EMPTY);
        assertThat(TableLayout.chooseEmpty(memory, buckets)).isEqualTo(23);
    }

    @Test
    void shouldFindOnlyLiveEntriesOfTheHashFromTheGivenIndexOn() {
        Memory memory = Memory.allocate(Arena.ofAuto(), BUCKET);
        memory.putLong(0, IndexEntry.reserved(77 << 2));
        memory.putLong(16, IndexEntry.live(77 << 2));
        memory.putLong(24, IndexEntry.live(78 << 2));
        memory.putLong(56, IndexEntry.live(77 << 2));
        assertThat(TableLayout.find(memory, 0, 77 << 2, 0)).isEqualTo(2);
        assertThat(TableLayout.find(memory, 0, 77 << 2, 2)).isEqualTo(2);
        assertThat(TableLayout.find(memory, 0, 77 << 2, 3)).isEqualTo(7);
        assertThat(TableLayout.find(memory, 0, 77 << 2, 8)).isEqualTo(-1);
        assertThat(TableLayout.find(memory, 0, 79 << 2, 0)).isEqualTo(-1);
    }

    @Test
    void shouldNeverTakeAnEntryOfAnyHashForAnEmptyOne() {
        for (long hash : new long[] {0, 1, 2, 3, -1, Long.MIN_VALUE}) {
            assertThat(IndexEntry.live(hash)).isNotEqualTo(IndexEntry.EMPTY);
            assertThat(IndexEntry.reserved(hash)).isNotEqualTo(IndexEntry.EMPTY);
            assertThat(IndexEntry.isLive(IndexEntry.live(hash))).isTrue();
            assertThat(IndexEntry.isLive(IndexEntry.reserved(hash))).isFalse();
            assertThat(IndexEntry.live(hash) >>> 2).isEqualTo(hash >>> 2);
        }
        assertThat(IndexEntry.isLive(IndexEntry.EMPTY)).isFalse();
    }

    @Test
    void shouldRefuseATableThatARegionCannotAddress() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TableLayout(0, TableSchema.ofLongKeys(0, "big", 16_384, 1L << 36)))
                .withMessageContaining("table big")
                .withMessageContaining(String.valueOf(RemoteAddress.MAX_OFFSET));
        assertThat(new TableLayout(0, TableSchema.ofLongKeys(0, "big", 8, 1L << 36)).regionBytes())
                .isLessThan(RemoteAddress.MAX_OFFSET);
    }

    private static void fill(Memory memory, long bucket, int entries) {
        for (int i = 0; i < entries; i++) {
            memory.putLong(bucket + 8L * i, IndexEntry.live(i));
        }
    }
}
