package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.ZonedPlacement;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.RetryPolicy;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.SimulatedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.node.Client;
import dev.rcc.server.simulation.Death;
import dev.rcc.server.simulation.Death.Victim;
import dev.rcc.server.simulation.Moment;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Copies in zones of their own, instead of around a ring: a node that comes back, and the loss of a whole zone, in virtual time. */
class ZonedPlacementOnSimTest {
    private static final TableSchema ACCOUNTS = TableSchema.ofLongKeys(0, "accounts", 8, 64);
    private static final int KEYS = 40;
    private static final long INITIAL = 1_000;
    private static final int ZONES = 3;
    private static final int NODES_PER_ZONE = 2;
    private static final int REPLICAS = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long SEED = Long.getLong("rcc.seed", 42);

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicInteger committed = new AtomicInteger();

    static Stream<Arguments> everyProtocol() {
        return Protocols.all().stream()
                .flatMap(protocol -> Stream.of(Primitive.values()).map(primitive -> Arguments.of(protocol, primitive)));
    }

    private static Procedure transfer(Table table, long from, long to) {
        return ProtocolContract.procedure(
                txn -> List.of(txn.update(table, from), txn.update(table, to)), (txn, accounts) -> {
                    Access source = accounts.getFirst();
                    Access target = accounts.getLast();
                    source.putLong(0, source.getLong(0) - 1);
                    target.putLong(0, target.getLong(0) + 1);
                });
    }

    private Client transfers(Table table) {
        return (runner, self) -> {
            while (!over.get()) {
                long from = self.worker().random(KEYS);
                long to = (from + 1 + self.worker().random(KEYS - 1)) % KEYS;
                if (runner.run(transfer(table, from, to)) == Outcome.COMMITTED) {
                    committed.incrementAndGet();
                }
            }
        };
    }

    private void assertGoesOn(SimulatedCluster cluster, String after) {
        int before = committed.get();
        assertThat(cluster.await(PATIENCE, () -> committed.get() > before + 50))
                .as("it goes on after %s, seed %s", after, SEED)
                .isTrue();
    }

    // Goal: recovery, joining and all code that looks for a copy use the placement. Method: homes that no
    // ring has; a ring of as many nodes and replicas would lose a partition with the zone.
    @ParameterizedTest
    @MethodSource("everyProtocol")
    void shouldTakeANodeBackAndSurviveTheLossOfAZone(Protocol protocol, Primitive primitive) {
        Placement home = new ZonedPlacement(ZONES, NODES_PER_ZONE, REPLICAS);
        assertThat(new RingPlacement(home.nodes(), REPLICAS).holders()).contains(List.of(0, 1));
        ClusterConfig config = ClusterConfig.of(protocol, List.of(ACCOUNTS))
                .withCode(HybridCode.uniform(protocol, primitive))
                .withShape(3, 1, 3, 2)
                .withHome(home)
                .withMemory(16 * 1024, 32 * 1024, 1024)
                .withRetries(new RetryPolicy(20_000, 4_000, 1_000_000))
                .withRecovery(PATIENCE)
                .withSeed(SEED);
        assertThat(config.nodes()).isEqualTo(ZONES * NODES_PER_ZONE);
        try (SimulatedCluster cluster = EmbeddedCluster.simulated(config, SimOptions.of("connectx4-edr"))) {
            Table table = cluster.catalog().table(0);
            LongStream.range(0, KEYS)
                    .forEach(key -> cluster.loader().load(table, key, record -> record.putLong(0, INITIAL)));
            AtomicInteger rejoined = new AtomicInteger();
            cluster.whenRejoined(node -> {
                cluster.spawn(node, 0, 0, transfers(table));
                rejoined.incrementAndGet();
            });
            cluster.plan(List.of(
                    new Death(4, Victim.NODE, new Moment.Later(200_000), 0, 300_000, 50_000).returning(1_000_000)));
            cluster.start();
            cluster.spawnEverywhere(transfers(table));
            assertThat(cluster.await(PATIENCE, () -> rejoined.get() == 1)).isTrue();
            assertThat(cluster.await(PATIENCE, cluster::isReconfigured)).isTrue();
            assertThat(cluster.catalog().placement()).isEqualTo(home);
            assertGoesOn(cluster, "the return");

            cluster.stopNode(0);
            cluster.stopNode(1);
            assertThat(cluster.await(PATIENCE, cluster::isReconfigured)).isTrue();
            Placement left = cluster.catalog().placement();
            assertThat(left).isEqualTo(home.without(0).without(1));
            for (int partition = 0; partition < left.partitions(); partition++) {
                assertThat(left.zone(left.primary(partition))).isNotZero();
                assertThat(home.holds(left.primary(partition), partition)).isTrue();
            }
            assertGoesOn(cluster, "the loss of a zone");

            over.set(true);
            assertThat(cluster.awaitClients(PATIENCE)).isTrue();
            assertThat(cluster.quiesce(PATIENCE)).isTrue();
            assertThat(cluster.inspect().violations()).isEmpty();
            AtomicLong sum = new AtomicLong();
            cluster.inspect().forEachTuple(table, (memory, key, record) -> sum.addAndGet(memory.getLong(record)));
            assertThat(sum.get()).isEqualTo(KEYS * INITIAL);
        }
    }
}
