package dev.rcc.core.txn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.management.ThreadMXBean;
import dev.rcc.core.store.ByteKeySlot;
import dev.rcc.core.store.IndexSchema.Part;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.KeyList;
import dev.rcc.core.store.KeyParts;
import dev.rcc.core.store.OrderedIndexCheck;
import dev.rcc.core.store.SecondaryIndexCheck;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.Seeds;
import dev.rcc.core.testing.SerialCoordinator;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * {@link SecondaryIndexes}, on memstores without concurrency control. A person has a city, a number of 8 bytes, an age of 4 and a name of 4. One
 * index is by city and age, one is unique by name, and one is by the key's beginning and the name.
 */
class SecondaryIndexesTest extends OrderedIndexFixture {
    private static final int CITY = 0;
    private static final int AGE = 8;
    private static final int NAME = 12;
    private static final int NAME_BYTES = 4;
    private static final int RECORD_BYTES = 16;
    private static final int KEY_BYTES = 6;

    private Table byCity;
    private Table byName;
    private Table byKey;

    private void create(KeyKind kind) {
        TableSchema people = kind == KeyKind.LONG
                ? TableSchema.ofLongKeys(0, "people", RECORD_BYTES, 300).ordered(104)
                : TableSchema.ofByteKeys(0, "people", KEY_BYTES, RECORD_BYTES, 300);
        create(
                List.of(
                        people,
                        TableSchema.index(1, "by_city", people, false, List.of(Part.ofLong(CITY), Part.ofInteger(AGE))),
                        TableSchema.index(2, "by_name", people, true, List.of(Part.ofBytes(NAME, NAME_BYTES))),
                        TableSchema.index(
                                3, "by_key", people, false, List.of(Part.ofKey(0, 2), Part.ofBytes(NAME, NAME_BYTES)))),
                id -> new KeyList(id == 0 ? kind : KeyKind.BYTES));
        byCity = catalog.table(1);
        byName = catalog.table(2);
        byKey = catalog.table(3);
    }

    /** The model of a record. */
    private record Person(long city, int age, String name) {
        byte[] bytes() {
            return ByteBuffer.allocate(RECORD_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(city)
                    .putInt(age)
                    .put(name.getBytes(StandardCharsets.US_ASCII))
                    .array();
        }

        static Person of(Access access) {
            byte[] bytes = new byte[RECORD_BYTES];
            access.getBytes(0, bytes, 0, RECORD_BYTES);
            ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            return new Person(
                    buffer.getLong(), buffer.getInt(), new String(bytes, NAME, NAME_BYTES, StandardCharsets.US_ASCII));
        }

        byte[] entryByCity(Key key) {
            byte[] entry = new byte[12 + key.ordered().length];
            KeyParts.putInteger(entry, KeyParts.putLong(entry, 0, city), age);
            System.arraycopy(key.ordered(), 0, entry, 12, key.ordered().length);
            return entry;
        }

        byte[] entryByName() {
            return name.getBytes(StandardCharsets.US_ASCII);
        }

        byte[] entryByKey(Key key) {
            return concat(Arrays.copyOf(key.ordered(), 2), entryByName(), key.ordered());
        }
    }

    /** A key of either kind, with its order. */
    private static final class Key {
        private final long number;
        private final byte[] string;

        private Key(long number, byte[] string) {
            this.number = number;
            this.string = string;
        }

        static Key of(long number) {
            return new Key(number, null);
        }

        static Key of(byte[] string) {
            return new Key(0, string);
        }

        byte[] ordered() {
            return string != null
                    ? string
                    : ByteBuffer.allocate(8).putLong(number ^ Long.MIN_VALUE).array();
        }

        static Key of(Access access) {
            return access.table().schema().keyKind() == KeyKind.LONG ? of(access.longKey()) : of(access.byteKey());
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && Arrays.equals(ordered(), key.ordered());
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(ordered());
        }

        @Override
        public String toString() {
            return Arrays.toString(ordered());
        }
    }

    private static final Comparator<Key> BY_KEY = Comparator.comparing(Key::ordered, Arrays::compareUnsigned);

    private static byte[] concat(byte[]... parts) {
        ByteBuffer all = ByteBuffer.allocate(
                Stream.of(parts).mapToInt(part -> part.length).sum());
        Stream.of(parts).forEach(all::put);
        return all.array();
    }

    private static byte[] city(long city) {
        byte[] prefix = new byte[Long.BYTES];
        KeyParts.putLong(prefix, 0, city);
        return prefix;
    }

    private static byte[] name(String name) {
        return name.getBytes(StandardCharsets.US_ASCII);
    }

    private void insert(Transaction txn, long key, Person person) {
        Access access = txn.insert(table, key);
        txn.fetch();
        access.putBytes(0, person.bytes(), 0, RECORD_BYTES);
    }

    private void load(Map<Long, Person> people) {
        client.commit(txn -> people.forEach((key, person) -> insert(txn, key, person)));
    }

    private static void put(Access access, Person person) {
        access.putBytes(0, person.bytes(), 0, RECORD_BYTES);
    }

    private static List<Long> keys(Scan scan) {
        List<Long> keys = new ArrayList<>();
        for (int i = 0; i < scan.size(); i++) {
            keys.add(scan.key(i));
        }
        return keys;
    }

    private List<Long> inCity(long city) {
        List<Long> found = new ArrayList<>();
        client.commit(txn -> {
            found.clear();
            found.addAll(keys(txn.findPrefix(byCity, city(city), 100, Intent.READ)));
        });
        return found;
    }

    private Outcome run(Consumer<Transaction> body) {
        return client.runner.run(executing(body));
    }

    private void assertIndexed() {
        for (int id = 0; id < catalog.userTables(); id++) {
            Table each = catalog.table(id);
            if (each.isOrdered()) {
                assertThat(new OrderedIndexCheck(catalog, memstores::get, each).violations())
                        .isEmpty();
            }
            if (each.isIndex()) {
                assertThat(new SecondaryIndexCheck(catalog, memstores::get, each).violations())
                        .isEmpty();
            }
        }
    }

    // ---- the interface

    @Test
    void shouldFindRecordsInTheOrderOfTheIndex() {
        create(KeyKind.LONG);
        load(Map.of(
                7L, new Person(-3, 40, "anna"),
                8L, new Person(-3, -1, "bert"),
                -9L, new Person(5, 20, "carl"),
                1L, new Person(5, 20, "dora"),
                2L, new Person(5, 30, "emil")));
        assertIndexed();
        client.commit(txn -> {
            assertThat(keys(txn.findFrom(byCity, new byte[0], 100, Intent.READ)))
                    .containsExactly(8L, 7L, -9L, 1L, 2L);
            assertThat(keys(txn.findDownFrom(byCity, new byte[0], 2, Intent.READ)))
                    .containsExactly(2L, 1L);
            assertThat(keys(txn.find(byCity, city(-3), city(5), 100, Intent.READ)))
                    .containsExactly(8L, 7L);
            assertThat(keys(txn.findDown(byCity, city(-3), city(6), 3, Intent.READ)))
                    .containsExactly(2L, 1L, -9L);
            assertThat(keys(txn.findPrefix(byCity, city(5), 2, Intent.READ))).containsExactly(-9L, 1L);
            assertThat(keys(txn.findPrefixDown(byCity, city(-3), 1, Intent.READ)))
                    .containsExactly(7L);
            assertThat(keys(txn.findPrefix(byName, name("ca"), 9, Intent.READ))).containsExactly(-9L);
            assertThat(txn.findPrefix(byName, name("zz"), 9, Intent.READ).size())
                    .isZero();
            assertThat(txn.findFrom(byName, name("a"), 0, Intent.READ).size()).isZero();
            Scan one = txn.findPrefix(byName, name("dora"), 9, Intent.READ);
            assertThat(Person.of(one.access(0))).isEqualTo(new Person(5, 20, "dora"));
            assertThat(one.access(0).table()).isSameAs(table);
            assertThat(one.table()).isSameAs(byName);
        });
    }

    @Test
    void shouldScanEntriesWhichNameTheirRecords() {
        create(KeyKind.LONG);
        load(Map.of(7L, new Person(1, 2, "anna"), -8L, new Person(1, 2, "bert")));
        client.commit(txn -> {
            Scan entries = txn.scanFrom(byName, new byte[0], 9, Intent.READ);
            assertThat(entries.size()).isEqualTo(2);
            assertThat(entries.byteKey(0)).isEqualTo(name("anna"));
            assertThat(entries.access(0).getLong(0)).isEqualTo(7);
            assertThat(entries.access(1).getLong(0)).isEqualTo(-8);
            Scan some = txn.scanPrefix(byCity, city(1), 9, Intent.READ);
            assertThat(some.access(0).getLong(0)).isEqualTo(-8);
            assertThat(txn.scanPrefixDown(byCity, city(1), 1, Intent.READ)
                            .access(0)
                            .getLong(0))
                    .isEqualTo(7);
            assertThat(txn.scanPrefix(byName, new byte[9], 1, Intent.READ).size())
                    .isZero();
        });
    }

    @Test
    void shouldFollowUpdatesDeletesAndBlindWrites() {
        create(KeyKind.LONG);
        load(Map.of(1L, new Person(1, 1, "anna"), 2L, new Person(1, 2, "bert"), 3L, new Person(1, 3, "carl")));
        client.commit(txn -> {
            Access anna = txn.update(table, 1);
            Access bert = txn.write(table, 2);
            txn.delete(table, 3);
            txn.fetch();
            anna.putLong(CITY, 2);
            assertThat(bert.getLong(CITY)).isZero();
            bert.putLong(CITY, 3);
        });
        assertIndexed();
        assertThat(inCity(1)).isEmpty();
        assertThat(inCity(2)).containsExactly(1L);
        assertThat(inCity(3)).containsExactly(2L);
        client.commit(txn -> {
            assertThat(Person.of(txn.findPrefix(byName, new byte[4], 1, Intent.READ)
                                    .access(0))
                            .city())
                    .isEqualTo(3);
            assertThat(txn.findPrefix(byName, name("bert"), 1, Intent.READ).size())
                    .isZero();
        });
    }

    // A blind write without data replaces the record by zeros; its index entries are removed with it.
    @Test
    void shouldFollowABlindWriteOfNothing() {
        create(KeyKind.LONG);
        load(Map.of(1L, new Person(1, 1, "anna")));
        client.commit(txn -> {
            txn.write(table, 1);
            txn.write(table, 1);
            txn.write(table, 2);
        });
        assertIndexed();
        assertThat(inCity(1)).isEmpty();
        assertThat(inCity(0)).containsExactly(1L);
        assertThatIllegalStateException()
                .isThrownBy(() -> run(txn -> {
                    txn.write(table, 1);
                    txn.update(table, 1);
                }));
    }

    @Test
    void shouldTouchNoEntryOfAnUpdateThatChangesNoPart() {
        create(KeyKind.LONG);
        load(Map.of(1L, new Person(1, 1, "anna")));
        client.commit(txn -> {
            Access anna = txn.update(table, 1);
            txn.fetch();
            anna.putLong(CITY, 9);
            anna.putLong(CITY, 1);
        });
        assertThat(client.txn.size()).as("the record alone").isEqualTo(1);
        assertIndexed();
    }

    @Test
    void shouldRefuseASecondRecordWithAUniqueKey() {
        create(KeyKind.LONG);
        load(Map.of(1L, new Person(1, 1, "anna"), 2L, new Person(1, 1, "bert")));
        assertThat(run(txn -> insert(txn, 3, new Person(5, 5, "anna")))).isEqualTo(Outcome.ABORTED);
        assertThat(client.txn.abortReason()).isEqualTo(AbortReason.DUPLICATE_KEY);
        assertThat(client.metrics.aborts(AbortReason.DUPLICATE_KEY)).isEqualTo(1);
        assertThat(run(txn -> put(fetched(txn, txn.update(table, 2)), new Person(5, 5, "anna"))))
                .isEqualTo(Outcome.ABORTED);
        assertThat(client.txn.abortReason()).isEqualTo(AbortReason.DUPLICATE_KEY);
        assertThat(run(txn -> {
                    insert(txn, 5, new Person(1, 1, "carl"));
                    insert(txn, 6, new Person(1, 1, "carl"));
                }))
                .isEqualTo(Outcome.ABORTED);
        assertThat(client.txn.abortReason()).isEqualTo(AbortReason.DUPLICATE_KEY);
        assertThat(run(
                        txn -> { // only one insert can take a key that a delete frees
                            txn.delete(table, 1);
                            insert(txn, 5, new Person(1, 1, "anna"));
                            insert(txn, 6, new Person(1, 1, "anna"));
                        }))
                .isEqualTo(Outcome.ABORTED);
        assertThat(client.txn.abortReason()).isEqualTo(AbortReason.DUPLICATE_KEY);
        assertThat(client.txn.duplicateIn()).isSameAs(byName);
        assertThat(inCity(1)).containsExactly(1L, 2L);
        assertIndexed();
    }

    private static Access fetched(Transaction txn, Access access) {
        txn.fetch();
        return access;
    }

    @Test
    void shouldLetRecordsExchangeOrHandOnAUniqueKey() {
        create(KeyKind.LONG);
        load(Map.of(1L, new Person(1, 1, "anna"), 2L, new Person(1, 1, "bert"), 3L, new Person(1, 1, "carl")));
        client.commit(txn -> {
            Access one = txn.update(table, 1);
            Access two = txn.update(table, 2);
            txn.delete(table, 3);
            txn.fetch();
            put(one, new Person(1, 1, "bert"));
            put(two, new Person(1, 1, "anna"));
            insert(txn, 4, new Person(2, 2, "carl"));
        });
        assertIndexed();
        client.commit(txn -> {
            assertThat(keys(txn.findFrom(byName, new byte[0], 9, Intent.READ))).containsExactly(2L, 1L, 4L);
        });
    }

    @Test
    void shouldFindRecordsAsTheTransactionItselfHasChangedThem() {
        create(KeyKind.LONG);
        load(Map.of(1L, new Person(1, 1, "anna"), 2L, new Person(1, 2, "bert"), 3L, new Person(1, 3, "carl")));
        client.commit(txn -> {
            Access anna = fetched(txn, txn.update(table, 1));
            anna.putLong(CITY, 2);
            txn.delete(table, 2);
            insert(txn, 4, new Person(1, 0, "dora"));
            assertThat(keys(txn.findPrefix(byCity, city(1), 9, Intent.READ))).containsExactly(4L, 3L);
            assertThat(keys(txn.findPrefixDown(byCity, city(1), 1, Intent.READ)))
                    .containsExactly(3L);
            assertThat(keys(txn.findPrefix(byCity, city(2), 9, Intent.UPDATE))).containsExactly(1L);
            assertThat(keys(txn.findPrefix(byName, name("bert"), 9, Intent.READ)))
                    .isEmpty();
            assertThat(keys(txn.findFrom(byName, new byte[0], 2, Intent.READ))).containsExactly(1L, 3L);
            anna.putLong(CITY, 1);
            assertThat(keys(txn.findPrefix(byCity, city(1), 9, Intent.READ))).containsExactly(4L, 1L, 3L);
        });
        assertIndexed();
        assertThat(inCity(1)).containsExactly(4L, 1L, 3L);
    }

    @Test
    void shouldFindToUpdateAndToDelete() {
        create(KeyKind.LONG);
        load(Map.of(1L, new Person(1, 1, "anna"), 2L, new Person(1, 2, "bert"), 3L, new Person(2, 3, "carl")));
        client.commit(txn -> {
            Scan found = txn.findPrefix(byCity, city(1), 9, Intent.UPDATE);
            for (int i = 0; i < found.size(); i++) {
                found.access(i).putLong(CITY, 7);
            }
        });
        assertThat(inCity(7)).containsExactly(1L, 2L);
        client.commit(txn -> txn.findPrefix(byCity, city(7), 1, Intent.DELETE));
        assertThat(inCity(7)).containsExactly(2L);
        client.commit(txn -> {
            assertThat(txn.findPrefix(byName, name("bert"), 1, Intent.READ).size())
                    .isEqualTo(1);
            assertThat(txn.findPrefix(byName, name("bert"), 1, Intent.DELETE).size())
                    .isEqualTo(1);
        });
        assertThat(inCity(7)).isEmpty();
        assertIndexed();
    }

    // A transaction that looks for a name and finds no record may insert that name.
    @Test
    void shouldInsertARecordThatItHasSearchedForInVain() {
        create(KeyKind.LONG);
        client.commit(txn -> {
            assertThat(txn.findPrefix(byName, name("anna"), 1, Intent.READ).size())
                    .isZero();
            insert(txn, 1, new Person(1, 1, "anna"));
        });
        client.commit(txn -> {
            Access entry = fetched(txn, txn.read(byName, name("bert")));
            assertThat(entry.exists()).isFalse();
            insert(txn, 2, new Person(1, 2, "bert"));
        });
        assertThat(inCity(1)).containsExactly(1L, 2L);
        assertIndexed();
    }

    @Test
    void shouldRefuseToHaveAnIndexWritten() {
        create(KeyKind.LONG);
        String refusal = "table by_name is an index of table people: write table people instead";
        List<Consumer<Transaction>> writes = List.of(
                txn -> txn.insert(byName, name("anna")),
                txn -> txn.update(byName, name("anna")),
                txn -> txn.write(byName, name("anna")),
                txn -> txn.delete(byName, name("anna")),
                txn -> txn.scanFrom(byName, new byte[0], 1, Intent.DELETE));
        for (Consumer<Transaction> write : writes) {
            assertThatIllegalArgumentException().isThrownBy(() -> run(write)).withMessage(refusal);
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run(txn -> txn.findFrom(table, new byte[0], 1, Intent.READ)))
                .withMessage("table people is not a secondary index: use scan");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> run(txn -> txn.findFrom(byName, new byte[0], 1, Intent.INSERT)));
    }

    @Test
    void shouldAllocateNothing() {
        create(KeyKind.LONG);
        load(Map.of(1L, new Person(1, 1, "anna"), 2L, new Person(1, 2, "bert")));
        client.use(new SerialCoordinator(client.txn, memstores) {
            @Override
            protected boolean mayCommit() { // this fixture's install allocates
                txn.abort(AbortReason.TABLE_FULL);
                return false;
            }
        });
        client.coordinator.upgradesInPlace = true;
        byte[] prefix = city(1);
        Procedure procedure = executing(txn -> {
            Scan found = txn.findPrefix(byCity, prefix, 2, Intent.UPDATE);
            found.access(0).putLong(AGE, found.access(0).getLong(AGE) + 2);
            txn.findPrefixDown(byCity, prefix, 1, Intent.READ);
        });
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
        assertThat(client.txn.abortReason()).isEqualTo(AbortReason.TABLE_FULL);
        assertThat(least).as("bytes per transaction").isZero();
    }

    // ---- random transactions

    @ParameterizedTest
    @EnumSource(KeyKind.class)
    void shouldBeTheProjectionOfItsBaseAfterEachCommit(KeyKind kind) {
        for (boolean upgradesInPlace : new boolean[] {false, true}) {
            Seeds.forEach(25, random -> {
                create(kind);
                client.coordinator.upgradesInPlace = upgradesInPlace;
                Key[] universe = universe(kind, random);
                TreeMap<Key, Person> expected = new TreeMap<>(BY_KEY);
                for (int i = 0; i < 150; i++) {
                    step(random, universe, expected);
                    if (i % 10 == 0) {
                        assertIndexed();
                    }
                }
                assertIndexed();
            });
        }
    }

    private static Key[] universe(KeyKind kind, SplittableRandom random) {
        Key[] keys = new Key[10 + random.nextInt(60)];
        Arrays.setAll(keys, i -> {
            if (kind == KeyKind.LONG) {
                return Key.of(i == 0 ? Long.MIN_VALUE : i == 1 ? Long.MAX_VALUE : (i - 5L) << random.nextInt(56));
            }
            byte[] string = new byte[1 + random.nextInt(KEY_BYTES)];
            random.nextBytes(string);
            if (random.nextBoolean()) {
                Arrays.fill(string, (byte) random.nextInt(3));
            }
            return Key.of(string);
        });
        return keys;
    }

    private static Person person(SplittableRandom random) {
        return new Person(random.nextInt(6) - 3, random.nextInt(4) - 2, "n%03d".formatted(random.nextInt(120)));
    }

    /** One transaction of several operations, which may abort. */
    private void step(SplittableRandom random, Key[] universe, NavigableMap<Key, Person> expected) {
        long seed = random.nextLong();
        TreeMap<Key, Person> result = new TreeMap<>(BY_KEY);
        Outcome outcome = run(txn -> {
            SplittableRandom steps = new SplittableRandom(seed);
            result.clear();
            result.putAll(expected);
            Set<Key> settled = new HashSet<>(); // keys that allow no other operation
            int operations = 1 + steps.nextInt(6);
            for (int i = 0; i < operations; i++) {
                Key key = universe[steps.nextInt(universe.length)];
                switch (steps.nextInt(8)) {
                    case 0, 1 -> {
                        if (settled.add(key)) {
                            insertOrReplace(txn, key, person(steps), result);
                        }
                    }
                    case 2 -> {
                        if (settled.add(key)) {
                            delete(txn, key);
                            result.remove(key);
                        }
                    }
                    case 3 -> {
                        if (!settled.contains(key)) {
                            update(txn, key, person(steps), result);
                        }
                    }
                    case 4 -> {
                        if (settled.add(key) && !known(txn, key)) {
                            write(txn, key, person(steps), result);
                        }
                    }
                    default -> find(txn, steps, result, settled);
                }
            }
            if (steps.nextInt(10) == 0) {
                txn.abort();
            }
        });
        boolean isUnique = result.values().stream().map(Person::name).distinct().count() == result.size();
        if (outcome == Outcome.COMMITTED) {
            assertThat(isUnique).isTrue();
            expected.clear();
            expected.putAll(result);
        } else if (client.txn.abortReason() != AbortReason.USER_ABORT) {
            assertThat(client.txn.abortReason()).isEqualTo(AbortReason.DUPLICATE_KEY);
            assertThat(isUnique).isFalse();
        }
    }

    private boolean known(Transaction txn, Key key) {
        for (int i = 0; i < txn.size(); i++) {
            if (txn.access(i).table() == table && Key.of(txn.access(i)).equals(key)) {
                return true;
            }
        }
        return false;
    }

    private void insertOrReplace(Transaction txn, Key key, Person person, Map<Key, Person> result) {
        Access access =
                fetched(txn, key.string == null ? txn.insert(table, key.number) : txn.insert(table, key.string));
        assertThat(access.exists()).isEqualTo(result.containsKey(key));
        if (!access.exists()) {
            put(access, person);
            result.put(key, person);
        } else {
            update(txn, key, person, result);
        }
    }

    private void delete(Transaction txn, Key key) {
        if (key.string == null) {
            txn.delete(table, key.number);
        } else {
            txn.delete(table, key.string);
        }
    }

    private void update(Transaction txn, Key key, Person person, Map<Key, Person> result) {
        Access access =
                fetched(txn, key.string == null ? txn.update(table, key.number) : txn.update(table, key.string));
        assertThat(access.exists()).isEqualTo(result.containsKey(key));
        if (access.exists()) {
            put(access, person);
            result.put(key, person);
        }
    }

    private void write(Transaction txn, Key key, Person person, Map<Key, Person> result) {
        Access access = fetched(txn, key.string == null ? txn.write(table, key.number) : txn.write(table, key.string));
        assertThat(access.exists()).isEqualTo(result.containsKey(key));
        if (access.exists()) {
            put(access, person);
            result.put(key, person);
        }
    }

    private void find(Transaction txn, SplittableRandom steps, Map<Key, Person> result, Set<Key> settled) {
        Table index = List.of(byCity, byName, byKey).get(steps.nextInt(3));
        TreeMap<byte[], Key> entries = new TreeMap<>(Arrays::compareUnsigned);
        for (Map.Entry<Key, Person> each : result.entrySet()) {
            Key key = each.getKey();
            Person person = each.getValue();
            byte[] entry = index == byCity
                    ? person.entryByCity(key)
                    : index == byName ? person.entryByName() : person.entryByKey(key);
            if (entries.put(entry, key) != null) {
                return; // the transaction will be refused; until then, the result of a find is undefined
            }
        }
        byte[] from = bound(steps, entries);
        byte[] to = bound(steps, entries);
        int limit = steps.nextInt(8);
        boolean descends = steps.nextBoolean();
        List<Key> wanted = new ArrayList<>(
                Arrays.compareUnsigned(from, to) >= 0
                        ? List.of()
                        : entries.subMap(from, true, to, false).values());
        if (descends) {
            Collections.reverse(wanted);
        }
        wanted = wanted.subList(0, Math.min(limit, wanted.size()));
        Intent intent = steps.nextInt(6) > 0
                ? steps.nextBoolean() ? Intent.READ : Intent.UPDATE
                : wanted.stream().noneMatch(settled::contains) ? Intent.DELETE : Intent.READ;
        Scan scan = descends ? txn.findDown(index, from, to, limit, intent) : txn.find(index, from, to, limit, intent);
        List<Key> found = new ArrayList<>();
        for (int i = 0; i < scan.size(); i++) {
            found.add(Key.of(scan.access(i)));
            assertThat(Person.of(scan.access(i))).isEqualTo(result.get(found.getLast()));
        }
        assertThat(found).isEqualTo(wanted);
        for (int i = 0; i < scan.size(); i++) {
            Key key = found.get(i);
            if (intent == Intent.DELETE) {
                settled.add(key);
                result.remove(key);
            } else if (intent == Intent.UPDATE && steps.nextBoolean()) {
                Person person = person(steps);
                put(scan.access(i), person);
                result.put(key, person);
            }
        }
    }

    private static byte[] bound(SplittableRandom steps, NavigableMap<byte[], Key> entries) {
        if (entries.isEmpty() || steps.nextInt(4) == 0) {
            byte[] any = new byte[steps.nextInt(14)];
            steps.nextBytes(any);
            return any;
        }
        byte[] some = new ArrayList<>(entries.keySet()).get(steps.nextInt(entries.size()));
        return steps.nextBoolean() ? some : ByteKeySlot.after(some);
    }
}
