package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.verify.Scenario;
import dev.rcc.bench.verify.Trial;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.time.ClusterClock;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.time.WallClock;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.worker.Worker;
import dev.rcc.it.example.Exclusive;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.node.Client;
import dev.rcc.transport.sim.FaultPlan;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Protocols that bring their own clock, where the hosts' wall clocks are a second apart. */
class OwnClockOnSimTest {
    private static final long SEED = Long.getLong("rcc.seed", 42);
    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 128, 64);
    private static final int NODES = 3;
    private static final int COROUTINES = NODES * NODES;
    private static final Duration LONG = Duration.ofMinutes(10);
    private static final FaultPlan SKEWED = FaultPlan.NONE.withClocks(1_000_000_000, 0, 0);

    /** Good clocks in every host: never off by more than {@link #ERROR_NANOS}. */
    private static final class AtomicClock implements ClusterClock {
        static final long ERROR_NANOS = 500;

        private final LongSupplier trueNanos;
        private final long offNanos;

        AtomicClock(LongSupplier trueNanos, long offNanos) {
            this.trueNanos = trueNanos;
            this.offNanos = offNanos;
        }

        @Override
        public long nanos() {
            return trueNanos.getAsLong() + offNanos;
        }

        @Override
        public long errorNanos() {
            return ERROR_NANOS;
        }

        @Override
        public State state() {
            return new State(true, "the simulation's virtual time");
        }
    }

    /** A protocol as it is, but for its clock. */
    private static final class ByAtomicClock extends DelegatingProtocol {
        /** Set once there is a cluster that has a time. */
        private LongSupplier trueNanos;

        ByAtomicClock(Protocol protocol) {
            super(protocol);
        }

        @Override
        public ClusterClock clock(Worker worker, long birthWallNanos) {
            return new AtomicClock(
                    () -> trueNanos.getAsLong(),
                    worker.random(1 + (int) (2 * AtomicClock.ERROR_NANOS)) - AtomicClock.ERROR_NANOS);
        }
    }

    /** EXCLUSIVE by a clock that returns any time. */
    private static final class ByWildClock extends DelegatingProtocol {
        ByWildClock() {
            super(new Exclusive());
        }

        @Override
        public ClusterClock clock(Worker worker, long birthWallNanos) {
            return new ClusterClock() {
                @Override
                public long nanos() {
                    return worker.random(1_000_000_000) - 1_000_000L;
                }

                @Override
                public long errorNanos() {
                    return NO_BOUND;
                }

                @Override
                public State state() {
                    return new State(false, "wild");
                }
            };
        }
    }

    private static SimulatedCluster start(Protocol protocol, HistoryRecorder history) {
        ClusterConfig config = ClusterConfig.of(protocol, List.of(SCHEMA))
                .withShape(NODES, 1, COROUTINES, 1)
                .withMemory(16 * 1024, 32 * 1024, 1024)
                .withHistory(history)
                .withSeed(SEED);
        SimulatedCluster cluster =
                EmbeddedCluster.simulated(config, SimOptions.of("connectx4-edr").withFaults(SKEWED));
        if (protocol instanceof ByAtomicClock own) {
            own.trueNanos = cluster::nanos;
        }
        for (long key = 0; key < COROUTINES; key++) {
            cluster.loader().load(cluster.catalog().table(0), key, record -> {});
        }
        cluster.start();
        return cluster;
    }

    private static void run(SimulatedCluster cluster, int node, int coroutine, Client client) {
        cluster.spawn(node, 0, coroutine, client);
        assertThat(cluster.awaitClients(LONG)).isTrue();
    }

    /** How many readers do not see the write that was committed on another node a millisecond before. */
    private static int staleReads(Protocol protocol) {
        int stale = 0;
        try (SimulatedCluster cluster = start(protocol, null)) {
            Table table = cluster.catalog().table(0);
            for (int writer = 0; writer < NODES; writer++) {
                for (int reader = 0; reader < NODES; reader++) {
                    int pair = writer * NODES + reader; // coroutines and a key that have met no timestamps
                    long[] value = new long[1];
                    run(cluster, writer, pair, (runner, self) -> {
                        runner.run(ProtocolContract.write(table, pair, 1));
                        self.sleep(1_000_000);
                    });
                    run(
                            cluster,
                            reader,
                            pair,
                            (runner, self) -> runner.run(ProtocolContract.procedure(
                                    txn -> txn.read(table, pair), (txn, access) -> value[0] = access.getLong(0))));
                    stale += value[0] == 0 ? 1 : 0;
                }
            }
        }
        return stale;
    }

    // Goal: all timestamps come from the protocol's clock. Method: MVCC, whose readers miss writes that were
    // committed just now by a clock ahead of theirs.
    @Test
    void shouldReadNoStaleRecordsWithAClockOfSmallError() {
        assertThat(staleReads(new Mvcc())).as("by wall clocks, seed %s", SEED).isPositive();
        assertThat(staleReads(new ByAtomicClock(new Mvcc())))
                .as("by its own, seed %s", SEED)
                .isZero();
    }

    @Test
    void shouldReportTheClocksErrorAndStateToProtocols() {
        ObservedProtocol wall = new ObservedProtocol(new Exclusive());
        ObservedProtocol own = new ObservedProtocol(new ByAtomicClock(new Exclusive()));
        start(wall, null).close();
        start(own, null).close();
        assertThat(wall.context(1, 0).clock()).isInstanceOf(WallClock.class);
        assertThat(own.context(1, 0).clock().errorNanos()).isEqualTo(AtomicClock.ERROR_NANOS);
        assertThat(own.context(1, 0).clock().state().isSynchronised()).isTrue();
    }

    // Goal: a bad clock costs no correctness. Method: a clock that jumps by up to a second, both ways, at every look.
    @Test
    void shouldDrawUniqueIncreasingTimestampsFromAJumpingClock() {
        Set<Long> ids = new HashSet<>();
        long[] last = new long[NODES * COROUTINES];
        HistoryRecorder recorder = (txn, beginNanos, endNanos) -> {
            assertThat(ids.add(txn.id()))
                    .as("id %s", Timestamp.toString(txn.id()))
                    .isTrue();
            int place = Timestamp.node(txn.id()) * COROUTINES + Timestamp.coroutine(txn.id());
            assertThat(Timestamp.isBefore(last[place], txn.id())).isTrue();
            last[place] = txn.id();
        };
        try (SimulatedCluster cluster = start(new ByWildClock(), recorder)) {
            cluster.spawnEverywhere((runner, self) -> {
                for (int i = 0; i < 20; i++) {
                    runner.run(ProtocolContract.change(
                            cluster.catalog().table(0), self.worker().random(COROUTINES), value -> value + 1));
                }
            });
            assertThat(cluster.awaitClients(LONG)).isTrue();
        }
        assertThat(ids).hasSize(NODES * COROUTINES * 20);
    }

    @Test
    void shouldBeCleanWithAWildClockInEveryScenario() {
        for (long seed = SEED; seed < SEED + 10; seed++) {
            Trial trial = Trial.run(Scenario.draw(new ByWildClock(), seed, Scenario.Wish.ANYTHING));
            assertThat(trial.violations()).as("%s", trial.scenario()).isEmpty();
            assertThat(trial.checked().isClean()).as("%s", trial).isTrue();
        }
    }
}
