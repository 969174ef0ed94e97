package dev.rcc.core.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.ByteKeySlot;
import dev.rcc.core.store.IndexNodeLayout;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.KeyList;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.Seeds;
import dev.rcc.core.testing.SerialCoordinator;
import java.lang.foreign.Arena;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** As {@link OrderedIndexTest}, for byte strings: the cases that their order and their size limit make different. */
class OrderedIndexOfBytesTest extends OrderedIndexFixture {
    private static final int EVERYTHING = Integer.MAX_VALUE;

    /** Creates the table with room for keys of {@code keyBytes} bytes, with nodes of four children. */
    private void createSmall(int keyBytes, String... keys) {
        create(small(keyBytes), Arrays.stream(keys).map(OrderedIndexOfBytesTest::bytes));
    }

    private static TableSchema small(int keyBytes) {
        return TableSchema.ofByteKeys(0, "names", keyBytes, 8, 2_000)
                .ordered(IndexNodeLayout.minNodeBytes(KeyKind.BYTES, keyBytes));
    }

    private void create(TableSchema schema, Stream<byte[]> loaded) {
        byte[][] keys = loaded.toArray(byte[][]::new);
        create(schema, KeyList.of(keys));
        for (byte[] key : keys) {
            SerialCoordinator.load(table, memstores, key, value(key));
        }
    }

    private static Memory value(byte[] key) {
        Memory record = Memory.allocate(Arena.ofAuto(), 8);
        record.putLong(0, Arrays.hashCode(key));
        return record;
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String string(byte[] key) {
        return new String(key, StandardCharsets.ISO_8859_1);
    }

    private static List<String> keys(Scan scan) {
        return IntStream.range(0, scan.size())
                .mapToObj(i -> string(scan.byteKey(i)))
                .toList();
    }

    private List<String> scan(String from, String to, int limit) {
        List<String> found = new ArrayList<>();
        client.commit(txn -> {
            found.clear();
            found.addAll(keys(
                    to == null
                            ? txn.scanFrom(table, bytes(from), limit, Intent.READ)
                            : txn.scan(table, bytes(from), bytes(to), limit, Intent.READ)));
        });
        return found;
    }

    private void insert(Client by, byte[] key) {
        by.commit(txn -> {
            Access access = txn.insert(table, key);
            txn.fetch();
            if (!access.exists()) {
                access.putLong(0, Arrays.hashCode(key));
            }
        });
    }

    // ---- the interface

    @Test
    void shouldScanInUnsignedOrderAShorterKeyBeforeItsExtensions() {
        String greatest = "\u00ff".repeat(10);
        createSmall(10, "b", "a", "\u0080", "ab", "a\0", greatest, "\0", "a\0b", "aaaaaaaab", "aaaaaaaa", "\0\0");
        assertThat(scan("", null, EVERYTHING))
                .containsExactly(
                        "\0", "\0\0", "a", "a\0", "a\0b", "aaaaaaaa", "aaaaaaaab", "ab", "b", "\u0080", greatest);
        assertThat(scan("a", "ab", EVERYTHING)).containsExactly("a", "a\0", "a\0b", "aaaaaaaa", "aaaaaaaab");
        assertThat(scan("a\0", "ab\0", EVERYTHING)).containsExactly("a\0", "a\0b", "aaaaaaaa", "aaaaaaaab", "ab");
        assertThat(scan("", "\0", EVERYTHING)).isEmpty();
        assertThat(scan("", "", EVERYTHING)).isEmpty();
        assertThat(scan("b", "a", EVERYTHING)).isEmpty();
        assertThat(scan("a", null, 2)).containsExactly("a", "a\0");
        assertThat(scan("a", null, 0)).isEmpty();
        assertSound();
    }

    // Goal: scans accept bounds that are longer than any key, and keys of the full length.
    @Test
    void shouldTakeBoundsOfAnyLength() {
        String greatest = "\u00ff\u00ff\u00ff";
        createSmall(3, "abc", "abd", "ab", "ac", greatest, "zzz");
        assertThat(scan("abc", "abc\0", EVERYTHING)).containsExactly("abc");
        assertThat(scan("abc\0", "abd", EVERYTHING)).isEmpty();
        assertThat(scan("abc\0", "abd\0\0\0\0", EVERYTHING)).containsExactly("abd");
        assertThat(scan("abcdefghijklmnop", "zzzz", EVERYTHING)).containsExactly("abd", "ac", "zzz");
        assertThat(scan(greatest, null, EVERYTHING)).containsExactly(greatest);
        assertThat(scan(greatest + "\0", null, EVERYTHING)).isEmpty();
        assertThat(scan("zzz", greatest + greatest, EVERYTHING)).containsExactly("zzz", greatest);
        assertThat(ByteKeySlot.after(bytes("ab"))).isEqualTo(bytes("ab\0"));
    }

    @Test
    void shouldReturnTheRangeThatAScanHasCovered() {
        createSmall(4, "a", "b", "c");
        client.commit(txn -> {
            assertThat(txn.scan(table, bytes("a"), bytes("x"), 2, Intent.READ).byteLast())
                    .isEqualTo(bytes("b"));
            assertThat(txn.scan(table, bytes("a"), bytes("x\0"), 4, Intent.READ).byteLast())
                    .isEqualTo(bytes("x"));
            assertThat(txn.scan(table, bytes("a"), bytes("x"), 4, Intent.READ).byteLast())
                    .isEqualTo(bytes("w\u00ff\u00ff\u00ff"));
            assertThat(txn.scan(1).byteFrom()).isEqualTo(bytes("a"));
            Scan nothing = txn.scan(table, bytes("x"), bytes("x"), 4, Intent.READ);
            assertThat(Arrays.compareUnsigned(nothing.byteFrom(), nothing.byteLast()))
                    .isPositive();
        });
    }

    @Test
    void shouldSeeItsOwnInsertsAndDeletes() {
        createSmall(8, "10", "20", "30");
        client.commit(txn -> {
            Access access = txn.insert(table, bytes("15"));
            txn.delete(table, bytes("20"));
            Scan scan = txn.scanFrom(table, bytes(""), 100, Intent.READ);
            assertThat(keys(scan)).containsExactly("10", "15", "30");
            assertThat(scan.access(1)).isSameAs(access);
            assertThat(scan.access(1).keyBytes()).isEqualTo(2);
            access.putLong(0, 99);
        });
        assertThat(scan("", null, 100)).containsExactly("10", "15", "30");
        client.commit(txn -> txn.scan(table, bytes("1"), bytes("2"), 100, Intent.DELETE));
        assertThat(scan("", null, 100)).containsExactly("30");
        assertSound();
    }

    @Test
    void shouldRefuseRangesOfTheOtherKind() {
        createSmall(8, "a");
        client.txn.begin(true);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.txn.scan(table, 1, 2, 3))
                .withMessage("table names has byte-string keys, got numbers as a range");
        create(TableSchema.ofLongKeys(0, "orders", 8, 10).ordered(), KeyList.of(new long[0]));
        client.txn.begin(true);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client.txn.scanFrom(table, new byte[1], 3, Intent.READ))
                .withMessage("table orders has 64-bit keys, got byte strings as a range");
    }

    // ---- sizes

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 9, 32, 255, 256, 799, 800})
    void shouldChooseNodesThatHoldEnoughKeysOfEveryLimit(int keyBytes) {
        TableSchema schema = TableSchema.ofByteKeys(0, "t", keyBytes, 8, 10).ordered();
        create(schema, Stream.empty());
        IndexNodeLayout layout = table.indexNodeLayout();
        assertThat(schema.indexNodeBytes()).isBetween(512, IndexNodeLayout.MAX_NODE_BYTES);
        int children = layout.capacity(1);
        assertThat(children).isGreaterThanOrEqualTo(keyBytes <= 200 ? 32 : 8);
        assertThat(layout.keyOffset(1, children)).isLessThanOrEqualTo(schema.indexNodeBytes());
        assertThat(layout.keyOffset(0, layout.capacity(0))).isLessThanOrEqualTo(schema.indexNodeBytes());
    }

    @Test
    void shouldRefuseNodesForFewerThanFourChildren() {
        TableSchema schema = TableSchema.ofByteKeys(0, "t", 32, 8, 10);
        int smallest = IndexNodeLayout.minNodeBytes(KeyKind.BYTES, 32);
        assertThat(schema.ordered(smallest).isOrdered()).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> schema.ordered(smallest - 1))
                .withMessage("table t: indexNodeBytes must be " + smallest + " to 8192, got " + (smallest - 1));
    }

    // ---- the tree

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5, 20, 21, 100, 500})
    void shouldLoadTreesOfAnySize(int size) {
        create(small(12), IntStream.range(0, size).mapToObj(i -> bytes("user" + i)));
        assertSound();
        assertThat(scan("", null, EVERYTHING)).hasSize(size).isSorted();
    }

    @Test
    void shouldSplitAndMerge() {
        for (boolean ascending : new boolean[] {true, false}) {
            createSmall(8);
            for (int i = 0; i < 400; i++) {
                insert(client, bytes(String.format("%04d", ascending ? i : 399 - i)));
            }
            assertSound();
            assertThat(scan("", null, EVERYTHING)).hasSize(400).isSorted();
            for (int i = 0; i < 400; i++) {
                byte[] key = bytes(String.format("%04d", i * 7 % 400));
                client.commit(txn -> txn.delete(table, key));
            }
            assertSound();
            assertThat(nodes()).isEqualTo(2);
        }
    }

    @Test
    void shouldReadInnerNodesOnlyWhenItIsCold() {
        create(small(12), IntStream.range(0, 500).mapToObj(i -> bytes(String.format("user%04d", i))));
        client.commit(txn -> txn.read(table, bytes("user0000")));
        scan("", null, EVERYTHING);
        long before = client.coordinator.fetches;
        assertThat(scan("user0250", "user0251", 1)).hasSize(1);
        assertThat(client.coordinator.fetches - before)
                .as("the leaf, the record")
                .isEqualTo(2);
    }

    @Test
    void shouldNotAllocateOnceWarm() {
        byte[][] loaded = IntStream.range(0, 1_000)
                .mapToObj(i -> bytes(String.format("user%05d", i)))
                .toArray(byte[][]::new);
        byte[][] added = IntStream.range(0, 1_000)
                .mapToObj(i -> bytes(String.format("user%05d+", i)))
                .toArray(byte[][]::new);
        byte[] end = bytes("v");
        byte[] found = new byte[16];
        create(TableSchema.ofByteKeys(0, "names", 32, 8, 2_000).ordered(), Arrays.stream(loaded));
        Procedure procedure = new Procedure() {
            private int number;

            @Override
            public void declare(Transaction txn) {
                number = (number + 37) % 900;
                txn.insert(table, added[number]);
                txn.delete(table, loaded[number]);
            }

            @Override
            public void execute(Transaction txn) {
                Scan scan = txn.scan(table, loaded[number], end, 30, Intent.READ);
                scan.access(0).getKey(found, 0);
                if (scan.size() != 30 || Arrays.mismatch(found, added[number]) < added[number].length) {
                    throw new AssertionError("first key " + string(found) + " after " + number);
                }
                txn.abort();
            }
        };
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        int rounds = 1_000;
        long least = Long.MAX_VALUE;
        for (int attempt = 0; attempt < 20 && least > 0; attempt++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < rounds; i++) {
                client.runner.run(procedure);
            }
            least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / rounds);
        }
        assertThat(least).as("bytes per transaction").isZero();
    }

    // ---- properties

    // Goal: the operations of three clients, each with hints of its own, have the same effect on a table as
    // on a sorted set.
    // Method: short alphabets make many keys that are prefixes of others, and many that end in zeros or 0xff.
    // Size limits are reached.
    @Test
    void shouldEqualASortedSet() {
        for (int keyBytes : new int[] {1, 3, 8, 13, 40}) {
            Seeds.forEach(12, random -> {
                NavigableSet<byte[]> expected = new TreeSet<>(Arrays::compareUnsigned);
                byte[][] universe = universe(random, keyBytes);
                for (int i = 0; i < random.nextInt(universe.length); i++) {
                    expected.add(universe[random.nextInt(universe.length)]);
                }
                create(random.nextBoolean() ? small(keyBytes) : small(keyBytes).ordered(), expected.stream());
                List<Client> clients =
                        List.of(client, new Client(1, new IndexHints(catalog)), new Client(2, new IndexHints(catalog)));
                for (int i = 0; i < 100; i++) {
                    step(random, universe, expected, clients.get(random.nextInt(clients.size())));
                }
                assertSound();
                assertThat(scan("", null, EVERYTHING))
                        .containsExactlyElementsOf(expected.stream()
                                .map(OrderedIndexOfBytesTest::string)
                                .toList());
            });
        }
    }

    private static byte[][] universe(SplittableRandom random, int keyBytes) {
        byte[] alphabet = {0, 1, 'a', (byte) 0x80, (byte) 0xFE, (byte) 0xFF};
        byte[][] keys = new byte[4 + random.nextInt(300)][];
        for (int i = 0; i < keys.length; i++) {
            byte[] key = new byte[random.nextInt(4) == 0 ? keyBytes : 1 + random.nextInt(keyBytes)];
            byte common = alphabet[random.nextInt(alphabet.length)];
            for (int at = 0; at < key.length; at++) {
                key[at] = random.nextInt(3) == 0 ? alphabet[random.nextInt(alphabet.length)] : common;
            }
            keys[i] = key;
        }
        return keys;
    }

    /** One transaction of several operations, which may abort. */
    private void step(SplittableRandom random, byte[][] universe, NavigableSet<byte[]> expected, Client by) {
        long seed = random.nextLong();
        int mood = random.nextInt(4); // 0 mostly deletes, 1 mostly inserts
        NavigableSet<byte[]> result = new TreeSet<>(Arrays::compareUnsigned);
        Outcome outcome = by.runner.run(executing(txn -> {
            SplittableRandom steps = new SplittableRandom(seed);
            result.clear();
            result.addAll(expected);
            NavigableSet<byte[]> touched = new TreeSet<>(Arrays::compareUnsigned);
            int operations = 1 + steps.nextInt(12);
            for (int i = 0; i < operations; i++) {
                byte[] key = universe[steps.nextInt(universe.length)];
                int what = mood < 2 && steps.nextInt(4) != 0 ? mood : steps.nextInt(4);
                if (what > 1) {
                    checkScan(txn, steps, key, universe[steps.nextInt(universe.length)], result, touched);
                } else if (touched.add(key)) {
                    change(txn, key, what == 0, result);
                }
            }
            if (steps.nextInt(10) == 0) {
                txn.abort();
            }
        }));
        if (outcome == Outcome.COMMITTED) {
            expected.clear();
            expected.addAll(result);
        } else {
            assertThat(by.txn.abortReason()).isEqualTo(AbortReason.USER_ABORT);
        }
    }

    private void change(Transaction txn, byte[] key, boolean deletes, NavigableSet<byte[]> result) {
        if (deletes) {
            txn.delete(table, key);
            result.remove(key);
        } else {
            Access access = txn.insert(table, key);
            txn.fetch();
            assertThat(access.exists()).isEqualTo(result.contains(key));
            if (!access.exists()) {
                access.putLong(0, Arrays.hashCode(key));
                result.add(key);
            }
        }
    }

    /**
     * Checks a scan. Bounds are inclusive or exclusive, and may be longer than keys may be; scanned keys go to {@code touched}, and are not changed
     * afterwards.
     */
    private void checkScan(
            Transaction txn,
            SplittableRandom random,
            byte[] from,
            byte[] to,
            NavigableSet<byte[]> result,
            NavigableSet<byte[]> touched) {
        boolean withFrom = random.nextBoolean();
        boolean withTo = random.nextBoolean();
        boolean descends = random.nextBoolean();
        int limit = random.nextInt(30);
        byte[] first = withFrom ? from : ByteKeySlot.after(from);
        byte[] end = withTo ? ByteKeySlot.after(to) : to;
        Scan scan = descends
                ? txn.scanDown(table, first, end, limit, Intent.READ)
                : txn.scan(table, first, end, limit, Intent.READ);
        List<byte[]> within = Arrays.compareUnsigned(from, to) > 0
                ? List.of()
                : List.copyOf(result.subSet(from, withFrom, to, withTo));
        List<byte[]> expected =
                (descends ? within.reversed() : within).stream().limit(limit).toList();
        assertThat(keys(scan))
                .isEqualTo(
                        expected.stream().map(OrderedIndexOfBytesTest::string).toList());
        for (int i = 0; i < scan.size(); i++) {
            assertThat(scan.access(i).getLong(0)).isEqualTo(Arrays.hashCode(scan.byteKey(i)));
            touched.add(scan.byteKey(i));
        }
    }

    // ---- the check

    // Goal: each kind of damage to a node is found.
    // Method: change every word of every node, one after the other.
    @Test
    void shouldDetectDamageToAnyWordInUse() {
        create(small(12), IntStream.range(0, 40).mapToObj(i -> bytes("k" + i * 7919)));
        assertSound();
        IndexNodeLayout layout = table.indexNodeLayout();
        int[] damages = {0};
        for (int node = 0; node < 3; node++) {
            TablePartition nodes =
                    memstores.get(node).partition(table.indexNodes().id(), node);
            nodes.forEachTuple(tuple -> {
                long record = tuple + nodes.table().layout().tuple().recordOffset();
                int level = (int) nodes.memory().getLong(record + IndexNodeLayout.LEVEL_OFFSET);
                int count = (int) nodes.memory().getLong(record + IndexNodeLayout.COUNT_OFFSET);
                for (int offset = 0; offset < layout.keyOffset(level, count); offset += Memory.WORD_BYTES) {
                    if (level > 0 && offset == IndexNodeLayout.NEXT_OFFSET) {
                        continue; // only leaves use this word
                    }
                    long word = nodes.memory().getLong(record + offset);
                    for (long damage : new long[] {1, 1L << 63, word == 0 ? -1 : word}) {
                        nodes.memory().putLong(record + offset, word ^ damage);
                        assertThat(violations())
                                .as("word %d of a node of level %d, changed by %x", offset / 8, level, damage)
                                .isNotEmpty();
                        damages[0]++;
                    }
                    nodes.memory().putLong(record + offset, word);
                }
            });
        }
        assertSound();
        assertThat(damages[0]).isGreaterThan(500);
    }

    @Test
    void shouldDetectAnIndexThatDisagreesWithItsTable() {
        createSmall(8, "a", "b", "c");
        SerialCoordinator.load(table, memstores, bytes("bb"), value(bytes("bb")));
        assertThat(violations())
                .containsExactly("ordered index of table names: the index has 3 keys and the table 4, the first "
                        + "difference is 0x63 in the index, 0x6262 in the table");
    }
}
