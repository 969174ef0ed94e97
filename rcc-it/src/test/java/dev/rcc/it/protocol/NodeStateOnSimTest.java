package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.protocol.NodeShape;
import dev.rcc.core.protocol.NodeState;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.worker.Alarm;
import dev.rcc.it.example.Exclusive;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.simulation.Death;
import dev.rcc.server.simulation.Death.Victim;
import dev.rcc.server.simulation.Moment;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A protocol with an object on each node that has the configuration, and a beat on each worker that reads it. */
class NodeStateOnSimTest {
    private static final int NODES = 4;
    private static final int WORKERS = 2;
    private static final long BEAT_NANOS = 100_000;
    private static final long LATE_NANOS = 10_000;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** One incarnation of a node: the configurations that it was notified of. */
    private static final class Roll implements NodeState {
        private final int node;
        private final List<Long> epochs = new ArrayList<>();
        private final List<Placement> placements = new ArrayList<>();

        private Roll(int node) {
            this.node = node;
        }

        @Override
        public void configured(long configEpoch, Placement placement) {
            epochs.add(configEpoch);
            placements.add(placement);
        }
    }

    /** The state that a worker has seen at one beat. */
    private record Beat(Roll roll, int worker, long nanos, long epoch) {}

    /** EXCLUSIVE with beats. */
    private static final class Beating extends DelegatingProtocol {
        private final List<Roll> rolls = new ArrayList<>();
        private final List<Beat> beats = new ArrayList<>();

        Beating() {
            super(new Exclusive());
        }

        @Override
        public NodeState nodeState(int node, NodeShape shape) {
            rolls.add(new Roll(node));
            return rolls.getLast();
        }

        @Override
        public void serve(WorkerContext context) {
            super.serve(context);
            Roll roll = context.nodeState(Roll.class);
            Alarm[] alarm = new Alarm[1];
            alarm[0] = new Alarm(context.worker(), context.serviceCoroutine(), LATE_NANOS, coroutine -> {
                long epoch = roll.epochs.isEmpty() ? -1 : roll.epochs.getLast();
                beats.add(new Beat(
                        roll, context.worker().index(), context.worker().nanoTime(), epoch));
                alarm[0].in(10 * BEAT_NANOS);
                alarm[0].in(BEAT_NANOS); // the earlier one counts
            });
            alarm[0].in(BEAT_NANOS);
        }

        List<Beat> of(Roll roll, int worker) {
            return beats.stream()
                    .filter(beat -> beat.roll().equals(roll) && beat.worker() == worker)
                    .toList();
        }
    }

    private static void pass(SimulatedCluster cluster, long nanos) {
        cluster.await(Duration.ofNanos(nanos), () -> false);
    }

    @Test
    void shouldNotifyEachNodeIncarnationOfItsConfigurationsAndKeepDeadlines() {
        Beating protocol = new Beating();
        ClusterConfig config = ClusterConfig.of(protocol, List.of(TableSchema.ofLongKeys(0, "numbers", 8, 64)))
                .withShape(NODES, WORKERS, 1, 3)
                .withMemory(16 * 1024, 32 * 1024, 1024)
                .withRecovery(PATIENCE);
        Placement home = new RingPlacement(NODES, 3);
        try (SimulatedCluster cluster = EmbeddedCluster.simulated(config, SimOptions.of("connectx4-edr"))) {
            cluster.plan(List.of(
                    new Death(2, Victim.NODE, new Moment.Later(500_000), 0, 1_000_000, 10_000).returning(2_000_000)));
            boolean[] rejoined = new boolean[1];
            cluster.whenRejoined(node -> rejoined[0] = true);
            cluster.start();
            assertThat(protocol.rolls).hasSize(NODES).allSatisfy(roll -> {
                assertThat(roll.epochs).containsExactly(0L);
                assertThat(roll.placements).containsExactly(home);
            });
            assertThat(cluster.await(PATIENCE, () -> rejoined[0])).isTrue();
            pass(cluster, 20 * BEAT_NANOS);
        }
        Roll dead = protocol.rolls.get(2);
        assertThat(dead.epochs).containsExactly(0L);
        assertThat(protocol.of(dead, 0)).isNotEmpty();
        Roll survivor = protocol.rolls.get(0);
        assertThat(survivor.epochs).hasSize(3).isSorted().doesNotHaveDuplicates();
        assertThat(survivor.placements).containsExactly(home, home.without(2), home);
        Roll back = protocol.rolls.get(NODES);
        assertThat(back.node).isEqualTo(2);
        assertThat(back.epochs).containsExactly(survivor.epochs.getLast());
        assertThat(back.placements).containsExactly(home);
        for (int worker = 0; worker < WORKERS; worker++) {
            List<Beat> beats = protocol.of(survivor, worker);
            assertThat(beats).extracting(Beat::epoch).containsSubsequence(survivor.epochs);
            assertThat(protocol.of(back, worker)).extracting(Beat::epoch).endsWith(back.epochs.getLast());
            for (int i = 1; i < beats.size(); i++) {
                // A worker that copies for another node is late.
                assertThat(beats.get(i).nanos() - beats.get(i - 1).nanos())
                        .isBetween(BEAT_NANOS, BEAT_NANOS + 10 * LATE_NANOS);
            }
        }
    }
}
