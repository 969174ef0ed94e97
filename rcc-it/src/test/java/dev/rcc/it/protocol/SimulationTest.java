package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.core.worker.Completion;
import dev.rcc.protocols.nowait.Nowait;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.node.Client;
import dev.rcc.server.node.Loader;
import dev.rcc.transport.sim.FaultPlan;
import dev.rcc.transport.sim.Faults;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whole clusters in virtual time: the seed decides everything, and hangs and faults are reported. */
class SimulationTest {
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 128, 64);
    private static final int KEYS = 12;
    private static final long SEED = Long.getLong("rcc.seed", 42);
    private static final Duration LONG = Duration.ofMinutes(10);

    /** The results of a run, all of them determined by the seed. */
    private record Run(String history, long nanos, long events, String faults, long commits) {}

    private static ClusterConfig config(long seed, Primitive primitive) {
        return ClusterConfig.of(new Nowait(), List.of(SCHEMA))
                .withCode(HybridCode.uniform(new Nowait(), primitive))
                .withShape(3, 2, 3, 3)
                .withMemory(16 * 1024, 32 * 1024, 1024)
                .withSeed(seed);
    }

    private static SimulatedCluster start(ClusterConfig config, SimOptions options) {
        SimulatedCluster cluster = EmbeddedCluster.simulated(config, options);
        Loader loader = cluster.loader();
        for (long key = 0; key < KEYS; key++) {
            loader.load(cluster.catalog().table(0), key, record -> {});
        }
        cluster.start();
        return cluster;
    }

    private static Client increments(Table table, int count) {
        return (runner, self) -> {
            for (int i = 0; i < count; i++) {
                runner.run(increment(table, self.worker().random(KEYS)));
            }
        };
    }

    private static Run run(long seed, Primitive primitive, SimOptions options) {
        StringBuilder history = new StringBuilder();
        HistoryRecorder recorder = (txn, beginNanos, endNanos) -> {
            assertThat(beginNanos).isLessThan(endNanos);
            history.append(txn.id()).append(' ').append(beginNanos).append('-').append(endNanos);
            for (int i = 0; i < txn.size(); i++) {
                Access access = txn.access(i);
                history.append(' ').append(access.keyHash()).append('@').append(access.version());
            }
            history.append(" -> ").append(txn.commitTs()).append('\n');
        };
        try (SimulatedCluster cluster = start(config(seed, primitive).withHistory(recorder), options)) {
            cluster.spawnEverywhere(increments(cluster.catalog().table(0), 20));
            assertThat(cluster.awaitClients(LONG)).isTrue();
            return new Run(
                    history.toString(),
                    cluster.nanos(),
                    cluster.events(),
                    cluster.faults().toString(),
                    cluster.metrics().committed());
        }
    }

    private static Procedure increment(Table table, long key) {
        return ProtocolContract.change(table, key, value -> value + 1);
    }

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldGiveTheSameHistoryByteForByteForTheSameSeed(Primitive primitive) {
        SimOptions options = SimOptions.of("connectx4-edr").withFaults(FaultPlan.ROUGH);
        Run first = run(7, primitive, options);
        assertThat(first.commits()).isEqualTo(3 * 2 * 3 * 20);
        assertThat(run(7, primitive, options)).isEqualTo(first);
        assertThat(run(8, primitive, options).history()).isNotEqualTo(first.history());
    }

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldGiveTheRecorderTimesOfAClockThatAllNodesShare(Primitive primitive) {
        long[] latest = new long[1];
        SimOptions options =
                SimOptions.of("connectx4-edr").withFaults(FaultPlan.NONE.withClocks(1_000_000_000, 1_000, 0));
        HistoryRecorder recorder = (txn, beginNanos, endNanos) -> latest[0] = Math.max(latest[0], endNanos);
        try (SimulatedCluster cluster = start(config(SEED, primitive).withHistory(recorder), options)) {
            cluster.spawnEverywhere(increments(cluster.catalog().table(0), 5));
            assertThat(cluster.awaitClients(LONG)).isTrue();
            // The last transaction's coroutine may have been charged for work that goes on when the events have ended.
            assertThat(latest[0]).isPositive().isLessThan(cluster.nanos() + 1_000);
        }
    }

    // Goal: whichever links are cut and whichever node dies, no transaction waits for ever, and
    // transactions that must not wait get an error. Without backups: the effect of a partition on a log is
    // not tested here.
    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldEndEveryTransactionDespitePartitions(Primitive primitive) {
        FaultPlan plan = FaultPlan.ROUGH.withPartitions(300_000, 3_000_000);
        assertEveryTransactionEnds(config(SEED, primitive).withShape(3, 2, 3, 1), plan, Faults.Kind.PARTITION);
    }

    @ParameterizedTest
    @EnumSource(Primitive.class)
    void shouldEndEveryTransactionDespiteACrash(Primitive primitive) {
        FaultPlan plan = FaultPlan.ROUGH.withCrashes(1, 1_000_000);
        assertEveryTransactionEnds(config(SEED, primitive), plan, Faults.Kind.CRASH);
    }

    private static void assertEveryTransactionEnds(ClusterConfig config, FaultPlan plan, Faults.Kind kind) {
        SimOptions options = SimOptions.of("connectx4-edr").withFaults(plan);
        long injected = 0;
        long unreachable = 0;
        for (long seed = SEED; seed < SEED + 10; seed++) {
            ClusterConfig seeded = config.withSeed(seed).withRetries(new RetryPolicy(20, 4_000, 100_000));
            try (SimulatedCluster cluster = start(seeded, options)) {
                cluster.spawnEverywhere(increments(cluster.catalog().table(0), 20));
                assertThat(cluster.awaitClients(LONG)).as("seed %s", seed).isTrue();
                injected += cluster.faults().count(kind);
                unreachable += cluster.metrics().aborts(AbortReason.PEER_UNREACHABLE);
            }
        }
        assertThat(injected)
                .as("%s before the clients had ended, from seed %s", kind, SEED)
                .isPositive();
        assertThat(unreachable).as("from seed %s", SEED).isPositive();
    }

    @Test
    void shouldReportClientsThatHangInsteadOfWaitingForThem() {
        try (SimulatedCluster cluster = start(config(SEED, Primitive.RPC), SimOptions.of("connectx4-edr"))) {
            cluster.spawn(1, 0, 0, (runner, self) -> {
                Completion never = new Completion(self);
                never.add();
                never.await();
            });
            assertThatThrownBy(() -> cluster.awaitClients(LONG))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll("hang", "1 on node 1", "seed " + SEED);
            assertThat(cluster.nanos()).isLessThan(LONG.toNanos());
        }
    }

    // Goal: bugs that only some schedules show are found. Method: a client that reads and writes in two
    // transactions, which loses updates when another comes in between.
    @Test
    void shouldInterleaveTransactionsOfDifferentNodes() {
        try (SimulatedCluster cluster = start(config(SEED, Primitive.ONE_SIDED), SimOptions.of("connectx4-edr"))) {
            Table table = cluster.catalog().table(0);
            cluster.spawnEverywhere((runner, self) -> {
                for (int i = 0; i < 10; i++) {
                    long[] value = new long[1];
                    runner.run(ProtocolContract.procedure(
                            txn -> txn.read(table, 0), (txn, access) -> value[0] = access.getLong(0)));
                    runner.run(ProtocolContract.write(table, 0, value[0] + 1));
                }
            });
            assertThat(cluster.awaitClients(LONG)).isTrue();
            long[] last = new long[1];
            cluster.spawn(
                    0,
                    0,
                    0,
                    (runner, self) -> runner.run(ProtocolContract.procedure(
                            txn -> txn.read(table, 0), (txn, access) -> last[0] = access.getLong(0))));
            assertThat(cluster.awaitClients(LONG)).isTrue();
            assertThat(last[0]).as("seed %s", SEED).isBetween(10L, 179L);
        }
    }

    // Goal: DEVICE makes a difference. Method: NOWAIT does not declare which words it changes, so that the
    // codes which count shared locks up by the CPU and down by the NIC, or the other way, run after all; then
    // the invariants at rest do not hold.
    @Test
    void shouldCatchLocksThatCpuAndDeviceBothCount() {
        Protocol nowait = new Nowait();
        int lock = nowait.stages().indexOf("lock");
        int release = nowait.stages().indexOf("release");
        List<HybridCode> mixed = HybridCode.all(nowait).stream()
                .filter(code -> code.primitive(lock) != code.primitive(release))
                .toList();
        assertThat(mixed).hasSize(8);
        for (HybridCode code : mixed) {
            assertThat(WordChange.conflict(nowait, code, Atomicity.DEVICE)).isPresent();
            assertThat(breaks(code, Atomicity.DEVICE))
                    .as("code %s, from seed %s", code, SEED)
                    .isTrue();
        }
        assertThat(breaks(mixed.getFirst(), Atomicity.GLOBAL))
                .as("from seed %s", SEED)
                .isFalse();
    }

    private static boolean breaks(HybridCode code, Atomicity atomicity) {
        SimOptions options = SimOptions.of("connectx4-edr").withAtomicity(atomicity);
        RetryPolicy few = new RetryPolicy(50, 4_000, 100_000);
        for (long seed = SEED; seed < SEED + 20; seed++) {
            ClusterConfig config = ClusterConfig.of(new SilentNowait(), List.of(SCHEMA))
                    .withCode(code)
                    .withShape(3, 2, 3, 3)
                    .withRetries(few)
                    .withSeed(seed)
                    .withMemory(16 * 1024, 32 * 1024, 1024);
            try (SimulatedCluster cluster = start(config, options)) {
                Table table = cluster.catalog().table(0);
                cluster.spawnEverywhere((runner, self) -> {
                    for (int i = 0; i < 20; i++) {
                        long read = self.worker().random(3);
                        long written = i % 2 == 0 ? self.worker().random(3) : read; // shared locks and exclusive ones
                        runner.run(ProtocolContract.procedure(
                                txn -> {
                                    txn.read(table, read);
                                    return written == read ? null : txn.update(table, written);
                                },
                                (txn, access) -> {}));
                    }
                });
                assertThat(cluster.awaitClients(LONG)).isTrue();
                boolean atRest = cluster.quiesce(Duration.ofSeconds(1))
                        && cluster.inspect().violations().isEmpty();
                if (!atRest) {
                    return true;
                }
            }
        }
        return false;
    }

    /** NOWAIT that does not declare which words it changes. */
    private static final class SilentNowait extends DelegatingProtocol {
        SilentNowait() {
            super(new Nowait());
        }

        @Override
        public Set<WordChange> changes(int stage, Primitive primitive) {
            return Set.of();
        }
    }
}
