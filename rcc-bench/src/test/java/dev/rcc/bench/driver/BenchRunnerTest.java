package dev.rcc.bench.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rcc.bench.workload.Generator;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.client.ClientOptions;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Procedure;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.node.Loader;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class BenchRunnerTest {
    /** Clients that have just started compile what they run, on a busy machine for a while. */
    private static final BenchConfig.Times LONG_ENOUGH_FOR_CLIENTS = new BenchConfig.Times(0.5, 1);

    private static final Map<String, String> SMALL_BANK = Map.of("accounts", "1000");
    private static final Map<String, String> SMALL_YCSB = Map.of("records-per-node", "1000", "compute-us", "0");
    private static final Map<String, String> SMALL_SCANS = Map.of("records-per-node", "1000", "growth-percent", "1000");
    private static final Map<String, String> STRING_SCANS =
            Map.of("records-per-node", "1000", "growth-percent", "1000", "keys", "strings");
    private static final Map<String, String> SMALL_LISTS = Map.of("keys", "50");

    @ParameterizedTest
    @CsvSource({
        "smallbank, one-sided",
        "smallbank, rpc",
        "ycsb, one-sided",
        "ycsb, rpc",
        "ycsb-sundial, one-sided",
        "ycsb-sundial, rpc",
        "ycsb-e, one-sided",
        "ycsb-e, rpc",
        "strings, one-sided",
        "strings, rpc",
        "list-append, one-sided",
        "list-append, rpc"
    })
    void shouldCommitAndKeepTheInvariants(String workload, String code) throws InterruptedException {
        Map<String, String> options = Map.of(
                        "smallbank", SMALL_BANK,
                        "ycsb", SMALL_YCSB,
                        "ycsb-sundial", SMALL_YCSB,
                        "ycsb-e", SMALL_SCANS,
                        "strings", STRING_SCANS,
                        "list-append", SMALL_LISTS)
                .get(workload);
        String name = workload.equals("strings") ? "ycsb-e" : workload;
        BenchResult result = new BenchRunner(config(Workloads.create(name, options), code)).run();
        assertThat(result.violations()).isEmpty();
        assertThat(result.metrics().committed()).isPositive();
        assertThat(result.committedPerSecond()).isPositive();
        assertThat(result.metrics().attempted()).isEqualTo(result.metrics().committed() + result.aborted());
    }

    // Zipf's law, blind writes, large records in transactions that fill the default buffers: the other ways of YCSB.
    @Test
    void shouldRunLargeBlindTransactions() throws InterruptedException {
        Workload workload = Workloads.create(
                "ycsb",
                Map.of(
                        "records-per-node", "500",
                        "record-bytes", "4096",
                        "operations", "40",
                        "write-kind", "blind",
                        "write-percent", "5",
                        "distribution", "zipfian",
                        "theta", "0.2"));
        BenchResult result = new BenchRunner(config(workload, "one-sided")).run();
        assertThat(result.violations()).isEmpty();
        assertThat(result.metrics().committed()).isPositive();
    }

    // By RPC, the buffer has each write once more for each backup.
    @Test
    void shouldHaveRoomForTransactionsThatOnlyWrite() throws InterruptedException {
        Workload workload = Workloads.create(
                "ycsb", Map.of("records-per-node", "500", "record-bytes", "1024", "write-percent", "100"));
        for (String protocol : List.of("nowait", "sundial")) {
            BenchResult result = new BenchRunner(config(workload, protocol, "rpc")).run();
            assertThat(result.violations()).isEmpty();
            assertThat(result.metrics().committed()).isPositive();
        }
    }

    @Test
    void shouldGiveUpPaymentsThatAreNotCovered() throws InterruptedException {
        Workload workload = Workloads.create(
                "smallbank",
                Map.of(
                        "accounts", "100",
                        "initial-balance", "0",
                        "credit-line", "0",
                        "deposit-checking", "0",
                        "transact-savings", "0",
                        "write-check", "0"));
        BenchResult result = new BenchRunner(config(workload, "one-sided")).run();
        assertThat(result.violations()).isEmpty();
        assertThat(result.metrics().aborts(AbortReason.USER_ABORT)).isPositive();
    }

    @Test
    void shouldReportViolatedInvariantsAndDifferingBackups() throws InterruptedException {
        BenchConfig config = config(Workloads.create("smallbank", SMALL_BANK), "one-sided");
        BenchResult result = new BenchRunner(config, BenchRunnerTest::stealACent).run();
        assertThat(result.isOk()).isFalse();
        assertThat(result.violations())
                .anyMatch(violation -> violation.contains("money is not conserved"))
                .anyMatch(violation -> violation.contains("differs on the backup"));
        assertThat(json(result).get("invariants").isArray()).isTrue();
    }

    @Test
    void shouldFindLostUpdatesAndTornRecords() throws InterruptedException {
        BenchConfig config = config(Workloads.create("ycsb", SMALL_YCSB), "one-sided");
        BenchResult result = new BenchRunner(config, cluster -> {
                    boolean[] done = {false};
                    cluster.inspect().forEachTuple(cluster.catalog().table(0), (memory, keyOffset, recordOffset) -> {
                        if (!done[0]) {
                            memory.putLong(recordOffset, memory.getLong(recordOffset) - 1);
                            done[0] = true;
                        }
                    });
                })
                .run();
        assertThat(result.violations())
                .anyMatch(violation -> violation.contains("updates are lost"))
                .anyMatch(violation -> violation.contains("1 records are not whole"));
    }

    @Test
    void shouldFindLostAndRepeatedAppends() throws InterruptedException {
        BenchConfig config = config(Workloads.create("list-append", SMALL_LISTS), "one-sided");
        BenchResult result = new BenchRunner(config, cluster -> {
                    long[] first = {0};
                    cluster.inspect().forEachTuple(cluster.catalog().table(0), (memory, keyOffset, recordOffset) -> {
                        long count = memory.getLong(recordOffset);
                        if (count > 0 && first[0] == 0) {
                            first[0] = memory.getLong(recordOffset + Long.BYTES);
                        } else if (count > 1 && first[0] > 0) {
                            memory.putLong(recordOffset + Long.BYTES, first[0]);
                            memory.putLong(recordOffset + 2 * Long.BYTES, 0);
                            memory.putLong(recordOffset, 2);
                            first[0] = -1;
                        }
                    });
                })
                .run();
        assertThat(result.violations())
                .anyMatch(violation -> violation.contains("appends are lost"))
                .anyMatch(violation -> violation.endsWith("is missing"))
                .anyMatch(violation -> violation.endsWith("which is in the lists twice"));
    }

    @Test
    void shouldFailWhenAClientFails() {
        BenchConfig config = config(new FailingWorkload(Workloads.create("smallbank", SMALL_BANK)), "one-sided");
        assertThatIllegalStateException()
                .isThrownBy(() -> new BenchRunner(config).run())
                .withMessageContaining("client failed")
                .withStackTraceContaining("planted");
    }

    @Test
    void shouldRefuseToMeasureForNoTime() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BenchConfig.Times(0, 0))
                .withMessageContaining("more than 0 seconds");
    }

    private static ClientLoad load(ClientLoad.Mode mode) {
        return new ClientLoad(mode, 8, ClientOptions.DEFAULT);
    }

    // Goal: clients of the client library work as coroutines do: the same invariants hold, and the history is
    // serializable.
    @ParameterizedTest
    @CsvSource({
        "smallbank, nowait, CLIENT",
        "smallbank, nowait, PROCEDURES",
        "smallbank, mvcc, PROCEDURES",
        "ycsb, occ, CLIENT",
        "ycsb, sundial, PROCEDURES",
        "ycsb, calvin, PROCEDURES",
        "ycsb-sundial, waitdie, CLIENT"
    })
    void shouldRunThroughTheClientLibrary(String workload, String protocol, ClientLoad.Mode mode)
            throws InterruptedException {
        Map<String, String> options = workload.equals("smallbank") ? SMALL_BANK : SMALL_YCSB;
        BenchConfig config = config(Workloads.create(workload, options), protocol, "rpc", LONG_ENOUGH_FOR_CLIENTS)
                .withLoad(load(mode))
                .withChecks();
        BenchResult result = new BenchRunner(config).run();
        assertThat(result.violations()).isEmpty();
        assertThat(result.history()).hasValueSatisfying(verdict -> {
            assertThat(verdict.isClean()).as(verdict.report()).isTrue();
            assertThat((long) verdict.transactions()).isGreaterThanOrEqualTo(result.committed());
        });
        ClientMeasurements clients = result.clients().orElseThrow();
        assertThat(result.committed()).isPositive().isEqualTo(clients.committed());
        assertThat(clients.latency().getTotalCount()).isEqualTo(clients.committed());
        assertThat(clients.cpuSeconds())
                .as("clients and servers have one process")
                .isEmpty();
        JsonNode json = json(result);
        assertThat(json.get("through").asString()).isEqualTo(mode.label());
        assertThat(json.get("clients").asInt()).isEqualTo(8);
        assertThat(json.get("committed").asLong()).isEqualTo(clients.committed());
        assertThat(json.get("gave_up").asLong()).isEqualTo(clients.gaveUp());
    }

    // Goal: the clients' accounts are compared with the data, and payments that clients cannot make are no
    // errors.
    @ParameterizedTest
    @EnumSource
    void shouldCheckTheDataAgainstTheTalliesOfClients(ClientLoad.Mode mode) throws InterruptedException {
        Workload poor = Workloads.create(
                "smallbank", Map.of("accounts", "100", "initial-balance", "0", "credit-line", "0", "write-check", "0"));
        BenchConfig config =
                config(poor, "nowait", "one-sided", LONG_ENOUGH_FOR_CLIENTS).withLoad(load(mode));
        BenchResult result = new BenchRunner(config, BenchRunnerTest::stealACent).run();
        assertThat(result.violations()).anyMatch(violation -> violation.contains("(-1 too much)"));
        assertThat(result.clients().orElseThrow().gaveUp()).isPositive();
    }

    // 256 nodes have 65,536 log rings.
    @Test
    void shouldNotSpendMoreMemoryThanALargeClusterNeeds() {
        ClusterConfig small = BenchRunner.clusterConfig(config(Workloads.create("smallbank", SMALL_BANK), "rpc"));
        assertThat(small.memory().logRingBytes()).isEqualTo(ClusterConfig.DEFAULT_LOG_RING_BYTES);
        assertThat(small.memory().addressCacheEntries())
                .isBetween(1 << 10, ClusterConfig.DEFAULT_ADDRESS_CACHE_ENTRIES);
        Protocol protocol = Protocols.byName("nowait");
        List<String> ofSmallTransactions =
                Workloads.names().stream().filter(name -> !name.equals("tpcc")).toList(); // Delivery writes 130 records
        for (String workload : ofSmallTransactions) {
            ClusterConfig large = BenchRunner.clusterConfig(BenchConfig.local(
                    protocol,
                    HybridCode.parse(protocol, "rpc"),
                    Workloads.create(workload, Map.of()),
                    new BenchConfig.Shape(256, 1, 1, 3),
                    new BenchConfig.Times(0, 1),
                    0));
            assertThat(256L * 256 * large.memory().logRingBytes()).isLessThanOrEqualTo(8L << 30);
            assertThat(256L * large.memory().addressCacheEntries()).isLessThanOrEqualTo(1 << 25);
        }
    }

    @Test
    void shouldWriteNumbersAsNumbers() throws InterruptedException {
        JsonNode json = json(new BenchRunner(config(Workloads.create("smallbank", SMALL_BANK), "one-sided")).run());
        for (String name : List.of(
                "nodes",
                "workers",
                "coroutines",
                "replicas",
                "seconds",
                "seed",
                "committed",
                "attempted",
                "committed_per_s",
                "abort_rate",
                "round_trips_per_txn")) {
            assertThat(json.get(name).isNumber()).as(name).isTrue();
        }
        for (String name : List.of("p50", "p90", "p99", "p999", "max", "mean")) {
            assertThat(json.get("latency_us").get(name).isNumber()).as(name).isTrue();
        }
        for (String stage : List.of("lock", "log", "commit", "release")) {
            JsonNode times = json.get("stages").get(stage);
            assertThat(times.get("count").isIntegralNumber()).as(stage).isTrue();
            assertThat(times.get("mean_us").isNumber()).as(stage).isTrue();
            assertThat(times.get("p99_us").isNumber()).as(stage).isTrue();
        }
        for (AbortReason reason : Protocols.abortReasons().all()) {
            assertThat(json.get("aborts").get(BenchResult.label(reason)).isIntegralNumber())
                    .isTrue();
        }
        assertThat(json.get("protocol").asString()).isEqualTo("nowait");
        assertThat(json.get("code").asString()).isEqualTo("1111");
        assertThat(json.get("workload").asString()).isEqualTo("smallbank");
        assertThat(json.get("fabric").asString()).isEqualTo("local");
        assertThat(json.get("replication").asString()).isEqualTo("rings");
        assertThat(json.get("invariants").asString()).isEqualTo("ok");
        assertThat(json.get("round_trips_per_txn").asDouble()).isBetween(1.0, 10.0);
        assertThat(json.get("manifest").propertyNames()).contains("version", "commit", "jvm", "cores", "os", "flags");
    }

    private static void stealACent(EmbeddedCluster cluster) {
        boolean[] done = {false};
        cluster.inspect().forEachTuple(cluster.catalog().table("savings"), (memory, keyOffset, recordOffset) -> {
            if (!done[0]) {
                memory.putLong(recordOffset, memory.getLong(recordOffset) - 1);
                done[0] = true;
            }
        });
    }

    private static BenchConfig config(Workload workload, String code) {
        return config(workload, "nowait", code);
    }

    private static BenchConfig config(Workload workload, String name, String code) {
        return config(workload, name, code, new BenchConfig.Times(0.05, 0.2));
    }

    private static BenchConfig config(Workload workload, String name, String code, BenchConfig.Times times) {
        Protocol protocol = Protocols.byName(name);
        return BenchConfig.local(
                protocol, HybridCode.parse(protocol, code), workload, new BenchConfig.Shape(3, 1, 4, 3), times, 42);
    }

    private static JsonNode json(BenchResult result) {
        return JsonMapper.builder().build().readTree(BenchJson.toText(result));
    }

    /** A workload whose clients throw at once. */
    private static final class FailingWorkload extends AlteredWorkload {
        FailingWorkload(Workload workload) {
            super(workload);
        }

        @Override
        public void load(Loader loader) {}

        @Override
        public List<Generator> generators(Catalog catalog, int count, SplittableRandom random) {
            return super.generators(catalog, count, random).stream()
                    .map(FailingWorkload::failing)
                    .toList();
        }

        private static Generator failing(Generator generator) {
            return new Generator() {
                @Override
                public Procedure next() {
                    throw new IllegalArgumentException("planted in " + generator.getClass());
                }

                @Override
                public void committed() {}

                @Override
                public long tally() {
                    return 0;
                }
            };
        }
    }
}
