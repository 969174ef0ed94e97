package dev.rcc.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.rcc.core.memory.Memory;
import java.lang.foreign.Arena;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TupleLayoutTest {
    @Test
    void shouldPutThePartsSideBySideOnWordsForEverySize() {
        for (int metadata : new int[] {0, 8, 64}) {
            for (int key : new int[] {1, 7, 8, 9, TableSchema.MAX_KEY_BYTES - 1, TableSchema.MAX_KEY_BYTES}) {
                for (int record : new int[] {1, 8, 9, TableSchema.MAX_RECORD_BYTES - 1, TableSchema.MAX_RECORD_BYTES}) {
                    TupleLayout layout = new TupleLayout(metadata, TableSchema.ofByteKeys(0, "t", key, record, 1));
                    int keyWords = (key + 7) / 8 * 8;
                    int recordWords = (record + 7) / 8 * 8;
                    assertThat(layout.identityOffset()).isEqualTo(metadata);
                    assertThat(layout.keyOffset()).isEqualTo(metadata + 8);
                    assertThat(layout.identityBytes()).isEqualTo(8 + keyWords);
                    assertThat(layout.versionOffset()).isEqualTo(layout.identityOffset() + layout.identityBytes());
                    assertThat(layout.recordOffset()).isEqualTo(layout.versionOffset() + 8);
                    assertThat(layout.recordBytes()).isEqualTo(recordWords);
                    assertThat(layout.valueBytes()).isEqualTo(8 + recordWords);
                    assertThat(layout.tupleBytes()).isEqualTo(layout.versionOffset() + layout.valueBytes());
                }
            }
        }
    }

    // Goal: wherever its slot is, a tuple touches no more cache lines than its size needs. A slot's padding
    // is less than one cache line.
    @Test
    void shouldKeepEveryTupleOnAsFewCacheLinesAsItsSizeNeeds() {
        for (int record = 1; record < 300; record++) {
            TupleLayout layout = new TupleLayout(8, TableSchema.ofLongKeys(0, "t", record, 1));
            int lines = (layout.tupleBytes() + 63) / 64;
            for (long slot = 0; slot < 64; slot++) {
                long first = slot * layout.slotBytes();
                assertThat((first + layout.tupleBytes() - 1) / 64 - first / 64 + 1)
                        .isEqualTo(lines);
            }
            assertThat(layout.slotBytes()).isBetween(layout.tupleBytes(), Math.max(64, layout.tupleBytes() + 63));
            assertThat(layout.slotBytes() % 8).isZero();
        }
    }

    // Goal: older records lie behind the tuple and change nothing in it.
    @Test
    void shouldPutOlderRecordsBehindTheTuple() {
        for (int slots : new int[] {0, 1, 3, TupleLayout.MAX_HISTORY_SLOTS}) {
            for (int record : new int[] {1, 8, 9, 100, TableSchema.MAX_RECORD_BYTES}) {
                TableSchema schema = TableSchema.ofLongKeys(0, "t", record, 1);
                TupleLayout plain = new TupleLayout(8, schema);
                TupleLayout layout = new TupleLayout(8, slots, false, schema);
                assertThat(layout.historySlots()).isEqualTo(slots);
                assertThat(layout.tupleBytes()).isEqualTo(plain.tupleBytes());
                assertThat(layout.recordOffset()).isEqualTo(plain.recordOffset());
                int end = layout.tupleBytes();
                for (int slot = 0; slot < slots; slot++) {
                    assertThat(layout.historyRecordOffset(slot)).isEqualTo(end);
                    end += layout.recordBytes();
                }
                assertThat(layout.slotBytes()).isBetween(end, Math.max(64, end + 63));
                assertThat(new TableLayout(8, slots, false, schema).tuple().slotBytes())
                        .isEqualTo(layout.slotBytes());
            }
        }
        assertThat(new TupleLayout(8, TableSchema.ofLongKeys(0, "t", 8, 1)).historySlots())
                .isZero();
    }

    @Test
    void shouldRefuseMoreHistoryThanThereIsRoomFor() {
        TableSchema schema = TableSchema.ofLongKeys(0, "t", 8, 1);
        for (int slots : new int[] {-1, TupleLayout.MAX_HISTORY_SLOTS + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new TupleLayout(0, slots, false, schema))
                    .withMessageContaining("got " + slots);
        }
    }

    @Test
    void shouldRefuseMetadataThatIsNotWholeWords() {
        TableSchema schema = TableSchema.ofLongKeys(0, "t", 8, 1);
        for (int metadata : new int[] {-8, -1, 1, 7, 12}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new TupleLayout(metadata, schema))
                    .withMessageContaining("got " + metadata);
        }
    }

    @Test
    void shouldDistinguishALiveHeaderFromAnEmptySlot() {
        assertThat(TupleLayout.isLive(0)).isFalse();
        for (int length : new int[] {1, 8, TableSchema.MAX_KEY_BYTES}) {
            assertThat(TupleLayout.isLive(TupleLayout.liveHeader(length))).isTrue();
            assertThat(TupleLayout.keyLength(TupleLayout.liveHeader(length))).isEqualTo(length);
        }
    }

    @Test
    void shouldPadAShorterKeyWithZerosOverOldBytes() {
        TupleLayout layout = new TupleLayout(0, TableSchema.ofByteKeys(0, "t", 20, 8, 1));
        Memory memory = Memory.allocate(Arena.ofAuto(), 64);
        byte[] old = new byte[64];
        Arrays.fill(old, (byte) -1);
        memory.putBytes(0, old, 0, 64);
        layout.putIdentity(memory, 8, new byte[] {1, 2, 3});
        assertThat(memory.getLong(0)).isEqualTo(-1);
        assertThat(memory.getLong(8)).isEqualTo(TupleLayout.liveHeader(3));
        assertThat(memory.getLong(16)).isEqualTo(0x030201);
        assertThat(memory.getLong(24)).isZero();
        assertThat(memory.getLong(32)).isZero();
        assertThat(memory.getLong(40)).isEqualTo(-1);
    }

    @Test
    void shouldCheckEverySchemaLimitOnBothSides() {
        assertThat(new TableSchema(63, "t", KeyKind.BYTES, 1024, 16384, 1L << 36))
                .isNotNull();
        assertThat(new TableSchema(0, "t", KeyKind.BYTES, 1, 1, 1)).isNotNull();
        assertSchemaRefused(-1, KeyKind.LONG, 8, 8, 1, "id must be 0 to 63, got -1");
        assertSchemaRefused(64, KeyKind.LONG, 8, 8, 1, "id must be 0 to 63, got 64");
        assertSchemaRefused(0, KeyKind.LONG, 7, 8, 1, "keyBytes must be 8 to 8, got 7");
        assertSchemaRefused(0, KeyKind.LONG, 9, 8, 1, "keyBytes must be 8 to 8, got 9");
        assertSchemaRefused(0, KeyKind.BYTES, 0, 8, 1, "keyBytes must be 1 to 1024, got 0");
        assertSchemaRefused(0, KeyKind.BYTES, 1025, 8, 1, "keyBytes must be 1 to 1024, got 1025");
        assertSchemaRefused(0, KeyKind.LONG, 8, 0, 1, "recordBytes must be 1 to 16384, got 0");
        assertSchemaRefused(0, KeyKind.LONG, 8, 16385, 1, "recordBytes must be 1 to 16384, got 16385");
        assertSchemaRefused(0, KeyKind.LONG, 8, 8, 0, "capacity must be 1 to 68719476736, got 0");
        assertSchemaRefused(0, KeyKind.LONG, 8, 8, (1L << 36) + 1, "got 68719476737");
        assertThatNullPointerException().isThrownBy(() -> new TableSchema(0, null, KeyKind.LONG, 8, 8, 1));
    }

    private static void assertSchemaRefused(int id, KeyKind kind, int key, int record, long capacity, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new TableSchema(id, "orders", kind, key, record, capacity))
                .withMessageStartingWith("table orders: ")
                .withMessageContaining(message);
    }

    // Goal: if any part of a tuple is of another version, the checksum shows it.
    @Test
    void shouldAcceptATupleOnlyIfAllOfItIsOfOneVersion() {
        for (int record : new int[] {8, 16, 24, 100, 1000}) {
            TupleLayout layout = new TupleLayout(16, 0, true, TableSchema.ofByteKeys(0, "t", 20, record, 1));
            assertThat(layout.contentBytes()).isEqualTo(8 + layout.recordBytes());
            Memory old = tuple(layout, 100, 1);
            Memory young = tuple(layout, 101, 2);
            assertThat(layout.isWhole(old, 0)).isTrue();
            assertThat(layout.isWhole(young, 0)).isTrue();
            for (int from = layout.versionOffset(); from < layout.tupleBytes(); from += 8) {
                for (int to = from + 8; to <= layout.tupleBytes(); to += 8) {
                    Memory torn = tuple(layout, 100, 1);
                    young.copy(from, torn, from, to - from);
                    boolean all = from == layout.versionOffset() && to == layout.tupleBytes();
                    assertThat(layout.isWhole(torn, 0))
                            .as("bytes %s to %s of %s", from, to, layout.tupleBytes())
                            .isEqualTo(all);
                }
            }
            old.putLong(layout.keyOffset(), 77);
            assertThat(layout.isWhole(old, 0)).as("another key").isFalse();
        }
    }

    /** A tuple whose checksum does not cover the metadata; all words of its record are the same. */
    private static Memory tuple(TupleLayout layout, long version, long word) {
        Memory memory = Memory.allocate(Arena.ofAuto(), layout.tupleBytes());
        memory.putLong(0, word);
        layout.putIdentity(memory, layout.identityOffset(), new byte[] {1, 2, 3});
        for (int i = layout.recordOffset(); i < layout.tupleBytes(); i += 8) {
            memory.putLong(i, word);
        }
        layout.putChecksum(memory, 0, version);
        memory.putLong(layout.versionOffset(), version);
        return memory;
    }
}
