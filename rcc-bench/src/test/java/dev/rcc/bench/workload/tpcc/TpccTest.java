package dev.rcc.bench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchJson;
import dev.rcc.bench.driver.BenchNetwork;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.driver.BenchRunner;
import dev.rcc.bench.driver.ClientLoad;
import dev.rcc.bench.workload.KindMeasurements;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.client.ClientOptions;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.TransactionMetrics;
import dev.rcc.protocols.Protocols;
import dev.rcc.transport.sim.SimOptions;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TpccTest {
    private static final Map<String, String> SMALL = Map.of(
            "districts",
            "3",
            "customers",
            "30",
            "items",
            "50",
            "growth-percent",
            "5000",
            "mix",
            "weights",
            "delivery",
            "15");

    private static Workload small(String... more) {
        Map<String, String> options = new HashMap<>(SMALL);
        for (int i = 0; i < more.length; i += 2) {
            options.put(more[i], more[i + 1]);
        }
        return Workloads.create("tpcc", options);
    }

    private static BenchResult run(Protocol protocol, String code, Workload workload) throws InterruptedException {
        BenchConfig config = new BenchConfig(
                protocol,
                Map.of(),
                HybridCode.parse(protocol, code),
                workload,
                new BenchNetwork.Simulated(SimOptions.of("connectx4-edr")),
                new BenchConfig.Shape(3, 1, 4, 3),
                new BenchConfig.Times(0.0005, 0.004),
                7,
                new BenchConfig.History(true, Optional.empty()),
                Optional.empty());
        return new BenchRunner(config).run();
    }

    @ParameterizedTest
    @CsvSource({
        "nowait, rpc", "nowait, one-sided", "waitdie, rpc", "waitdie, one-sided", "occ, rpc", "occ, one-sided",
        "mvcc, rpc", "mvcc, one-sided", "sundial, rpc", "sundial, one-sided", "calvin, rpc", "calvin, one-sided"
    })
    void shouldKeepAllConditionsUnderEachProtocol(String protocol, String code) throws InterruptedException {
        BenchResult result = run(Protocols.byName(protocol), code, small());
        assertThat(result.violations()).isEmpty();
        assertThat(result.isOk())
                .as(() -> result.history().orElseThrow().report())
                .isTrue();
        assertThat(result.kinds()).extracting(KindMeasurements::name).containsExactlyElementsOf(Kind.labels());
        assertThat(result.kinds())
                .allSatisfy(kind -> assertThat(kind.committed()).as(kind.name()).isPositive());
        assertThat(result.kinds().stream()
                        .mapToLong(KindMeasurements::committed)
                        .sum())
                .as("all but those that have looked")
                .isBetween(result.committed() - looks(result), result.committed());
    }

    /** How often a transaction has looked at conditions while the others ran. */
    private static long looks(BenchResult result) {
        return result.workloadReport().stream()
                .filter(line -> line.key().equals("looks"))
                .mapToLong(line -> (long) line.value())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldReportTheFiguresThatTheStandardRequires() throws InterruptedException {
        BenchResult result = run(Protocols.byName("nowait"), "rpc", small("rollback-percent", "30"));
        assertThat(BenchJson.toText(result))
                .contains("\"workload_report\"", "\"tpmc\"", "\"rollback_percent\"", "\"new-order\"", "\"p95\"");
        assertThat(result.workloadReport().getFirst().remark())
                .contains("NOT TPC-C's scale: 3 districts, 30 customers, 50 items", "no waiting times");
        assertThat(result.workloadReport())
                .filteredOn(line -> line.key().equals("rollback_percent"))
                .singleElement()
                .satisfies(line -> assertThat(line.value()).isBetween(15.0, 45.0));
        assertThat(result.kinds().getFirst().gaveUp()).isPositive();
        assertThat(result.kinds().get(1).gaveUp()).isZero();
    }

    // Goal: NewOrders of coroutines whose attempts have run out count as given up and late, and not as rolled back.
    @Test
    void shouldReportTransactionsWhoseAttemptsRanOut() throws InterruptedException {
        BenchResult result = run(Protocols.byName("nowait"), "rpc", small("rollback-percent", "30"));
        KindMeasurements before = result.kinds().getFirst();
        TransactionMetrics stuck = new TransactionMetrics();
        stuck.add(0, 20_000, 2, 0, 0, Map.of(AbortReason.LOCK_CONFLICT, 20_000L), new Histogram(3));
        result.metrics().addOfKind(Kind.NEW_ORDER.number(), stuck);
        KindMeasurements after = result.kinds().getFirst();
        assertThat(after.refused()).isEqualTo(before.refused());
        assertThat(after.notInTime()).isEqualTo(2);
        assertThat(after.gaveUp()).isEqualTo(before.gaveUp() + 2);
    }

    @Test
    void shouldHaveOnlyTheTransactionsThatAreWanted() throws InterruptedException {
        Workload workload = Workloads.create(
                "tpcc",
                Map.of(
                        "customers",
                        "30",
                        "items",
                        "50",
                        "growth-percent",
                        "5000",
                        "only",
                        "new-order,payment",
                        "deliveries",
                        "parts",
                        "home",
                        "cluster"));
        BenchResult result = run(Protocols.byName("sundial"), "rpc", workload);
        assertThat(result.isOk()).isTrue();
        assertThat(result.kinds())
                .filteredOn(kind -> kind.committed() > 0)
                .extracting(KindMeasurements::name)
                .containsExactly("new-order", "payment");
    }

    @ParameterizedTest
    @ValueSource(strings = {"CLIENT", "PROCEDURES"})
    void shouldRunThroughTheClient(ClientLoad.Mode mode) throws InterruptedException {
        Protocol protocol = Protocols.byName("nowait");
        BenchConfig config = BenchConfig.local(
                        protocol,
                        HybridCode.parse(protocol, "rpc"),
                        small("rollback-percent", "20"),
                        new BenchConfig.Shape(3, 1, 6, 2),
                        new BenchConfig.Times(0.1, 0.6),
                        7)
                .withLoad(new ClientLoad(mode, 6, ClientOptions.DEFAULT));
        BenchResult result = new BenchRunner(config).run();
        assertThat(result.violations()).isEmpty();
        assertThat(result.kinds().stream()
                        .mapToLong(KindMeasurements::committed)
                        .sum())
                .as("each of 6 clients may be counting one when the measurement ends")
                .isCloseTo(result.committed(), within(6L))
                .isPositive();
        assertThat(looks(result)).isPositive();
    }

    @Test
    void shouldReportLostOrdersOfCommittedTransactions() throws InterruptedException {
        Protocol protocol = Protocols.byName("nowait");
        BenchConfig config = BenchConfig.local(
                protocol,
                HybridCode.parse(protocol, "rpc"),
                small(),
                new BenchConfig.Shape(2, 1, 2, 2),
                new BenchConfig.Times(0, 0.1),
                7);
        BenchResult result = new BenchRunner(config, cluster -> {
                    TpccTables tables = new TpccTables(cluster.catalog());
                    cluster.inspect().forEachTuple(tables.district, (memory, key, record) -> {
                        if (TpccKeys.districtOf(memory.getLong(key)) == 1) {
                            long next = record + DistrictLayout.NEXT_ORDER;
                            memory.putLong(next, memory.getLong(next) - 1);
                        }
                    });
                })
                .run();
        assertThat(result.violations())
                .anySatisfy(each -> assertThat(each).startsWith("condition  2"))
                .anySatisfy(each -> assertThat(each).contains("orders beyond those at the start", "(9.2.2.5)"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "warehouses-per-node=0 | warehouses-per-node: got '0', allowed: an integer from 1 to 10000",
                "districts=11 | districts: got '11', allowed: an integer from 1 to 10",
                "only=payments | only: got 'payments', allowed: all, or some of new-order, payment",
                "only= | only: got '', allowed: all, or some of",
                "new-order=3 | new-order: got '3', allowed: none without -P mix=weights",
                "deck=1 | deck",
                "mix=weights,only=delivery,delivery=0 | delivery: got '0', allowed: more than 0",
                "mix=weights,only=delivery,payment=40 | payment: got '40', allowed: none with -P only=delivery",
                "think-times=spec,home=node | home: got 'node', allowed: terminal with -P think-times=spec",
                "think-times=spec,clients-per-home=10 | clients-per-home: got '10', allowed: 1 with -P think-times=spec"
            })
    void shouldRejectInvalidInput(String given, String message) {
        Map<String, String> options = new HashMap<>();
        String key = "";
        for (String word : given.strip().split(",", -1)) {
            int equals = word.indexOf('=');
            key = word.substring(0, equals);
            options.put(key, word.substring(equals + 1));
        }
        assertThatThrownBy(() -> Workloads.create("tpcc", options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message.strip());
    }

    @Test
    void shouldWantTenTerminalsForEachWarehouseWhereUsersTakeTheirTime() {
        Workload workload = Workloads.create("tpcc", Map.of("think-times", "spec", "warehouses-per-node", "2"));
        workload.checkClients(3, 60);
        assertThatThrownBy(() -> workload.checkClients(3, 30))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("think-times: got 'spec', allowed: none, or 60 clients in all");
        Workloads.create("tpcc", Map.of()).checkClients(3, 1);
    }
}
