package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.store.TableSchema;
import dev.rcc.core.time.ClusterClock;
import dev.rcc.core.time.Timestamp;
import dev.rcc.it.example.punctual.Punctual;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.simulation.Death;
import dev.rcc.server.simulation.Death.Victim;
import dev.rcc.server.simulation.Moment;
import dev.rcc.transport.sim.FaultPlan;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/** PUNCTUAL's clock, on hosts whose wall clocks are up to a second off and step, and whose messages are delayed. */
class PunctualOnSimClockTest {
    private static final long SEED = Long.getLong("rcc.seed", 42);
    private static final int NODES = 4;
    private static final int WORKERS = 2;
    private static final FaultPlan WRONG_CLOCKS = FaultPlan.ROUGH.withClocks(1_000_000_000, 100, 1_000_000);
    private static final long DIES_AT_NANOS = 20_000_000;
    private static final long AWAY_NANOS_MAX = 100_000_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final ObservedProtocol protocol = new ObservedProtocol(new Punctual());

    private ClusterClock clock(int node, int worker) {
        return protocol.context(node, worker).clock();
    }

    /** Compares all clocks for some time with that of {@code reference}, once all of them are synchronised with it. */
    private void assertTogether(SimulatedCluster cluster, int reference) {
        assertThat(cluster.await(PATIENCE, () -> isKept(reference)))
                .as("seed %s", SEED)
                .isTrue();
        long sum = 0;
        int looks = 0;
        for (int i = 0; i < 200; i++) {
            cluster.await(Duration.ofNanos(37_000), () -> false);
            for (int node = reference; node < NODES; node++) {
                for (int worker = 0; worker < WORKERS; worker++) {
                    long off = clock(node, worker).nanos() - clock(reference, 0).nanos();
                    long error = clock(node, worker).errorNanos();
                    assertThat(Math.abs(off))
                            .as("node %s, worker %s, seed %s", node, worker, SEED)
                            .isLessThanOrEqualTo(error);
                    sum += error;
                    looks++;
                }
            }
        }
        assertThat(sum / looks).isBetween(1L, 20_000L);
    }

    private boolean isKept(int reference) {
        for (int node = reference; node < NODES; node++) {
            ClusterClock.State state = clock(node, 1).state();
            if (!state.isSynchronised() || !state.reason().equals("the time of node " + reference)) {
                return false;
            }
        }
        return true;
    }

    private static final TableSchema SCHEMA = TableSchema.ofLongKeys(0, "numbers", 8, 64);

    private ClusterConfig config() {
        return ClusterConfig.of(protocol, List.of(SCHEMA))
                .withShape(NODES, WORKERS, 1, 3)
                .withMemory(16 * 1024, 32 * 1024, 1024)
                .withSeed(SEED)
                .withRecovery(PATIENCE);
    }

    private static SimulatedCluster cluster(ClusterConfig config) {
        return EmbeddedCluster.simulated(config, SimOptions.of("connectx4-edr").withFaults(WRONG_CLOCKS));
    }

    @Test
    void shouldBeKeptByTheReferenceOfEachConfigurationUpToItsError() {
        try (SimulatedCluster cluster = cluster(config())) {
            cluster.plan(List.of(new Death(0, Victim.NODE, new Moment.Later(DIES_AT_NANOS), 0, DIES_AT_NANOS, 10_000)));
            cluster.start();
            assertThat(clock(1, 0).state().isSynchronised()).isFalse();
            clock(1, 0).nanos();
            assertThat(clock(1, 0).errorNanos()).isEqualTo(ClusterClock.NO_BOUND);
            assertTogether(cluster, 0);
            assertTogether(cluster, 1);
        }
    }

    // Goal: a node's next incarnation does not draw a timestamp again. Method: nodes with host clocks up to
    // a second behind or ahead of the reference's rejoin at once.
    @Test
    void shouldNotGoBackWhenANodeComesBack() {
        for (int node = 1; node < NODES; node++) {
            int returning = node;
            try (SimulatedCluster cluster = cluster(config())) {
                cluster.plan(
                        List.of(new Death(node, Victim.NODE, new Moment.Later(DIES_AT_NANOS), 0, DIES_AT_NANOS, 10_000)
                                .returning(20_000)));
                boolean[] hasRejoined = new boolean[1];
                long[] drawn = new long[2];
                cluster.whenRejoined(back -> {
                    hasRejoined[0] = true;
                    spawn(cluster, returning, id -> drawn[1] = id);
                });
                cluster.start();
                assertThat(cluster.await(Duration.ofNanos(DIES_AT_NANOS - 200_000), () -> hasRejoined[0]))
                        .isFalse();
                spawn(cluster, returning, id -> drawn[0] = id);
                assertThat(cluster.await(PATIENCE, () -> drawn[1] != 0)).isTrue();
                assertThat(Timestamp.isBefore(drawn[0], drawn[1]))
                        .as("node %s, %s, %s", node, Timestamp.toString(drawn[0]), Timestamp.toString(drawn[1]))
                        .isTrue();
                assertThat(Timestamp.clock(drawn[1]) - Timestamp.clock(drawn[0]))
                        .isLessThan(AWAY_NANOS_MAX / Timestamp.TICK_NANOS);
            }
        }
    }

    private static void spawn(SimulatedCluster cluster, int node, LongConsumer idOfATransaction) {
        cluster.spawn(
                node,
                0,
                0,
                (runner, self) -> runner.run(ProtocolContract.procedure(
                        txn -> txn.read(cluster.catalog().table(0), 1),
                        (txn, access) -> idOfATransaction.accept(txn.id()))));
    }
}
