package dev.rcc.core.txn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.KeyList;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.Seeds;
import dev.rcc.core.testing.SerialCoordinator;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@link OrderedIndex} of tables that are distributed by a prefix of their keys: leaves follow the prefix. Also, how full leaves are when keys
 * ascend.
 */
class DistributedIndexTest extends OrderedIndexFixture {
    /** Leaves of 8 keys, inner nodes of 4 children. */
    private static final int SMALL_NODES = 104;
    /** Keys whose numbers differ in at most the lowest {@value} bits form a group and share a prefix. */
    private static final int GROUP_BITS = 8;

    private static final int PREFIX_BYTES = Long.BYTES - GROUP_BITS / Byte.SIZE;

    private static TableSchema small() {
        return TableSchema.ofLongKeys(0, "orders", 8, 4_000).ordered(SMALL_NODES);
    }

    private static TableSchema smallOfBytes() {
        return TableSchema.ofByteKeys(0, "names", Long.BYTES, 8, 4_000)
                .ordered(IndexNodeLayout.minNodeBytes(KeyKind.BYTES, Long.BYTES));
    }

    static Stream<TableSchema> distributed() {
        return Stream.of(small(), smallOfBytes())
                .flatMap(schema -> Stream.of(
                        schema.placedBy(PREFIX_BYTES),
                        schema.modulo(PREFIX_BYTES),
                        schema.placedBy(Long.BYTES),
                        schema.modulo(Long.BYTES)));
    }

    private void create(TableSchema schema, long... keys) {
        create(schema, isOfBytes(schema) ? KeyList.of(bytes(keys)) : KeyList.of(keys));
        Memory record = Memory.allocate(Arena.ofAuto(), 8);
        for (long key : keys) {
            record.putLong(0, key);
            if (isOfBytes(schema)) {
                SerialCoordinator.load(table, memstores, bytes(key), record);
            } else {
                SerialCoordinator.load(table, memstores, key, record);
            }
        }
    }

    private static boolean isOfBytes(TableSchema schema) {
        return schema.keyKind() == KeyKind.BYTES;
    }

    private static byte[][] bytes(long... keys) {
        return LongStream.of(keys).mapToObj(DistributedIndexTest::bytes).toArray(byte[][]::new);
    }

    /** The bytes of a non-negative number, in its order. Multiples of 4 lose their zeros at the end, except the first byte. */
    private static byte[] bytes(long key) {
        byte[] all = ByteBuffer.allocate(Long.BYTES).putLong(key).array();
        int length = Long.BYTES;
        while ((key & 3) == 0 && length > 1 && all[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(all, length);
    }

    private static long number(byte[] key) {
        return ByteBuffer.wrap(Arrays.copyOf(key, Long.BYTES)).getLong();
    }

    private Access insert(Transaction txn, long key) {
        Access access = isOfBytes(table.schema()) ? txn.insert(table, bytes(key)) : txn.insert(table, key);
        txn.fetch();
        if (!access.exists()) {
            access.putLong(0, key);
        }
        return access;
    }

    private void insert(long key) {
        client.commit(txn -> insert(txn, key));
    }

    private void delete(long key) {
        client.commit(txn -> {
            if (isOfBytes(table.schema())) {
                txn.delete(table, bytes(key));
            } else {
                txn.delete(table, key);
            }
        });
    }

    private List<Long> scan(Transaction txn, long from, long to) {
        Scan scan = isOfBytes(table.schema())
                ? txn.scan(table, bytes(from), bytes(to), 10_000, Intent.READ)
                : txn.scan(table, from, to, 10_000, Intent.READ);
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < scan.size(); i++) {
            keys.add(isOfBytes(table.schema()) ? number(scan.byteKey(i)) : scan.key(i));
        }
        return keys;
    }

    private List<Long> scanAll() {
        List<Long> all = new ArrayList<>();
        client.commit(txn -> {
            all.clear();
            all.addAll(scan(txn, 0, Long.MAX_VALUE));
        });
        return all;
    }

    private static long key(long group, long number) {
        return group << GROUP_BITS | number;
    }

    // Goal: after any inserts and deletes, leaves lie in the partitions of their keys, and no key is lost.
    @ParameterizedTest
    @MethodSource("distributed")
    void shouldKeepLeavesWithTheirPrefix(TableSchema schema) {
        Seeds.forEach(6, random -> {
            NavigableSet<Long> expected = new TreeSet<>();
            int groups = 1 + random.nextInt(8);
            int each = 1 + random.nextInt(20);
            for (int i = random.nextInt(60); i > 0; i--) {
                expected.add(draw(random, groups, each));
            }
            create(schema, expected.stream().mapToLong(key -> key).toArray());
            assertSound();
            for (int phase = 0; phase < 4; phase++) {
                int inserts = random.nextInt(10);
                for (int i = 0; i < 60; i++) {
                    long key = draw(random, groups, each);
                    if (random.nextInt(10) < inserts) {
                        insert(key);
                        expected.add(key);
                    } else {
                        delete(key);
                        expected.remove(key);
                    }
                    assertSound();
                }
                assertThat(scanAll()).containsExactlyElementsOf(expected);
            }
        });
    }

    private static long draw(SplittableRandom random, int groups, int each) {
        return key(random.nextInt(groups), random.nextInt(each));
    }

    // Goal: one transaction can change the leaves of many prefixes.
    @ParameterizedTest
    @MethodSource("distributed")
    void shouldInsertAndDeleteManyPrefixesAtOnce(TableSchema schema) {
        create(schema);
        List<Long> keys = new ArrayList<>();
        for (long group : new long[] {5, 1, 9, 3, 0, 7, 2, 8, 6, 4}) {
            keys.add(key(group, 1));
            keys.add(key(group, 0));
            keys.add(key(group, 2));
        }
        client.commit(txn -> keys.forEach(key -> insert(txn, key)));
        assertSound();
        assertThat(scanAll()).hasSize(30).isSorted();
        keys.forEach(this::delete);
        assertSound();
        assertThat(scanAll()).isEmpty();
        assertThat(leaves())
                .as("an empty leaf has gone, unless it is its parent's first")
                .isLessThan(12);
    }

    // Goal: operations within one prefix access one node.
    @ParameterizedTest
    @MethodSource("distributed")
    void shouldInsertAndScanOnOneNodeWithinAPrefix(TableSchema schema) {
        boolean isAKeysOwn = schema.distribution().prefixBytes() == Long.BYTES;
        long groups = 12;
        create(
                schema,
                LongStream.range(0, groups)
                        .flatMap(group ->
                                LongStream.range(0, isAKeysOwn ? 1 : 20).map(i -> key(group, 2 * i)))
                        .toArray());
        scanAll(); // fills the client's hints of leaves
        for (long group = 0; group < groups; group++) {
            long at = group;
            Set<Integer> partitions = new HashSet<>();
            client.commit(txn -> {
                if (!isAKeysOwn) {
                    insert(txn, key(at, 3));
                }
                scan(txn, key(at, 0), isAKeysOwn ? key(at, 1) : key(at + 1, 0));
                for (int i = 0; i < txn.size(); i++) {
                    partitions.add(txn.access(i).partition());
                }
            });
            assertThat(partitions).as("group %s of %s", group, schema).hasSize(1);
        }
        assertSound();
    }

    // Goal: a new prefix between others needs no more than one leaf, and is on one node from its first key on.
    @Test
    void shouldGiveANewPrefixItsLeaf() {
        create(small().modulo(PREFIX_BYTES), key(1, 0), key(1, 1), key(7, 0), key(7, 1));
        long before = leaves();
        insert(key(5, 9)); // 1, 5 and 7 modulo 3: 1, 2, 1
        assertThat(leaves()).as("the leaf of 1 and 7 is split").isEqualTo(before + 2);
        insert(key(5, 2));
        insert(key(5, 200));
        insert(key(8, 0));
        assertThat(leaves()).isEqualTo(before + 3);
        assertSound();
        delete(key(8, 0));
        assertThat(leaves()).isEqualTo(before + 2);
        assertSound();
    }

    // Goal: inner nodes of a prefix with many keys are in the partition of these keys, too.
    @Test
    void shouldSplitALeafOnOneNode() {
        create(
                TableSchema.ofLongKeys(0, "orders", 8, 4_000)
                        .ordered(SMALL_NODES)
                        .placedBy(PREFIX_BYTES),
                LongStream.range(0, 3)
                        .flatMap(group -> LongStream.range(0, 200).map(i -> key(group, i)))
                        .toArray());
        int[] onOneNode = {0};
        scanAll();
        for (int i = 0; i < 50; i++) {
            long number = 200L + i;
            client.commit(txn -> {
                insert(txn, key(1, number));
                Set<Integer> partitions = new HashSet<>();
                for (int access = 0; access < txn.size(); access++) {
                    boolean isRoot = txn.access(access).table() == table.indexNodes()
                            && txn.access(access).longKey() == IndexNodeLayout.ROOT;
                    if (!isRoot) {
                        partitions.add(txn.access(access).partition());
                    }
                }
                onOneNode[0] += partitions.size() == 1 ? 1 : 0;
            });
        }
        assertThat(onOneNode[0]).isGreaterThan(45);
        assertSound();
    }

    // ---- how full leaves are

    private double fill(long keys) {
        return (double) keys / (leaves() * table.indexNodeLayout().capacity(IndexNodeLayout.LEAF_LEVEL));
    }

    static Stream<TableSchema> growing() {
        TableSchema schema = TableSchema.ofLongKeys(0, "lines", 8, 40_000).ordered(IndexNodeLayout.DEFAULT_NODE_BYTES);
        return Stream.of(schema, schema.placedBy(2), schema.modulo(3));
    }

    /**
     * The keys are like an order's lines: the lines of one order are consecutive, ten districts take turns, and each order is in the middle of the
     * keys.
     */
    @ParameterizedTest
    @MethodSource("growing")
    void shouldFillTheLeavesOfKeysThatAscendPerGroup(TableSchema schema) {
        create(schema);
        long keys = 0;
        SplittableRandom random = new SplittableRandom(7);
        for (long order = 0; order < 500; order++) {
            for (long district = 0; district < 10; district++) {
                long first = district << 40 | order << 8;
                int lines = 1 + random.nextInt(4);
                client.commit(txn -> {
                    for (int line = 0; line < lines; line++) {
                        insert(txn, first | line);
                    }
                });
                keys += lines;
            }
        }
        assertSound();
        assertThat(fill(keys)).isGreaterThan(0.9);
    }

    @ParameterizedTest
    @MethodSource("growing")
    void shouldFillTheLeavesOfRandomKeysToTwoThirds(TableSchema schema) {
        Seeds.forEach(3, random -> {
            create(schema);
            Set<Long> keys = new HashSet<>();
            while (keys.size() < 10_000) {
                keys.add((long) random.nextInt(4) << 40 | random.nextLong() >>> 24);
            }
            keys.forEach(this::insert);
            assertSound();
            assertThat(fill(keys.size())).isGreaterThan(0.62);
        });
    }
}
