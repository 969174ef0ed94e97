package dev.rcc.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.Model;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.gateway.EmbeddedGateways;
import dev.rcc.server.gateway.GatewayOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

@Execution(ExecutionMode.CONCURRENT) // its tests wait most of the time
class RandomFaultsTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final ClusterShape SHAPE = new ClusterShape(3, 3, false, false, true, 1_000);

    private static final int KEYS = 8;
    /** The limit for clusters that come back: no test is to end by it. */
    private static final int PATIENT_SECONDS = 120;
    /** The limit for clusters that do not. */
    private static final int IMPATIENT_SECONDS = 3;

    @TempDir
    Path logs;

    /** Nodes without processes, one of which does not come up. */
    private class Nodes implements ClusterNodes {
        private final Set<Integer> dead = new TreeSet<>();
        private volatile boolean isWhole;

        @Override
        public void kill(int node) {
            dead.add(node);
        }

        @Override
        public void terminate(int node) {
            dead.add(node);
        }

        @Override
        public void launch(int node) throws IOException {
            dead.remove(node);
        }

        @Override
        public boolean canBeAsked(int node) {
            return isAlive(node);
        }

        @Override
        public boolean isAlive(int node) {
            return !dead.contains(node);
        }

        @Override
        public void stop(int node) {
            dead.add(node);
        }

        @Override
        public boolean goOn(int node) {
            return false;
        }

        @Override
        public Optional<JsonNode> status(int node) {
            ObjectNode status = MAPPER.createObjectNode();
            status.put("state", node == 2 && !isWhole ? "joining" : "running");
            status.put("client", "here");
            return Optional.of(status);
        }

        @Override
        public Path data(int node) {
            return logs.resolve("node" + node + "-data");
        }

        @Override
        public Path log(int node) {
            return logs.resolve("node" + node + ".log");
        }
    }

    @Test
    void shouldReportTheStatusOfEachNodeWhenTheClusterIsNotWholeInTime() throws Exception {
        Files.writeString(logs.resolve("node2.log"), "waits\n12:00:00 ERROR [x] Y: it waits for ever\n");
        RandomFaults.Options options =
                new RandomFaults.Options("127.0.0.1:1", "faults", 64, 10, 2, 0, 1, 1, false, Model.SERIALIZABLE);
        List<String> progress = new ArrayList<>();
        FaultsResult result = new RandomFaults(options, SHAPE, new Nodes(), progress::add)
                .run(FaultSchedule.draw(1, 3, SHAPE, List.of(FaultKind.KILL)));
        assertThat(result.isClean()).isFalse();
        assertThat(result.report())
                .contains(
                        "0 of 3 faults",
                        "VIOLATION: STUCK: the cluster is not whole 1 s after the start",
                        "node 2, alive, /status: joining",
                        "it waits for ever");
        assertThat(result.toJson(MAPPER.createObjectNode())).contains("\"clean\" : false", "\"planned\" : 3");
    }

    /** Nodes that are whole until one is killed, which does some other harm to the cluster that clients use. */
    private final class Harmed extends Nodes {
        private final Runnable harm;

        Harmed(Runnable harm) {
            super.isWhole = true;
            this.harm = harm;
        }

        @Override
        public void kill(int node) {
            super.isWhole = false;
            harm.run();
        }
    }

    /** Runs faults on nodes, while clients use a cluster within this JVM. */
    private FaultsResult run(EmbeddedGateways gateways, ClusterNodes nodes, int patienceSeconds) throws Exception {
        return faults(gateways, nodes, patienceSeconds).run(FaultSchedule.draw(1, 3, SHAPE, List.of(FaultKind.KILL)));
    }

    private RandomFaults faults(EmbeddedGateways gateways, ClusterNodes nodes, int patienceSeconds) {
        RandomFaults.Options options = new RandomFaults.Options(
                gateways.addresses(), "faults", 64, KEYS, 2, 1, 1, patienceSeconds, false, Model.SERIALIZABLE);
        return new RandomFaults(options, SHAPE, nodes, line -> {});
    }

    private static EmbeddedCluster cluster() {
        ClusterConfig config = ClusterConfig.of(
                        Protocols.byName("nowait"), List.of(TableSchema.ofLongKeys(0, "faults", 64, 100)))
                .withShape(1, 1, 8, 1);
        EmbeddedCluster cluster = new EmbeddedCluster(config);
        cluster.start();
        return cluster;
    }

    /** Undoes all updates of a record that has updates. */
    private static void lose(EmbeddedGateways gateways, long key) {
        Table<Long, Register> table = new Table<>("faults", KeyType.LONG, Register.codec(64));
        Register first = new Register(Register.next(0, 1), true);
        AtomicBoolean isUpdated = new AtomicBoolean();
        try (RccClient client = RccClient.connect(gateways.addresses())) {
            while (!isUpdated.get()) {
                client.execute(txn -> {
                    isUpdated.set(!txn.getForUpdate(table, key).equals(Optional.of(first)));
                    txn.put(table, key, first);
                });
            }
        }
    }

    // Goal: a cluster that does not come back may have lost data, too, and the report of that loss matters
    // more than the reason of the hang.
    @Test
    void shouldLookForAcknowledgedWritesWhenTheClusterIsStuck() throws Exception {
        try (EmbeddedCluster cluster = cluster();
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT)) {
            FaultsResult result = run(gateways, new Harmed(() -> lose(gateways, 0)), IMPATIENT_SECONDS);
            assertThat(result.isClean()).isFalse();
            assertThat(result.report())
                    .contains(
                            "0 of 3 faults (no further: the cluster is not whole 3 s after fault 1)",
                            "VIOLATION: STUCK",
                            "VIOLATION: LOST");
        }
    }

    @Test
    void shouldJudgeTheHistoryWhenAFaultCannotBeInjected() throws Exception {
        try (EmbeddedCluster cluster = cluster();
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT)) {
            FaultsResult result = run(
                    gateways,
                    new Harmed(() -> {
                        throw new IllegalStateException("it has no process");
                    }),
                    PATIENT_SECONDS);
            assertThat(result.isClean()).isFalse();
            assertThat(result.report())
                    .contains("0 of 3 faults (no further: after 0 faults: ", "it has no process", "VIOLATION: NOT DONE")
                    .contains("lost 0, untruthful 0, half 0, keys stuck 0; history: serializable")
                    .doesNotContain("could not be read");
            assertThat(result.toJson(MAPPER.createObjectNode()))
                    .contains("\"clean\" : false", "\"no_further\" : \"after 0 faults", "\"unread_keys\" : 0");
        }
    }

    @Test
    void shouldFinishTheCurrentFaultAndJudgeWhenAskedToEnd() throws Exception {
        try (EmbeddedCluster cluster = cluster();
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT)) {
            List<RandomFaults> told = new ArrayList<>();
            List<Integer> started = new ArrayList<>();
            Nodes nodes = new Nodes() {
                @Override
                public void kill(int node) {
                    super.kill(node);
                    told.getFirst().endEarly();
                }

                @Override
                public void launch(int node) throws IOException {
                    super.launch(node);
                    started.add(node);
                }
            };
            nodes.isWhole = true;
            told.add(faults(gateways, nodes, PATIENT_SECONDS));
            FaultsResult result = told.getFirst().run(FaultSchedule.draw(1, 3, SHAPE, List.of(FaultKind.KILL)));
            assertThat(result.report())
                    .contains("1 of 3 faults (no further: it was asked to end)", "lost 0, untruthful 0");
            assertThat(started).hasSize(1);
        }
    }

    @Test
    void shouldPutTheEndOfALogBackWhenNodesRefuseToStartWithoutIt() throws Exception {
        Path segment = Files.createDirectories(logs.resolve("data")).resolve("segment-000000000001.wal");
        Files.write(segment, new byte[1_000]);
        try (EmbeddedCluster cluster = cluster();
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT)) {
            Nodes nodes = new Nodes() {
                @Override
                public void launch(int node) throws IOException {
                    super.launch(node);
                    if (Files.size(segment) < 1_000) {
                        Files.writeString(log(node), "segment-000000000001.wal ends too early\n");
                        kill(node);
                    }
                }

                @Override
                public Optional<JsonNode> status(int node) {
                    return isAlive(node) ? super.status(node) : Optional.empty();
                }

                @Override
                public Path data(int node) {
                    return segment.getParent();
                }
            };
            nodes.isWhole = true;
            FaultsResult result = faults(gateways, nodes, PATIENT_SECONDS)
                    .run(FaultSchedule.draw(1, 1, SHAPE, List.of(FaultKind.CUT_LOG)));
            assertThat(result.report())
                    .contains("1 of 1 faults,", "refused to start, and named segment-000000000001.wal");
            assertThat(result.isClean()).isTrue();
            assertThat(segment).hasSize(1_000);
        }
    }

    // Goal: where nodes end those that they have replaced, a run of many faults has many such ends, and
    // does not hang.
    @Test
    void shouldStartNodesAgainThatEndByThemselvesAsOftenAfterEachFault() throws Exception {
        try (EmbeddedCluster cluster = cluster();
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT)) {
            Nodes nodes = new Nodes() {
                private int launches;

                @Override
                public void launch(int node) throws IOException {
                    launches++;
                    if (launches % 3 == 0) {
                        super.launch(node);
                    }
                }

                @Override
                public Optional<JsonNode> status(int node) {
                    return isAlive(node) ? super.status(node) : Optional.empty();
                }
            };
            nodes.isWhole = true;
            RandomFaults.Options options = new RandomFaults.Options(
                    gateways.addresses(), "faults", 64, KEYS, 2, 1, 1, PATIENT_SECONDS, true, Model.SERIALIZABLE);
            FaultsResult result = new RandomFaults(options, SHAPE, nodes, line -> {})
                    .run(FaultSchedule.draw(1, 4, SHAPE, List.of(FaultKind.KILL)));
            assertThat(result.report()).contains("4 of 4 faults,", "has ended by itself");
            assertThat(result.isClean()).isTrue();
        }
    }

    @Test
    void shouldReportHowManyKeysCouldNotBeRead() throws Exception {
        try (EmbeddedCluster cluster = cluster();
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT)) {
            FaultsResult result = run(gateways, new Harmed(gateways::close), IMPATIENT_SECONDS);
            assertThat(result.isClean()).isFalse();
            assertThat(result.report())
                    .contains("VIOLATION: STUCK", KEYS + " keys could not be read at the end", "keys stuck " + KEYS);
        }
    }
}
