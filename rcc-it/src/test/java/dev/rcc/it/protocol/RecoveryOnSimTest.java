package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.Protocols;
import dev.rcc.protocols.calvin.Calvin;
import dev.rcc.protocols.nowait.Nowait;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.recovery.RecoveryStep;
import dev.rcc.server.simulation.Death;
import dev.rcc.server.simulation.Death.Victim;
import dev.rcc.server.simulation.Moment;
import dev.rcc.transport.sim.FaultPlan;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that die at the worst of moments, which virtual time finds: the nodes that are left agree, and go on. */
class RecoveryOnSimTest {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 400);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final int KEYS = 300;
    private static final long WRITTEN = 777;
    private static final int ACCOUNT_WORDS = 48;
    private static final TableSchema ACCOUNTS =
            TableSchema.ofLongKeys(0, "accounts", ACCOUNT_WORDS * Memory.WORD_BYTES, 64);
    private static final int ACCOUNT_KEYS = 30;
    private static final long INITIAL = 1000;
    private static final RetryPolicy PATIENT = new RetryPolicy(20_000, 4_000, 1_000_000);
    private static final FaultPlan STALLS =
            FaultPlan.NONE.withDelays(0.1, 20_000).withStalls(0.3, 20_000);
    private static final long TWO_DEATHS_SEEDS = Long.getLong("rcc.deaths.seeds", 12);

    // Goal: an entry that is decided at a backup stays decided when batches of two coroutines overtake each
    // other; else the survivors wait for ever for entries that they have replayed.
    @ParameterizedTest
    @ValueSource(strings = {"nowait", "occ"})
    void shouldBeReconfiguredWhenBatchesOfTheDeadNodeHaveOvertakenEachOther(String name) {
        Protocol protocol = Protocols.byName(name);
        FaultPlan delays = FaultPlan.NONE.withDelays(0.2, 40_000);
        for (long seed = 1; seed <= 30; seed++) {
            ClusterConfig config = config(protocol, HybridCode.parse(protocol, "one-sided"), seed)
                    .withShape(3, 1, 6, 3)
                    .withMemory(64 * 1024, 32 * 1024, 1024);
            try (SimulatedCluster cluster = start(config, options().withFaults(delays))) {
                Table table = cluster.catalog().table(0);
                for (int coroutine = 0; coroutine < 6; coroutine++) {
                    cluster.spawn(2, 0, coroutine, (runner, self) -> {
                        while (true) {
                            runner.run(update(table, self.worker().random(KEYS), 1));
                        }
                    });
                }
                pass(cluster, 300_000 + new SplittableRandom(seed).nextLong(300_000));
                cluster.stopNode(2);
                assertReconfigured(cluster, "seed " + seed);
                assertAtRest(cluster, "seed " + seed);
            }
        }
    }

    // Goal: a backup that has replayed a transaction and overwritten its entry counts as having logged it.
    // Method: rings so small that a backup laps them before the other backup, whose ring is quiet, is
    // notified of decisions.
    @ParameterizedTest
    @ValueSource(strings = {"rpc", "one-sided"})
    void shouldKeepAcknowledgedWriteWhenOneBackupOverwroteItsEntryAndOneHasNotReplayedIt(String code) {
        Protocol protocol = new Nowait();
        ClusterConfig config = config(protocol, HybridCode.parse(protocol, code), 7)
                .withShape(4, 1, 10, 3)
                .withMemory(4 * 1024, 32 * 1024, 1024);
        try (SimulatedCluster cluster = start(config, options())) {
            Table table = cluster.catalog().table(0);
            long key = keysOf(cluster, 0, 1)[0]; // backed up by nodes 1 and 2
            long[] others = keysOf(cluster, 3, 9); // backed up by nodes 0 and 1
            AtomicBoolean acknowledged = new AtomicBoolean();
            cluster.spawn(3, 0, 0, (runner, self) -> {
                self.sleep(200_000);
                acknowledged.set(runner.run(update(table, key, WRITTEN)) == Outcome.COMMITTED);
                self.sleep(PATIENCE.toNanos());
            });
            for (int coroutine = 1; coroutine < 10; coroutine++) {
                long other = others[coroutine - 1];
                cluster.spawn(3, 0, coroutine, (runner, self) -> {
                    while (true) {
                        runner.run(update(table, other, 1));
                    }
                });
            }
            assertThat(cluster.await(PATIENCE, acknowledged::get)).isTrue();
            pass(cluster, 250_000);
            assertThat(valueAt(cluster, 1, table, key)).isEqualTo(WRITTEN);
            assertThat(valueAt(cluster, 2, table, key))
                    .as("node 2 has not heard")
                    .isZero();
            cluster.stopNode(3);
            assertReconfigured(cluster, "the first death");
            assertAtRest(cluster, "the first death");
            assertThat(valueAt(cluster, 2, table, key)).isEqualTo(WRITTEN);

            assertThat(run(cluster, 0, update(table, key, WRITTEN + 1))).isEqualTo(Outcome.COMMITTED);
            assertAtRest(cluster, "the next update");
            cluster.stopNode(0);
            assertReconfigured(cluster, "the second death");
            assertThat(valueAt(cluster, 1, table, key)).isEqualTo(WRITTEN + 1);
        }
    }

    // Goal: a transaction that a reconfiguration has found aborted, and whose tuple it has repaired, is not
    // found committed by the next one.
    // Method: node 2 has logged the transaction of node 4, node 1 has not. Node 4 dies; the primary, node 0,
    // takes the old value from node 1 while a large table keeps it busy; node 1 dies before all go on. Now
    // all backups that are left have logged it.
    @ParameterizedTest
    @MethodSource("protocolsAndCodes")
    void shouldNotCommitATransactionFoundAbortedBeforeTheSecondDeath(String name, String code) {
        Protocol protocol = Protocols.byName(name);
        ClusterConfig config = ClusterConfig.of(protocol, List.of(SCHEMA, TableSchema.ofLongKeys(1, "large", 8, 4000)))
                .withCode(HybridCode.parse(protocol, code))
                .withShape(5, 1, 3, 3)
                .withMemory(64 * 1024, 64 * 1024, 1024)
                .withRecovery(PATIENCE)
                .withSeed(3);
        try (SimulatedCluster cluster = EmbeddedCluster.simulated(config, options())) {
            Table table = cluster.catalog().table(0);
            Table large = cluster.catalog().table(1);
            LongStream.range(0, KEYS).forEach(key -> cluster.loader().load(table, key, record -> {}));
            LongStream.range(0, 8000).forEach(key -> cluster.loader().load(large, key, record -> {}));
            cluster.start();
            long key = keysOf(cluster, 0, 1)[0];
            long[] many = keysOf(cluster, 0, 60);
            AtomicInteger executing = new AtomicInteger();
            cluster.spawn(
                    4,
                    0,
                    1,
                    (runner, self) -> runner.run(procedure(
                            txn -> Arrays.stream(many).forEach(each -> txn.update(large, each)), txn -> {
                                for (int i = 0; i < txn.size(); i++) {
                                    txn.access(i).putLong(0, WRITTEN);
                                }
                                executing.incrementAndGet();
                                self.sleep(100_000);
                            })));
            cluster.spawn(
                    4,
                    0,
                    0,
                    (runner, self) -> runner.run(procedure(txn -> txn.update(table, key), txn -> {
                        txn.access(0).putLong(0, WRITTEN);
                        executing.incrementAndGet();
                        self.sleep(100_000);
                    })));
            assertThat(cluster.await(PATIENCE, () -> executing.get() == 2)).isTrue();
            cluster.network().cut(4, 1);
            pass(cluster, 300_000);
            cluster.stopNode(4);
            Memory primary = cluster.copy(0, table, 0);
            long tuple = tuple(cluster, 0, table, key);
            assertThat(cluster.await(PATIENCE, () -> !protocol.isLocked(primary, tuple)))
                    .as("it is repaired")
                    .isTrue();
            assertThat(cluster.isReconfigured()).as("before all go on").isFalse();
            cluster.stopNode(1);
            assertReconfigured(cluster, "the second death");
            assertAtRest(cluster, "the second death");
            assertThat(valueAt(cluster, 0, table, key)).isEqualTo(valueAt(cluster, 2, table, key));
            assertThat(run(cluster, 3, update(table, key, WRITTEN + 1))).isEqualTo(Outcome.COMMITTED);
            assertAtRest(cluster, "the next update");
        }
    }

    // Goal: both backups of a partition die while coordinators on them write to it. The primary, left alone,
    // has all committed writes, whole. Amounts move between keys of all partitions, so a transaction that is
    // there in part changes the sum.
    @ParameterizedTest
    @MethodSource("allProtocolsAndCodes")
    void shouldLoseNothingWhenBothBackupsOfAPartitionDieTogether(String name, String code) {
        Protocol protocol = Protocols.byName(name);
        for (long seed = 1; seed <= TWO_DEATHS_SEEDS; seed++) {
            String scene = "seed " + seed;
            SplittableRandom random = new SplittableRandom(seed);
            int ringBytes = random.nextBoolean() ? 8 * 1024 : 64 * 1024;
            ClusterConfig config = ClusterConfig.of(protocol, List.of(ACCOUNTS))
                    .withCode(HybridCode.parse(protocol, code))
                    .withShape(5, 1, 4, 3)
                    .withMemory(ringBytes, 32 * 1024, 1024)
                    .withRetries(PATIENT)
                    .withRecovery(PATIENCE)
                    .withSeed(seed);
            try (SimulatedCluster cluster =
                    EmbeddedCluster.simulated(config, options().withFaults(STALLS))) {
                Table table = cluster.catalog().table(0);
                LongStream.range(0, ACCOUNT_KEYS)
                        .forEach(key -> cluster.loader().load(table, key, record -> fill(record, 0, INITIAL)));
                cluster.start();
                AtomicBoolean over = new AtomicBoolean();
                AtomicInteger committed = new AtomicInteger();
                cluster.spawnEverywhere((runner, self) -> {
                    while (!over.get()) {
                        long from = self.worker().random(ACCOUNT_KEYS);
                        long to = (from + 1 + self.worker().random(ACCOUNT_KEYS - 1)) % ACCOUNT_KEYS;
                        if (runner.run(transfer(table, from, to)) == Outcome.COMMITTED) {
                            committed.incrementAndGet();
                        }
                    }
                });
                pass(cluster, 50_000 + random.nextLong(400_000));
                int first = random.nextInt(5);
                cluster.stopNode(first);
                pass(cluster, random.nextInt(4) == 0 ? random.nextLong(60_000) : 0);
                cluster.stopNode((first + 1) % 5);
                assertReconfigured(cluster, scene);
                int before = committed.get();
                assertThat(cluster.await(PATIENCE, () -> committed.get() > before + 20))
                        .as("it goes on, %s", scene)
                        .isTrue();
                over.set(true);
                assertThat(cluster.awaitClients(PATIENCE)).as(scene).isTrue();
                assertAtRest(cluster, scene);
                assertThat(sum(cluster, table, scene)).as(scene).isEqualTo(ACCOUNT_KEYS * INITIAL);
            }
        }
    }

    // Goal: a node does not miss for ever the messages that it lost when it was to join: the other nodes of
    // CALVIN would wait for it.
    @ParameterizedTest
    @ValueSource(strings = {"rpc", "one-sided"})
    void shouldContinueWithAMemberThatWasAbsentDuringAnEarlierJoinAttempt(String code) {
        Protocol protocol = new Calvin();
        ClusterConfig config =
                config(protocol, HybridCode.parse(protocol, code), 7).withShape(6, 1, 2, 4);
        try (SimulatedCluster cluster = EmbeddedCluster.simulated(config, options())) {
            Table table = cluster.catalog().table(0);
            LongStream.range(0, KEYS).forEach(key -> cluster.loader().load(table, key, record -> {}));
            List<Integer> rejoined = new ArrayList<>();
            cluster.whenRejoined(rejoined::add);
            Moment joining = new Moment.Joining(RecoveryStep.COPY, false, 1, false);
            cluster.plan(List.of(
                    new Death(1, Victim.NODE, new Moment.Later(100_000), 0, 100_000, 50_000).returning(1_100_000),
                    new Death(3, Victim.NODE, new Moment.Later(50_000), 0, 50_000, 50_000).returning(1_000_000),
                    new Death(0, Victim.NODE, joining, 0, PATIENCE.toNanos(), 20_000).returning(5_000_000)));
            cluster.start();
            assertThat(cluster.await(PATIENCE, () -> rejoined.size() == 3)).isTrue();
            assertReconfigured(cluster, "all deaths");
            assertThat(rejoined).as("node 3 has lost its turn").containsExactly(1, 3, 0);

            cluster.spawnEverywhere(
                    (runner, self) -> runner.run(update(table, self.worker().random(KEYS), 1)));
            assertThat(cluster.awaitClients(PATIENCE)).isTrue();
            assertAtRest(cluster, "an update by each client");
            assertThat(cluster.metrics().committed()).isEqualTo(12);
        }
    }

    // Goal: a backup that becomes the primary finds the keys that the primary had in overflow and no others,
    // and grows on.
    @ParameterizedTest
    @MethodSource("allProtocolsAndCodes")
    void shouldFindKeysInOverflowAfterThePrimaryHasDied(String name, String code) {
        Protocol protocol = Protocols.byName(name);
        TableSchema small = TableSchema.ofLongKeys(0, "small", 8, 16).growing(15);
        ClusterConfig config = ClusterConfig.of(protocol, List.of(small))
                .withCode(HybridCode.parse(protocol, code))
                .withRecovery(PATIENCE)
                .withSeed(3)
                .withShape(4, 1, 2, 3);
        try (SimulatedCluster cluster = start(config, options())) {
            Table table = cluster.catalog().table(0);
            int loaded = cluster.partition(1, table, 0).depth();
            LongStream.range(KEYS, 2 * KEYS)
                    .forEach(key -> assertThat(run(cluster, (int) (key % 4), insert(table, key)))
                            .isEqualTo(Outcome.COMMITTED));
            assertThat(cluster.partition(0, table, 0).depth()).isGreaterThan(loaded);
            assertAtRest(cluster, "the inserts");
            cluster.stopNode(0);
            assertReconfigured(cluster, "the death");
            for (long key = 2 * KEYS; key < 3 * KEYS; key++) {
                int node = (int) (1 + key % 3);
                assertThat(run(cluster, node, insert(table, key))).isEqualTo(Outcome.COMMITTED);
            }
            for (long key = KEYS; key < 4 * KEYS; key++) {
                Long expected = key < 3 * KEYS ? key : null;
                AtomicReference<Long> found = new AtomicReference<>();
                long wanted = key;
                Procedure read = procedure(
                        txn -> txn.read(table, wanted),
                        txn -> found.set(txn.access(0).exists() ? txn.access(0).getLong(0) : null));
                assertThat(run(cluster, (int) (1 + key % 3), read)).isEqualTo(Outcome.COMMITTED);
                assertThat(found.get()).as("key %s", key).isEqualTo(expected);
            }
            assertAtRest(cluster, "the death");
        }
    }

    // Goal: the nodes that are left go on when a slot is larger than a recovery's buffer, which is half of a
    // coroutine's. With NOWAIT and CALVIN,
    // such a record can be read only: its image and its log entry together take more than a coroutine's buffer.
    @ParameterizedTest
    @CsvSource({"nowait, 16384, 32768, false", "calvin, 16384, 32768, false", "mvcc, 12000, 65536, true"})
    @Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldGoOnWhenASlotIsLargerThanTheBufferOfARecovery(
            String name, int recordBytes, int bufferBytes, boolean writes) {
        int keys = 20;
        int lastWord = recordBytes - Memory.WORD_BYTES;
        ClusterConfig config = ClusterConfig.of(
                        Protocols.byName(name), List.of(TableSchema.ofLongKeys(0, "documents", recordBytes, keys)))
                .withShape(3, 1, 2, 3)
                .withMemory(64 * 1024, bufferBytes, 1024)
                .withRecovery(PATIENCE)
                .withSeed(3);
        try (SimulatedCluster cluster = EmbeddedCluster.simulated(config, options())) {
            Table table = cluster.catalog().table(0);
            LongStream.range(0, keys).forEach(key -> cluster.loader().load(table, key, record -> {}));
            cluster.start();
            for (int coroutine = 0; coroutine < 2; coroutine++) {
                cluster.spawn(2, 0, coroutine, (runner, self) -> {
                    while (true) {
                        long key = self.worker().random(keys);
                        runner.run(procedure(
                                txn -> {
                                    if (writes) {
                                        txn.update(table, key);
                                    } else {
                                        txn.read(table, key);
                                    }
                                },
                                txn -> {
                                    if (writes) {
                                        txn.access(0).putLong(0, WRITTEN);
                                        txn.access(0).putLong(lastWord, WRITTEN);
                                    }
                                }));
                    }
                });
            }
            pass(cluster, 300_000);
            cluster.stopNode(2);
            assertReconfigured(cluster, "the death");
            for (long key = 0; key < keys; key++) {
                long wanted = key;
                AtomicBoolean whole = new AtomicBoolean();
                Procedure read = procedure(
                        txn -> txn.read(table, wanted),
                        txn -> whole.set(txn.access(0).exists()
                                && txn.access(0).getLong(0) == txn.access(0).getLong(lastWord)));
                assertThat(run(cluster, (int) (key % 2), read)).isEqualTo(Outcome.COMMITTED);
                assertThat(whole.get()).as("record %s is whole", key).isTrue();
            }
            assertAtRest(cluster, "the death");
        }
    }

    private static Procedure insert(Table table, long key) {
        return procedure(txn -> txn.insert(table, key), txn -> txn.access(0).putLong(0, key));
    }

    // Goal: a coordinator that dies after it has unlocked the tuple that it deletes, and before it frees the
    // index entry, leaves no entry.
    // Method: it holds no backup, so the primary has not logged the delete. The seed decides which work
    // requests take effect after the death.
    @ParameterizedTest
    @MethodSource("allProtocols")
    void shouldFreeIndexEntryWhenItsDeleterDiedAfterTheUnlock(String name) {
        Protocol protocol = Protocols.byName(name);
        for (long seed = 1; seed <= 4; seed++) {
            String scene = "seed " + seed;
            ClusterConfig config = config(protocol, HybridCode.parse(protocol, "one-sided"), seed)
                    .withShape(4, 1, 1, 3);
            try (SimulatedCluster cluster = start(config, options())) {
                Table table = cluster.catalog().table(0);
                long key = keysOf(cluster, 0, 1)[0]; // backed up by nodes 1 and 2
                Procedure delete = procedure(txn -> txn.delete(table, key), txn -> {});
                cluster.spawn(3, 0, 0, (runner, self) -> runner.run(delete));
                assertThat(cluster.await(PATIENCE, () -> isEntryOfEmptyUnlockedSlotLive(cluster, protocol, table)))
                        .as("the moment comes, %s", scene)
                        .isTrue();
                cluster.stopNode(3);
                assertReconfigured(cluster, scene);
                assertAtRest(cluster, scene);
                Procedure insert = procedure(
                        txn -> txn.insert(table, key), txn -> txn.access(0).putLong(0, WRITTEN));
                assertThat(run(cluster, 1, insert)).as(scene).isEqualTo(Outcome.COMMITTED);
                assertAtRest(cluster, scene);
                assertThat(valueAt(cluster, 0, table, key)).as(scene).isEqualTo(WRITTEN);
            }
        }
    }

    /** Whether the index of partition 0 has a tuple in a slot that is empty and not held. */
    private static boolean isEntryOfEmptyUnlockedSlotLive(SimulatedCluster cluster, Protocol protocol, Table table) {
        Memory primary = cluster.copy(0, table, 0);
        TableLayout layout = table.layout();
        return LongStream.range(0, layout.slots())
                .anyMatch(slot -> IndexEntry.isLive(primary.getLong(layout.entryOffset(slot)))
                        && !TupleLayout.isLive(primary.getLong(
                                layout.tupleOffset(slot) + layout.tuple().identityOffset()))
                        && !protocol.isLocked(primary, layout.tupleOffset(slot)));
    }

    static Stream<String> allProtocols() {
        return Protocols.all().stream().map(Protocol::name);
    }

    private static Procedure transfer(Table table, long from, long to) {
        return procedure(
                txn -> {
                    txn.update(table, from);
                    txn.update(table, to);
                },
                txn -> {
                    for (int i = 0; i < 2; i++) {
                        long value = txn.access(i).getLong(0) + (i == 0 ? -1 : 1);
                        for (int word = 0; word < ACCOUNT_WORDS; word++) {
                            txn.access(i).putLong(word * Memory.WORD_BYTES, value);
                        }
                    }
                });
    }

    private static void fill(Memory record, long offset, long value) {
        for (int word = 0; word < ACCOUNT_WORDS; word++) {
            record.putLong(offset + (long) word * Memory.WORD_BYTES, value);
        }
    }

    /** The sum of all values at the primaries, each of which must be whole. */
    private static long sum(SimulatedCluster cluster, Table table, String scene) {
        AtomicLong sum = new AtomicLong();
        cluster.inspect().forEachTuple(table, (memory, key, record) -> {
            long value = memory.getLong(record);
            for (int word = 1; word < ACCOUNT_WORDS; word++) {
                assertThat(memory.getLong(record + (long) word * Memory.WORD_BYTES))
                        .as("the record of key %s is whole, %s", memory.getLong(key), scene)
                        .isEqualTo(value);
            }
            sum.addAndGet(value);
        });
        return sum.get();
    }

    static Stream<Arguments> allProtocolsAndCodes() {
        return Protocols.all().stream()
                .flatMap(protocol -> Stream.of("rpc", "one-sided").map(code -> Arguments.of(protocol.name(), code)));
    }

    static Stream<Arguments> protocolsAndCodes() {
        return Protocols.all().stream()
                .filter(protocol ->
                        protocol.marksHolders()) // the others repair all again, whatever was repaired before
                .flatMap(protocol -> Stream.of("rpc", "one-sided").map(code -> Arguments.of(protocol.name(), code)));
    }

    private static SimOptions options() {
        return SimOptions.of("connectx4-edr");
    }

    private static ClusterConfig config(Protocol protocol, HybridCode code, long seed) {
        return ClusterConfig.of(protocol, List.of(SCHEMA))
                .withCode(code)
                .withRecovery(PATIENCE)
                .withSeed(seed);
    }

    private static SimulatedCluster start(ClusterConfig config, SimOptions options) {
        SimulatedCluster cluster = EmbeddedCluster.simulated(config, options);
        LongStream.range(0, KEYS)
                .forEach(key -> cluster.loader().load(cluster.catalog().table(0), key, record -> {}));
        cluster.start();
        return cluster;
    }

    private static void pass(SimulatedCluster cluster, long nanos) {
        cluster.await(Duration.ofNanos(nanos), () -> false);
    }

    private static void assertReconfigured(SimulatedCluster cluster, String after) {
        assertThat(cluster.await(PATIENCE, cluster::isReconfigured))
                .as("reconfigured after %s", after)
                .isTrue();
    }

    private static void assertAtRest(SimulatedCluster cluster, String after) {
        assertThat(cluster.quiesce(PATIENCE))
                .as("all is replayed after %s", after)
                .isTrue();
        assertThat(cluster.inspect().violations()).as("after %s", after).isEmpty();
    }

    private static Outcome run(SimulatedCluster cluster, int node, Procedure procedure) {
        AtomicReference<Outcome> outcome = new AtomicReference<>();
        cluster.spawn(node, 0, 0, (runner, self) -> outcome.set(runner.run(procedure)));
        cluster.await(PATIENCE, () -> outcome.get() != null);
        return outcome.get();
    }

    private static Procedure update(Table table, long key, long value) {
        return procedure(txn -> txn.update(table, key), txn -> txn.access(0).putLong(0, value));
    }

    private static Procedure procedure(Consumer<Transaction> declare, Consumer<Transaction> execute) {
        return new Procedure() {
            @Override
            public void declare(Transaction txn) {
                declare.accept(txn);
            }

            @Override
            public void execute(Transaction txn) {
                execute.accept(txn);
            }
        };
    }

    private static long[] keysOf(SimulatedCluster cluster, int partition, int count) {
        return LongStream.range(0, Long.MAX_VALUE)
                .filter(key -> partition(cluster, key) == partition)
                .limit(count)
                .toArray();
    }

    private static int partition(SimulatedCluster cluster, long key) {
        return cluster.catalog().home().partition(KeyHash.of(key));
    }

    private static long valueAt(SimulatedCluster cluster, int node, Table table, long key) {
        Memory copy = cluster.copy(node, table, partition(cluster, key));
        return copy.getLong(
                tuple(cluster, node, table, key) + table.layout().tuple().recordOffset());
    }

    /** Where a copy of a key that exists lies. */
    private static long tuple(SimulatedCluster cluster, int node, Table table, long key) {
        Memory copy = cluster.copy(node, table, partition(cluster, key));
        TupleLayout t = table.layout().tuple();
        return LongStream.range(0, table.layout().slots())
                .map(slot -> table.layout().tupleOffset(slot))
                .filter(tuple -> TupleLayout.isLive(copy.getLong(tuple + t.identityOffset()))
                        && copy.getLong(tuple + t.keyOffset()) == key)
                .findFirst()
                .orElseThrow();
    }
}
