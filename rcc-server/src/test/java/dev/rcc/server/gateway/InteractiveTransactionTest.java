package dev.rcc.server.gateway;

import static dev.rcc.server.gateway.ClientFixture.NAMES;
import static dev.rcc.server.gateway.ClientFixture.NUMBERS;
import static dev.rcc.server.gateway.ClientFixture.WORDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.client.BadRequestException;
import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.ConflictException;
import dev.rcc.client.DeadlineExceededException;
import dev.rcc.client.Entry;
import dev.rcc.client.KeyRange;
import dev.rcc.client.OpenTransaction;
import dev.rcc.client.RecordExistsException;
import dev.rcc.client.RecordNotFoundException;
import dev.rcc.client.Table;
import dev.rcc.client.Transaction;
import dev.rcc.client.wire.Patch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client's transactions under every protocol, from the client library over the wire to an embedded cluster.
 * {@code -Drcc.seed=S} draws others.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class InteractiveTransactionTest {
    private static final long SEED = Long.getLong("rcc.seed", 7);
    private static final ClientOptions PATIENT = ClientOptions.DEFAULT.withCall(CallOptions.DEFAULT
            .withDeadline(Duration.ofSeconds(60))
            .withMaxAttempts(100_000)
            .withBackoff(Duration.ofMillis(1), Duration.ofMillis(10)));

    private ClientFixture fixture;

    private void start(String protocol) {
        fixture = new ClientFixture(protocol, GatewayOptions.DEFAULT, PATIENT);
    }

    @AfterEach
    void close() {
        fixture.closeAndInspect();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldReadBackItsOwnWrites(String protocol) {
        start(protocol);
        fixture.client.execute(txn -> {
            assertThat(txn.get(NUMBERS, 1L)).isEmpty();
            txn.put(NUMBERS, 1L, 10L);
            assertThat(txn.get(NUMBERS, 1L)).contains(10L);
            txn.insert(NUMBERS, 2L, 20L);
            assertThat(txn.delete(NUMBERS, 1L)).isTrue();
            assertThat(txn.delete(NUMBERS, 1L)).isFalse();
            assertThat(txn.get(NUMBERS, 1L)).isEmpty();
            txn.put(NAMES, "seven", 7L);
            txn.put(NUMBERS, 3L, 30L);
            assertThat(txn.scan(NUMBERS, 0L, 100L, 10)).containsExactly(new Entry<>(2L, 20L), new Entry<>(3L, 30L));
        });
        fixture.client.execute(txn -> {
            assertThat(txn.get(NUMBERS, 1L)).isEmpty();
            assertThat(txn.get(NAMES, "seven")).contains(7L);
            assertThat(txn.scan(NUMBERS, 0L, 100L, 10)).containsExactly(new Entry<>(2L, 20L), new Entry<>(3L, 30L));
            assertThat(txn.delete(NUMBERS, 2L)).isTrue();
            txn.insert(NUMBERS, 2L, 21L); // of a record that it has just deleted
            assertThat(txn.getForUpdate(NUMBERS, 3L)).contains(30L);
            txn.put(NUMBERS, 3L, 31L);
        });
        assertThat(fixture.client.<List<Entry<Long, Long>>>read(txn -> txn.scan(NUMBERS, 0L, 100L, 10)))
                .containsExactly(new Entry<>(2L, 21L), new Entry<>(3L, 31L));
    }

    // In UTF-8 a character beyond the basic plane comes after all that are in it.
    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldScanTextsInTheOrderOfTheirBytes(String protocol) {
        start(protocol);
        List<String> words = List.of("A", "a", "a\0", "ab", "b", "z", "\u00e4", "\uffff", "\ud83d\ude00");
        fixture.client.execute(txn ->
                words.reversed().forEach(word -> txn.put(WORDS, word, (long) words.indexOf(word))));
        fixture.client.execute(txn -> {
            assertThat(keys(txn.scan(WORDS, KeyRange.all(), 100))).isEqualTo(words);
            assertThat(keys(txn.scan(WORDS, KeyRange.from("a"), 3))).containsExactly("a", "a\0", "ab");
            assertThat(keys(txn.scan(WORDS, KeyRange.after("a").before("b"), 9)))
                    .containsExactly("a\0", "ab");
            assertThat(keys(txn.scan(WORDS, KeyRange.prefix("a"), 9))).containsExactly("a", "a\0", "ab");
            assertThat(keys(txn.scan(WORDS, "a", "b", 9))).containsExactly("a", "a\0", "ab", "b");
            assertThat(keys(txn.scan(WORDS, KeyRange.<String>all().descending(), 100)))
                    .isEqualTo(words.reversed());
            assertThat(keys(txn.scan(WORDS, KeyRange.prefix("a").descending(), 2)))
                    .containsExactly("ab", "a\0");
            assertThat(keys(txn.scan(WORDS, KeyRange.from("longer than any key").to("z".repeat(30)), 9)))
                    .containsExactly("z");
            txn.put(WORDS, "aa", 0L);
            txn.delete(WORDS, "a");
            assertThat(keys(txn.scanForUpdate(WORDS, KeyRange.prefix("a"), 9))).containsExactly("a\0", "aa", "ab");
            assertThat(keys(txn.scanForUpdate(WORDS, KeyRange.prefix("a").descending(), 2)))
                    .containsExactly("ab", "aa");
        });
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> fixture.client.read(txn -> txn.scan(NUMBERS, KeyRange.prefix(1L), 9)))
                .withMessageContaining("use KeyRange.between");
    }

    @ParameterizedTest
    @ValueSource(strings = {"occ"})
    void shouldScanNumbersUpToTheEnds(String protocol) {
        start(protocol);
        fixture.client.execute(
                txn -> LongStream.of(Long.MIN_VALUE, -1, 0, Long.MAX_VALUE).forEach(key -> txn.put(NUMBERS, key, key)));
        fixture.client.execute(txn -> {
            assertThat(keys(txn.scan(NUMBERS, KeyRange.all(), 9)))
                    .containsExactly(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE);
            assertThat(keys(txn.scan(NUMBERS, KeyRange.<Long>all().descending(), 3)))
                    .containsExactly(Long.MAX_VALUE, 0L, -1L);
            assertThat(keys(txn.scan(
                            NUMBERS, KeyRange.after(Long.MIN_VALUE).descending().before(Long.MAX_VALUE), 9)))
                    .containsExactly(0L, -1L);
            assertThat(keys(txn.scan(NUMBERS, KeyRange.after(Long.MAX_VALUE).descending(), 9)))
                    .isEmpty();
            assertThat(keys(txn.scan(NUMBERS, KeyRange.after(Long.MAX_VALUE), 9)))
                    .isEmpty();
            assertThat(keys(txn.scan(NUMBERS, KeyRange.after(Long.MAX_VALUE).to(Long.MAX_VALUE), 9)))
                    .isEmpty();
            assertThat(keys(txn.scan(NUMBERS, KeyRange.after(0L).to(Long.MAX_VALUE), 9)))
                    .containsExactly(Long.MAX_VALUE);
            assertThat(keys(txn.scan(NUMBERS, KeyRange.from(0L).before(Long.MAX_VALUE), 9)))
                    .containsExactly(0L);
            assertThat(keys(txn.scan(NUMBERS, KeyRange.<Long>all().before(Long.MIN_VALUE), 9)))
                    .isEmpty();
            assertThat(keys(txn.scan(NUMBERS, KeyRange.<Long>all().to(Long.MIN_VALUE), 9)))
                    .containsExactly(Long.MIN_VALUE);
        });
    }

    private static <K> List<K> keys(List<Entry<K, Long>> entries) {
        return entries.stream().map(Entry::key).toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldRejectAnInsertOfAnExistingRecordAndContinue(String protocol) {
        start(protocol);
        fixture.client.execute(txn -> txn.put(NAMES, "one", 1L));
        fixture.client.execute(txn -> {
            assertThatExceptionOfType(RecordExistsException.class).isThrownBy(() -> txn.insert(NAMES, "one", 2L));
            assertThat(txn.require(NAMES, "one")).isEqualTo(1);
            txn.put(NAMES, "one", 3L);
        });
        assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "one"))).isEqualTo(3);
        assertThatExceptionOfType(RecordNotFoundException.class)
                .isThrownBy(() -> fixture.client.read(txn -> txn.require(NAMES, "two")))
                .withMessageContaining("table names has no record two: use get");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldDiscardTheWritesOfAnAbortedTransaction(String protocol) {
        start(protocol);
        try (OpenTransaction txn = fixture.client.begin()) {
            txn.put(NUMBERS, 1L, 1L);
            txn.insert(NUMBERS, 2L, 2L);
        }
        assertThatExceptionOfType(ArithmeticException.class)
                .isThrownBy(() -> fixture.client.execute(txn -> {
                    txn.put(NUMBERS, 3L, 3L);
                    txn.get(NUMBERS, 4L);
                    throw new ArithmeticException("the program's own");
                }));
        assertThat(fixture.client.<List<Entry<Long, Long>>>read(txn -> txn.scan(NUMBERS, 0L, 9L, 10)))
                .isEmpty();
    }

    // Goal: a transaction with any operations on a few keys, in any order, reads and leaves the right values.
    // Method: seeded operations against a map, alone, so that every difference is an error.
    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldAgreeWithAMap(String protocol) {
        start(protocol);
        Random random = new Random(SEED);
        NavigableMap<Long, Long> numbers = new TreeMap<>();
        Map<String, Long> names = new HashMap<>();
        NavigableMap<String, Long> words = new TreeMap<>();
        for (int i = 0; i < 60; i++) {
            NavigableMap<Long, Long> newNumbers = new TreeMap<>(numbers);
            Map<String, Long> newNames = new HashMap<>(names);
            NavigableMap<String, Long> newWords = new TreeMap<>(words);
            List<String> done = new ArrayList<>();
            try (OpenTransaction txn = fixture.client.begin()) {
                for (int n = 1 + random.nextInt(12); n > 0; n--) {
                    switch (random.nextInt(5)) {
                        case 0 -> operateOnNames(random, txn, newNames, done);
                        case 1, 2 -> operate(random, txn, WORDS, number -> "w" + number, newWords, done);
                        default -> operate(random, txn, NUMBERS, number -> number, newNumbers, done);
                    }
                }
                if (random.nextInt(5) > 0) {
                    txn.commit();
                    numbers = newNumbers;
                    names = newNames;
                    words = newWords;
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("seed " + SEED + ", transaction " + i + ": " + done, e);
            }
        }
        List<Entry<Long, Long>> all =
                fixture.client.read(txn -> txn.scan(NUMBERS, Long.MIN_VALUE, Long.MAX_VALUE, 1_000));
        assertThat(all).isEqualTo(entries(numbers, 1_000));
        assertThat(fixture.client.<List<Entry<String, Long>>>read(txn -> txn.scan(WORDS, KeyRange.all(), 1_000)))
                .isEqualTo(entries(words, 1_000));
    }

    private static <K> void operate(
            Random random,
            Transaction txn,
            Table<K, Long> table,
            LongFunction<K> keys,
            NavigableMap<K, Long> model,
            List<String> done) {
        long number = random.nextInt(30);
        K key = keys.apply(number);
        long value = random.nextInt(1_000);
        switch (random.nextInt(8)) {
            case 0 -> {
                done.add("get " + key);
                assertThat(txn.get(table, key)).isEqualTo(Optional.ofNullable(model.get(key)));
            }
            case 1 -> {
                done.add("getForUpdate " + key);
                assertThat(txn.getForUpdate(table, key)).isEqualTo(Optional.ofNullable(model.get(key)));
            }
            case 2, 3 -> {
                done.add("put " + key);
                txn.put(table, key, value);
                model.put(key, value);
            }
            case 4 -> {
                done.add("insert " + key);
                try {
                    txn.insert(table, key, value);
                    assertThat(model.putIfAbsent(key, value)).isNull();
                } catch (RecordExistsException e) {
                    assertThat(model).containsKey(key);
                }
            }
            case 5 -> {
                done.add("delete " + key);
                assertThat(txn.delete(table, key)).isEqualTo(model.remove(key) != null);
            }
            default -> {
                K last = keys.apply(number + random.nextInt(20));
                int limit = 1 + random.nextInt(8);
                boolean forUpdate = random.nextBoolean();
                boolean withFirst = random.nextBoolean();
                boolean withLast = random.nextBoolean();
                boolean descending = random.nextBoolean();
                done.add("scan " + key + " to " + last + ", " + limit + (descending ? " descending" : "")
                        + (forUpdate ? " for update" : ""));
                KeyRange<K> start = withFirst ? KeyRange.from(key) : KeyRange.after(key);
                KeyRange<K> ascending = withLast ? start.to(last) : start.before(last);
                KeyRange<K> range = descending ? ascending.descending() : ascending;
                NavigableMap<K, Long> ordered = descending ? model.descendingMap() : model;
                assertThat(forUpdate ? txn.scanForUpdate(table, range, limit) : txn.scan(table, range, limit))
                        .isEqualTo(entries(
                                ordered.entrySet().stream()
                                        .filter(each -> model.tailMap(key, withFirst)
                                                        .containsKey(each.getKey())
                                                && model.headMap(last, withLast).containsKey(each.getKey())),
                                limit));
            }
        }
    }

    private static void operateOnNames(Random random, Transaction txn, Map<String, Long> model, List<String> done) {
        String key = "name" + random.nextInt(5);
        long value = random.nextInt(1_000);
        switch (random.nextInt(3)) {
            case 0 -> {
                done.add("get " + key);
                assertThat(txn.get(NAMES, key)).isEqualTo(Optional.ofNullable(model.get(key)));
            }
            case 1 -> {
                done.add("put " + key);
                txn.put(NAMES, key, value);
                model.put(key, value);
            }
            default -> {
                done.add("delete " + key);
                assertThat(txn.delete(NAMES, key)).isEqualTo(model.remove(key) != null);
            }
        }
    }

    private static <K> List<Entry<K, Long>> entries(NavigableMap<K, Long> model, int limit) {
        return entries(model.entrySet().stream(), limit);
    }

    private static <K> List<Entry<K, Long>> entries(Stream<Map.Entry<K, Long>> model, int limit) {
        return model.limit(limit)
                .map(entry -> new Entry<>(entry.getKey(), entry.getValue()))
                .toList();
    }

    // ---- many at once ----------------------------------------------------------------------------------------------

    private static final int THREADS = 4;

    private static void inParallel(IntConsumer body) {
        CompletableFuture.allOf(IntStream.range(0, THREADS)
                        .mapToObj(i -> CompletableFuture.runAsync(
                                () -> body.accept(i), task -> Thread.ofVirtual().start(task)))
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldLoseNoUpdate(String protocol) {
        start(protocol);
        int rounds = 15;
        inParallel(thread -> {
            for (int i = 0; i < rounds; i++) {
                boolean locks = (thread + i) % 2 == 0;
                fixture.client.execute(txn -> {
                    Optional<Long> old = locks ? txn.getForUpdate(NAMES, "counter") : txn.get(NAMES, "counter");
                    txn.put(NAMES, "counter", old.orElse(0L) + 1);
                });
            }
        });
        assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "counter")))
                .isEqualTo((long) THREADS * rounds);
    }

    // Goal: no key is inserted into a range that a concurrent transaction has scanned. Method: each
    // transaction appends the number that follows the largest; two that saw the same range would append the
    // same one.
    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldLetNothingSlipIntoAScannedRange(String protocol) {
        start(protocol);
        int rounds = 8;
        inParallel(thread -> {
            for (int i = 0; i < rounds; i++) {
                boolean blind = (thread + i) % 2 == 0;
                fixture.client.execute(txn -> {
                    List<Entry<Long, Long>> all = txn.scan(NUMBERS, 0L, 1_000L, 1_000);
                    long next = all.isEmpty() ? 0 : all.getLast().key() + 1;
                    if (blind) {
                        txn.put(NUMBERS, next, (long) thread);
                    } else {
                        txn.insert(NUMBERS, next, (long) thread);
                    }
                });
            }
        });
        List<Entry<Long, Long>> all = fixture.client.read(txn -> txn.scan(NUMBERS, 0L, 1_000L, 1_000));
        assertThat(all)
                .extracting(Entry::key)
                .containsExactlyElementsOf(IntStream.range(0, THREADS * rounds)
                        .mapToObj(i -> (long) i)
                        .toList());
        for (int i = 0; i < THREADS; i++) {
            long thread = i;
            assertThat(all).filteredOn(entry -> entry.value() == thread).hasSize(rounds);
        }
    }

    // Goal: no write skew. Method: of two records at least one must stay 1; each transaction reads both and
    // clears one if both are set, or sets both.
    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldPreventWriteSkew(String protocol) {
        start(protocol);
        fixture.client.execute(txn -> {
            txn.put(NAMES, "a", 1L);
            txn.put(NAMES, "b", 1L);
        });
        inParallel(thread -> {
            for (int i = 0; i < 15; i++) {
                long sum = fixture.client.transact(txn -> {
                    long a = txn.require(NAMES, "a");
                    long b = txn.require(NAMES, "b");
                    if (a + b == 2) {
                        txn.put(NAMES, thread % 2 == 0 ? "a" : "b", 0L);
                    } else {
                        txn.put(NAMES, "a", 1L);
                        txn.put(NAMES, "b", 1L);
                    }
                    return a + b;
                });
                assertThat(sum).isBetween(1L, 2L);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldCommitAtMostOneOfTwoConflictingTransactions(String protocol) {
        start(protocol);
        fixture.client.execute(txn -> txn.put(NAMES, "a", 1L));
        Duration soon = Duration.ofSeconds(3);
        int committed = 0;
        try (OpenTransaction first = fixture.client.begin(soon);
                OpenTransaction second = fixture.client.begin(soon)) {
            long a = first.require(NAMES, "a");
            long b = second.require(NAMES, "a");
            first.put(NAMES, "a", a + 1);
            second.put(NAMES, "a", b + 1);
            committed += commits(second);
            committed += commits(first);
        }
        assertThat(committed).isLessThanOrEqualTo(1);
        assertThat(fixture.client.<Long>read(txn -> txn.require(NAMES, "a"))).isEqualTo(1 + committed);
    }

    private static int commits(OpenTransaction txn) {
        try {
            txn.commit();
            return 1;
        } catch (ConflictException | DeadlineExceededException e) {
            return 0;
        }
    }

    // ---- patches of a record that changes before the commit, under protocols that do not lock it until then
    // -----------

    private static final Patch FIVE = Patch.write(7, (byte) 5);

    /** Another client writes 256 after the operations of a transaction and before its commit, which is to fail or not. */
    private void assertThatItCommits(boolean commits, Consumer<OpenTransaction> operations) {
        fixture.client.put(NAMES, "a", 3L);
        try (OpenTransaction txn = fixture.client.begin(Duration.ofSeconds(10))) {
            operations.accept(txn);
            fixture.client.put(NAMES, "a", 256L);
            assertThat(commits(txn)).isEqualTo(commits ? 1 : 0);
        }
    }

    // Goal: a client that knows no more of a record than that its patch fits need not begin again when the record
    // changes.
    @ParameterizedTest
    @ValueSource(strings = {"occ", "sundial", "calvin"})
    void shouldPatchTheRecordThatIsThereAtTheCommit(String protocol) {
        start(protocol);
        Patch fits = FIVE.ifThere(0, (byte) 0);
        assertThatItCommits(true, txn -> assertThat(txn.patch(NAMES, "a", fits)).isEqualTo(Patch.Result.WRITTEN));
        assertThat(fixture.client.get(NAMES, "a")).hasValue(256L + 5);
        assertThatItCommits(true, txn -> {
            assertThat(txn.patch(NAMES, "a", fits)).isEqualTo(Patch.Result.WRITTEN);
            assertThat(txn.patch(NAMES, "a", Patch.write(5, (byte) 1).ifThere(7, (byte) 5)))
                    .isEqualTo(Patch.Result.WRITTEN);
        });
        assertThat(fixture.client.get(NAMES, "a")).hasValue(65_536L + 256 + 5);
        assertThatItCommits(true, txn -> assertThat(txn.delete(NAMES, "a")).isTrue());
        assertThat(fixture.client.get(NAMES, "a")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"occ", "sundial", "calvin"})
    void shouldNotCommitAPatchIfTheClientKnowsMoreOfTheRecordBefore(String protocol) {
        start(protocol);
        assertThatItCommits(false, txn -> txn.patch(NAMES, "a", FIVE.ifThere(6, (byte) 0)));
        assertThatItCommits(false, txn -> {
            txn.patch(NAMES, "a", FIVE);
            assertThat(txn.get(NAMES, "a")).hasValue(5L);
        });
        assertThatItCommits(false, txn -> {
            assertThat(txn.get(NAMES, "a")).hasValue(3L);
            txn.patch(NAMES, "a", FIVE);
        });
        assertThatItCommits(false, txn -> {
            txn.patch(NAMES, "a", FIVE.ifThere(6, (byte) 0));
            txn.put(NAMES, "a", 7L);
        });
        assertThatItCommits(false, txn -> {
            txn.patch(NAMES, "a", FIVE);
            assertThat(txn.patch(NAMES, "a", FIVE.ifThere(6, (byte) 1))).isEqualTo(Patch.Result.NOT_AS_EXPECTED);
        });
        assertThat(fixture.client.get(NAMES, "a")).hasValue(256L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldKeepPatchesOfOtherPartsOfARecord(String protocol) {
        start(protocol);
        fixture.client.put(NAMES, "a", 0L);
        int rounds = 25;
        inParallel(thread -> IntStream.rangeClosed(1, rounds)
                .forEach(i -> fixture.client.patch(NAMES, "a", Patch.write(thread, (byte) i))));
        long all = LongStream.range(0, THREADS)
                .map(thread -> (long) rounds << Long.SIZE - Byte.SIZE * (thread + 1))
                .sum();
        assertThat(fixture.client.get(NAMES, "a")).hasValue(all);
    }
}
