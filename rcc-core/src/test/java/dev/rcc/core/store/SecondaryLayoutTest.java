package dev.rcc.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.IndexSchema.Kind;
import dev.rcc.core.store.IndexSchema.Part;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link IndexSchema}, {@link SecondaryLayout} and the index tables of catalogs; {@code -Drcc.seed=S} draws other keys. */
class SecondaryLayoutTest {
    private static final long SEED = Long.getLong("rcc.seed", System.nanoTime());

    private final Memory identity = Memory.allocate(Arena.ofAuto(), 64);
    private final Memory record = Memory.allocate(Arena.ofAuto(), 64);
    private final Memory entry = Memory.allocate(Arena.ofAuto(), 128);
    private final Memory back = Memory.allocate(Arena.ofAuto(), 64);

    private static final TableSchema LONGS = TableSchema.ofLongKeys(0, "longs", 40, 100);
    private static final TableSchema STRINGS = TableSchema.ofByteKeys(0, "strings", 10, 40, 100);

    private static Table index(TableSchema base, boolean unique, Part... parts) {
        return catalog(3, base, TableSchema.index(1, "index", base, unique, List.of(parts)))
                .table(1);
    }

    private static Catalog catalog(int partitions, TableSchema... schemas) {
        return new Catalog(new RingPlacement(partitions, 1), 8, List.of(schemas));
    }

    private void key(Table base, byte[] key) {
        base.layout().tuple().putIdentity(identity, 0, key);
    }

    private void key(long key) {
        identity.putLong(0, TupleLayout.liveHeader(Long.BYTES));
        identity.putLong(Memory.WORD_BYTES, key);
    }

    /** The entry's key, in hexadecimal digits. */
    private String entryKey(Table index) {
        index.secondaryLayout().putIdentity(identity, 0, record, 0, entry, 0);
        byte[] key = new byte[TupleLayout.keyLength(entry.getLong(0))];
        entry.getBytes(Memory.WORD_BYTES, key, 0, key.length);
        return HexFormat.of().formatHex(key);
    }

    @Test
    void shouldMakeAnEntrysKeyOfPartsAndTheKey() {
        record.putLong(0, -2);
        record.putLong(8, 0x1122_3344_5566_7788L);
        key(5);
        Table index = index(LONGS, false, Part.ofKey(6, 2), Part.ofBytes(9, 3), Part.ofLong(0), Part.ofInteger(8));
        assertThat(index.schema().keyBytes()).isEqualTo(2 + 3 + 8 + 4 + 8);
        assertThat(entryKey(index)).isEqualTo("0005" + "776655" + "7ffffffffffffffe" + "d5667788" + "8000000000000005");
        assertThat(entryKey(index(LONGS, true, Part.ofKey(0, 8)))).isEqualTo("8000000000000005");
        assertThat(entryKey(index(
                        LONGS, true, Part.number(Kind.BIG_ENDIAN_INTEGER, 8), Part.number(Kind.BIG_ENDIAN_LONG, 8))))
                .isEqualTo("08776655" + "0877665544332211");
    }

    @Test
    void shouldTakeAByteStringAsFollowedByZeros() {
        Table index = index(STRINGS, false, Part.ofKey(1, 4), Part.ofInteger(0));
        record.putLong(0, 1);
        key(index.base(), new byte[] {1, 2, 3});
        assertThat(entryKey(index)).isEqualTo("02030000" + "80000001" + "010203");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldReadTheBaseKeyFromEveryRecordAndFromNonUniqueKeys(boolean unique) {
        Random random = new Random(SEED);
        for (int i = 0; i < 1_000; i++) {
            Table index = index(i % 2 == 0 ? LONGS : STRINGS, unique, Part.ofBytes(0, 5), Part.ofKey(0, 3));
            if (i % 2 == 0) {
                key(i == 0 ? Long.MIN_VALUE : i == 2 ? -1 : random.nextLong());
            } else {
                byte[] key = new byte[1 + random.nextInt(10)];
                random.nextBytes(key);
                key(index.base(), key);
            }
            SecondaryLayout layout = index.secondaryLayout();
            entryKey(index);
            layout.putRecord(identity, 0, record, 0);
            assertThat(layout.putBaseOfRecord(record, 0, back, 0)).isTrue();
            assertThat(back.equalWords(0, identity, 0, layout.baseIdentityBytes()))
                    .as("seed %s, %s", SEED, i)
                    .isTrue();
            assertThat(layout.putBaseOfKey(entry, 0, back, 0)).isEqualTo(!unique);
            assertThat(back.equalWords(0, identity, 0, layout.baseIdentityBytes()))
                    .as("seed %s, %s", SEED, i)
                    .isTrue();
        }
    }

    @Test
    void shouldReadNoBaseKeyWhereItsLengthIsImpossible() {
        SecondaryLayout layout = index(STRINGS, false, Part.ofBytes(0, 5)).secondaryLayout();
        record.putLong(0, 11);
        assertThat(layout.putBaseOfRecord(record, 0, back, 0)).isFalse();
        record.putLong(0, 0);
        assertThat(layout.putBaseOfRecord(record, 0, back, 0)).isFalse();
        entry.putLong(0, TupleLayout.liveHeader(5));
        assertThat(layout.putBaseOfKey(entry, 0, back, 0)).isFalse();
        entry.putLong(0, TupleLayout.liveHeader(16));
        assertThat(layout.putBaseOfKey(entry, 0, back, 0)).isFalse();
    }

    // Entries that begin with their records' keys lie in the partitions of these records, under any
    // distribution.
    @Test
    void shouldPlaceEntriesWhereTheirRecordsAre() {
        Random random = new Random(SEED);
        for (int prefix = 1; prefix <= 4; prefix++) {
            int bytes = prefix;
            List<Catalog> catalogs = new ArrayList<>();
            for (TableSchema base : List.of(LONGS, STRINGS)) {
                for (int partitions : new int[] {3, 4, 7}) {
                    TableSchema index =
                            TableSchema.index(1, "index", base, false, List.of(Part.ofKey(0, 4), Part.ofBytes(0, 2)));
                    catalogs.add(catalog(partitions, base.modulo(bytes), index.modulo(bytes)));
                    catalogs.add(catalog(partitions, base.placedBy(bytes), index.placedBy(bytes)));
                }
            }
            for (Catalog each : catalogs) {
                LongStream.range(0, 200).forEach(i -> {
                    if (each.table(0).schema().keyKind() == KeyKind.LONG) {
                        key(random.nextLong());
                    } else {
                        byte[] key = new byte[1 + random.nextInt(10)];
                        random.nextBytes(key);
                        key(each.table(0), key);
                    }
                    entryKey(each.table(1));
                    int partitions = each.placement().partitions();
                    assertThat(Placement.partition(each.table(1).keyHashOfIdentity(entry, 0), partitions))
                            .as("seed %s, %s", SEED, each.table(0).schema())
                            .isEqualTo(Placement.partition(each.table(0).keyHashOfIdentity(identity, 0), partitions));
                });
            }
        }
    }

    @Test
    void shouldLinkATableAndItsIndexesInTheCatalog() {
        TableSchema byOne = TableSchema.index(1, "one", LONGS, false, List.of(Part.ofLong(16), Part.ofKey(0, 1)));
        TableSchema byTwo = TableSchema.index(2, "two", LONGS, true, List.of(Part.ofBytes(4, 2)));
        Catalog catalog = catalog(1, LONGS, byOne, byTwo);
        Table base = catalog.table(0);
        assertThat(base.indexes()).containsExactly(catalog.table(1), catalog.table(2));
        assertThat(base.isIndexed()).isTrue();
        assertThat(base.isIndex()).isFalse();
        assertThat(base.indexedFrom()).isEqualTo(4);
        assertThat(base.indexedBytes()).isEqualTo(20);
        assertThat(catalog.table(2).base()).isSameAs(base);
        assertThat(catalog.table(2).isIndex()).isTrue();
        assertThat(catalog.table(2).isOrdered()).isTrue();
        assertThat(catalog.table(2).isIndexed()).isFalse();
        assertThat(catalog.userTables()).isEqualTo(3);
    }

    @Test
    void shouldRefuseImpossibleIndexes() {
        List<Part> parts = List.of(Part.ofLong(0));
        TableSchema index = TableSchema.index(1, "index", LONGS, false, parts);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.index(2, "i", index, false, parts))
                .withMessage("index i: table index is an index itself");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.index(2, "i", LONGS.replicated(), false, parts))
                .withMessage("index i: table longs is replicated, and such a table has no indexes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.index(1, "i", LONGS, true, List.of(Part.ofInteger(37))))
                .withMessage("index i: table longs has records of 40 bytes, got a part of 4 bytes from byte 37 on");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.index(1, "i", STRINGS, true, List.of(Part.ofKey(8, 3))))
                .withMessage("index i: table strings has keys of 10 bytes, got a part of 3 bytes from byte 8 on");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TableSchema.index(1, "i", LONGS, true, List.of()))
                .withMessage("an index has 1 to 16 parts, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Part(Kind.INTEGER, 0, 8))
                .withMessage("a part of the kind INTEGER has 4 bytes, got 8");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> catalog(1, TableSchema.index(0, "i", LONGS, true, parts)))
                .withMessage("index i must be of a table with a smaller number than its own, 0, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> catalog(1, STRINGS, TableSchema.index(1, "i", LONGS, false, parts)))
                .withMessage("index i was made of another table than strings, whose keys have other sizes");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> index.replicated())
                .withMessage("table index: a replicated table cannot be ordered");
    }
}
