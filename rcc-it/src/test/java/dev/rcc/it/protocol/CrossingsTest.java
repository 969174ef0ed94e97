package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.core.cluster.Zones;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.CrossingMetrics;
import dev.rcc.core.txn.Fragment;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Crossings.Measure;
import dev.rcc.protocols.Protocols;
import dev.rcc.protocols.calvin.Calvin;
import dev.rcc.protocols.optimistic.LockTime;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.sim.SimOptions;
import dev.rcc.transport.tcp.TcpProvider;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Round trips and messages between data centres of one deposit of SmallBank, beside a count by hand. Each of three data centres has a node
 * with a copy of everything. The client is at node 0. The account has its primary there, or at node 1.
 */
class CrossingsTest {
    private static final List<String> DATACENTERS = List.of("a", "b", "c");
    private static final int CLIENT = 0;
    private static final int ELSEWHERE = 1;
    private static final String DEPOSIT = "smallbank.deposit-checking";
    private static final long ACCOUNTS = 60;
    private static final Protocol NOWAIT = Protocols.byName("nowait");
    private static final SimOptions MODEL = SimOptions.of("connectx4-edr");
    private static final long SEED = Long.getLong("rcc.seed", 42);

    private static final String NONE = "0/0";
    /** A request to node 1, and its answer. */
    private static final String ASKED = "1/2";
    /** The entry goes to both backups of an account of node 0 at once. */
    private static final String LOGGED_TWICE = "1/4";
    /** Of an account of node 1, one backup is node 2, the other one the client's node. */
    private static final String LOGGED_ONCE = "1/2";

    static Stream<Arguments> everyProtocol() {
        return EachProtocol.protocols()
                .flatMap(protocol -> Stream.of(Primitive.values())
                        .map(primitive -> Arguments.of(
                                protocol.getPayload(),
                                primitive,
                                protocol.getName().endsWith("locks at access") ? LockTime.ACCESS : LockTime.COMMIT)));
    }

    /** By stage, round trips and messages of a deposit into an account of the client's data centre. */
    private static List<String> nearby(Protocol protocol) {
        return protocol.stages().stream()
                .map(stage -> switch (stage) {
                    case "log" -> LOGGED_TWICE;
                    case "dispatch" -> "1/0"; // its sequencer sends the epoch to all nodes, not this transaction
                    case "forward" -> LOGGED_TWICE; // CALVIN logs there
                    default -> NONE;
                })
                .toList();
    }

    /** By stage, round trips and messages of a deposit into an account of another data centre. */
    private static List<String> elsewhere(Protocol protocol, Primitive primitive, LockTime lockTime) {
        boolean isOneSided = primitive == Primitive.ONE_SIDED;
        return protocol.stages().stream()
                .map(stage -> switch (stage) {
                    case "fetch" -> lockTime == LockTime.ACCESS ? NONE : ASKED; // else lock fetches, too
                    case "lock" ->
                        switch (protocol.name()) {
                            case "dslr" -> "2/4"; // a ticket by FETCH_ADD, and then the record
                            // the lock, and beside it, not waited for, its holder's age
                            case "sundial" -> sundialLocks(lockTime, isOneSided);
                            // the lock and then the record, or both in one call
                            case "mvcc" -> lockTime == LockTime.ACCESS && isOneSided ? "2/4" : ASKED;
                            default -> ASKED;
                        };
                    case "log" -> LOGGED_ONCE;
                    case "validate", "renew" -> NONE; // nothing was only read
                    case "release" -> protocol.name().equals("dslr") ? ASKED : NONE; // the ticket
                    case "dispatch" -> "1/0";
                    case "forward" -> "3/4"; // node 1's own forwards; the log; the decision
                    default -> ASKED;
                })
                .toList();
    }

    private static String sundialLocks(LockTime lockTime, boolean isOneSided) {
        if (!isOneSided) {
            return ASKED;
        }
        return lockTime == LockTime.ACCESS ? "2/6" : "1/4"; // at access, the record follows
    }

    @ParameterizedTest
    @MethodSource("everyProtocol")
    void shouldCountTheCrossingsOfADepositByStage(Protocol protocol, Primitive primitive, LockTime lockTime) {
        ClusterConfig config = config(protocol, primitive, Zones.of(DATACENTERS));
        try (EmbeddedCluster cluster = EmbeddedCluster.simulated(config, MODEL)) {
            assertThat(byStage(protocol, deposit(new TestCluster(cluster), CLIENT)))
                    .isEqualTo(nearby(protocol));
        }
        try (EmbeddedCluster cluster = EmbeddedCluster.simulated(config, MODEL)) {
            CrossingMetrics crossings = deposit(new TestCluster(cluster), ELSEWHERE);
            assertThat(byStage(protocol, crossings)).isEqualTo(elsewhere(protocol, primitive, lockTime));
            for (Measure measure : Measure.values()) {
                assertThat(crossings.transactions().sum(measure))
                        .as("all stages, and nothing else: %s", measure)
                        .isEqualTo(IntStream.range(0, protocol.stages().size())
                                .mapToLong(stage -> crossings.stage(stage).sum(measure))
                                .sum());
            }
            if (protocol instanceof Calvin) {
                // Each of three sequencers sends to two nodes; node 1 forwards the record, and the result
                // of its execution.
                assertThat(crossings.shared().count(Measure.MESSAGES)).isEqualTo(3 * 2 * 2 + 2 + 2);
            } else {
                assertThat(crossings.shared().count(Measure.MESSAGES)).isZero();
            }
        }
    }

    @Test
    void shouldReportMeanAndMaximum() {
        ClusterConfig config = config(NOWAIT, Primitive.RPC, Zones.of(DATACENTERS));
        try (EmbeddedCluster embedded = EmbeddedCluster.simulated(config, MODEL)) {
            TestCluster cluster = new TestCluster(embedded);
            start(cluster);
            cluster.commitAll(CLIENT, List.of(depositInto(embedded, CLIENT), depositInto(embedded, ELSEWHERE)));
            CrossingMetrics both = cluster.metrics().crossings();
            assertThat(both.committed()).isEqualTo(2);
            assertThat(both.transactions().max(Measure.MESSAGES)).isEqualTo(6);
            assertThat(both.mean(both.transactions(), Measure.MESSAGES)).isEqualTo(5);
            assertThat(both.transactions().max(Measure.ROUND_TRIPS)).isEqualTo(3);
            assertThat(both.mean(both.transactions(), Measure.ROUND_TRIPS)).isEqualTo(2);
            int log = NOWAIT.stages().indexOf("log");
            assertThat(both.stage(log).sum(Measure.MESSAGES)).isEqualTo(4 + 2);
            assertThat(both.stage(log).max(Measure.MESSAGES)).isEqualTo(4);
            embedded.resetMetrics();
            assertThat(cluster.metrics().crossings().committed()).isZero();
            assertThat(cluster.metrics().crossings().transactions().max(Measure.MESSAGES))
                    .isZero();
        }
    }

    @Test
    void shouldCountAbortedAttemptsApart() {
        ClusterConfig config = config(NOWAIT, Primitive.RPC, Zones.of(DATACENTERS));
        try (EmbeddedCluster embedded = EmbeddedCluster.simulated(config, MODEL)) {
            TestCluster cluster = new TestCluster(embedded);
            bank().load(cluster.loader);
            cluster.start();
            Table checking = embedded.catalog().table("checking");
            assertThat(cluster.run(CLIENT, new Procedure() {
                        @Override
                        public void declare(Transaction txn) {
                            txn.update(checking, accountOf(embedded, ELSEWHERE));
                        }

                        @Override
                        public void execute(Transaction txn) {
                            txn.abort();
                        }
                    }))
                    .isEqualTo(TestCluster.Result.aborted(AbortReason.USER_ABORT));
            CrossingMetrics crossings = cluster.metrics().crossings();
            assertThat(crossings.committed()).isZero();
            assertThat(crossings.transactions().sum(Measure.MESSAGES)).isZero();
            assertThat(crossings.aborted().count(Measure.ROUND_TRIPS)).isEqualTo(2); // lock, release
            assertThat(crossings.aborted().count(Measure.MESSAGES)).isEqualTo(4);
        }
    }

    @Test
    void shouldCountTheSameOnARealNetwork() {
        ClusterConfig config = config(NOWAIT, Primitive.RPC, Zones.of(DATACENTERS));
        for (int node : new int[] {CLIENT, ELSEWHERE}) {
            try (EmbeddedCluster cluster = new EmbeddedCluster(config, new TcpProvider())) {
                assertThat(byStage(NOWAIT, deposit(new TestCluster(cluster), node)))
                        .isEqualTo(node == CLIENT ? nearby(NOWAIT) : elsewhere(NOWAIT, Primitive.RPC, LockTime.COMMIT));
            }
        }
    }

    @Test
    void shouldCountNothingInASingleDatacenter() {
        ClusterConfig config = config(NOWAIT, Primitive.RPC, Zones.of(List.of("a", "a", "a")));
        try (EmbeddedCluster cluster = EmbeddedCluster.simulated(config, MODEL)) {
            CrossingMetrics crossings = deposit(new TestCluster(cluster), ELSEWHERE);
            assertThat(crossings.committed()).isZero();
            assertThat(crossings.shared().count(Measure.MESSAGES)).isZero();
        }
    }

    private static ClusterConfig config(Protocol protocol, Primitive primitive, Zones zones) {
        return ClusterConfig.of(protocol, bank().tables(zones.nodes()))
                .withCode(HybridCode.uniform(protocol, primitive))
                .withShape(zones.nodes(), 1, 1, zones.nodes())
                .withZones(zones)
                .withFragments(bank().fragments())
                .withMemory(16 * 1024, 32 * 1024, 1024)
                .withSeed(SEED);
    }

    private static Workload bank() {
        return Workloads.byName("smallbank").create(Map.of("accounts", Long.toString(ACCOUNTS)));
    }

    /** The round trips and messages of one deposit by a coroutine of node 0, into an account of some node. */
    private static CrossingMetrics deposit(TestCluster cluster, int node) {
        start(cluster);
        cluster.commit(CLIENT, depositInto(cluster.embedded, node));
        return cluster.metrics().crossings();
    }

    private static void start(TestCluster cluster) {
        bank().load(cluster.loader);
        cluster.embedded.warmAddressCaches(); // so that no index is read
        cluster.start();
    }

    private static Fragment depositInto(EmbeddedCluster cluster, int node) {
        Memory arguments = Memory.allocate(Arena.ofAuto(), 3 * Long.BYTES);
        arguments.putLong(0, accountOf(cluster, node));
        arguments.putLong(2L * Long.BYTES, 100);
        Fragment deposit = bank().fragments().stream()
                .filter(type -> type.name().equals(DEPOSIT))
                .findFirst()
                .orElseThrow()
                .make(cluster.catalog());
        deposit.takeArguments(arguments, 0);
        return deposit;
    }

    private static long accountOf(EmbeddedCluster cluster, int node) {
        Table checking = cluster.catalog().table("checking");
        return LongStream.range(0, ACCOUNTS)
                .filter(account -> cluster.catalog().placement().partition(checking.keyHash(account)) == node)
                .findFirst()
                .orElseThrow();
    }

    private static List<String> byStage(Protocol protocol, CrossingMetrics crossings) {
        List<String> stages = new ArrayList<>();
        for (int i = 0; i < protocol.stages().size(); i++) {
            stages.add(crossings.stage(i).sum(Measure.ROUND_TRIPS) + "/"
                    + crossings.stage(i).sum(Measure.MESSAGES));
        }
        return stages;
    }
}
