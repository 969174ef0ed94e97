package dev.rcc.bench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchRunner;
import dev.rcc.bench.driver.ClientLoad;
import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.ClientGenerator;
import dev.rcc.bench.workload.Workload;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.RccClient;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Outcome;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.gateway.EmbeddedGateways;
import dev.rcc.server.gateway.GatewayOptions;
import dev.rcc.server.procedure.Procedures;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A look finds the error in the district that it looks at, and names the condition that is broken. */
class LookTest {
    private static final long FIRST_NEW = TpccCluster.SCALE.firstNewOrder();
    private static final long LAST = TpccCluster.CUSTOMERS;

    /** The place of an error: a field that is greater by one. */
    enum Wrong {
        W_YTD,
        D_NEXT_O_ID,
        O_CARRIER_ID_OF_A_NEW_ORDER,
        O_OL_CNT,
        OL_DELIVERY_D_OF_A_NEW_ORDER,
        C_BALANCE;

        List<Integer> conditions() {
            return switch (this) {
                case W_YTD -> List.of(1);
                case D_NEXT_O_ID -> List.of(2);
                case O_CARRIER_ID_OF_A_NEW_ORDER -> List.of(5, 7);
                case O_OL_CNT -> List.of(6);
                case OL_DELIVERY_D_OF_A_NEW_ORDER -> List.of(7);
                case C_BALANCE -> List.of(12);
            };
        }

        void plant(EmbeddedCluster cluster, TpccTables tables) {
            switch (this) {
                case W_YTD -> add(cluster, tables.warehouse, TpccKeys.warehouse(1), WarehouseLayout.YTD);
                case D_NEXT_O_ID -> add(cluster, tables.district, TpccKeys.district(1, 1), DistrictLayout.NEXT_ORDER);
                case O_CARRIER_ID_OF_A_NEW_ORDER ->
                    add(cluster, tables.order, TpccKeys.order(1, 1, LAST), OrderLayout.CARRIER);
                case O_OL_CNT -> add(cluster, tables.order, TpccKeys.order(1, 1, LAST), OrderLayout.LINE_COUNT);
                case OL_DELIVERY_D_OF_A_NEW_ORDER ->
                    add(
                            cluster,
                            tables.orderLine,
                            TpccKeys.line(TpccKeys.order(1, 1, FIRST_NEW), 2),
                            OrderLineLayout.DELIVERY_DATE);
                case C_BALANCE -> {
                    for (int customer = 1; customer <= TpccCluster.CUSTOMERS; customer++) {
                        add(cluster, tables.customer, TpccKeys.customer(1, 1, customer), CustomerLayout.BALANCE);
                    }
                }
            }
        }

        private static void add(EmbeddedCluster cluster, Table table, long key, int offset) {
            int[] changed = {0};
            cluster.inspect().forEachTuple(table, (memory, keyOffset, record) -> {
                if (memory.getLong(keyOffset) == key) {
                    memory.putLong(record + offset, memory.getLong(record + offset) + 1);
                    changed[0]++;
                }
            });
            assertThat(changed[0]).isEqualTo(1);
        }
    }

    private static Look look(TpccCluster tpcc) {
        Look look = new Look(TpccCluster.SCALE);
        LookProcedure procedure = new LookProcedure(look, tpcc.cluster.catalog());
        tpcc.cluster.spawn(
                0, 0, 0, (runner, self) -> assertThat(runner.run(procedure)).isEqualTo(Outcome.COMMITTED));
        assertThat(tpcc.cluster.awaitClients(BenchRunner.PATIENCE)).isTrue();
        return look;
    }

    // Method: the error is written into memory beside the protocol. The optimistic protocols would take the
    // record for one that is being written, and try again.
    @ParameterizedTest
    @CsvSource({
        "W_YTD, nowait",
        "D_NEXT_O_ID, waitdie",
        "O_CARRIER_ID_OF_A_NEW_ORDER, nowait",
        "O_OL_CNT, calvin",
        "OL_DELIVERY_D_OF_A_NEW_ORDER, calvin",
        "C_BALANCE, waitdie"
    })
    void shouldReportExactlyTheViolatedConditions(Wrong wrong, String protocol) {
        try (TpccCluster tpcc = new TpccCluster(protocol)) {
            wrong.plant(tpcc.cluster, tpcc.tables);
            assertThat(look(tpcc).violated().keySet()).containsExactlyElementsOf(wrong.conditions());
        }
    }

    // Goal: condition 3, whose new orders have no gap. The row of the second last one is another order's.
    @Test
    void shouldFindAGapAmongTheNewOrders() {
        try (TpccCluster tpcc = new TpccCluster("nowait")) {
            tpcc.cluster.inspect().forEachTuple(tpcc.tables.newOrder, (memory, key, record) -> {
                if (memory.getLong(key) == TpccKeys.order(1, 1, LAST - 1)) {
                    memory.putLong(key, TpccKeys.order(1, 1, 1));
                }
            });
            assertThat(look(tpcc).violated()).containsOnlyKeys(3, 5);
            assertThat(look(tpcc).violated().get(3))
                    .isEqualTo("district 1/1 has new orders from 22 to 30, but order 29 is none");
        }
    }

    @Test
    void shouldLookAtEachDistrictInTurn() {
        try (TpccCluster tpcc = new TpccCluster("nowait")) {
            tpcc.cluster.inspect().forEachTuple(tpcc.tables.district, (memory, key, record) -> {
                if (memory.getLong(key) == TpccKeys.district(2, 2)) {
                    memory.putLong(record + DistrictLayout.NEXT_ORDER, LAST);
                }
            });
            Look look = new Look(TpccCluster.SCALE);
            LookProcedure procedure = new LookProcedure(look, tpcc.cluster.catalog());
            TpccTally tally = new TpccTally();
            tpcc.cluster.spawn(0, 0, 0, (runner, self) -> {
                for (int i = 0; i < 8; i++) {
                    assertThat(runner.run(procedure)).isEqualTo(Outcome.COMMITTED);
                    tally.looked(look);
                    look.next();
                }
            });
            assertThat(tpcc.cluster.awaitClients(BenchRunner.PATIENCE)).isTrue();
            assertThat(tally.counts()).containsEntry(TpccTally.LOOKS, 8L);
            assertThat(TpccTally.violations(tally.counts(), 2)).isEqualTo(2);
            assertThat(TpccTally.violations(tally.counts(), 1)).isZero();
        }
    }

    private record Counted(Map<String, Long> counts) implements Account {
        @Override
        public long tally() {
            return 0;
        }
    }

    @Test
    void shouldFailARunInWhichAConditionDidNotHold() {
        try (TpccCluster tpcc = new TpccCluster("nowait")) {
            Look look = new Look(TpccCluster.SCALE);
            TpccTally tally = new TpccTally();
            tally.looked(look);
            look.violated().put(7, "an order without a carrier has been delivered");
            tally.looked(look);
            assertThat(TpccCluster.workload()
                            .check(
                                    tpcc.cluster.catalog(),
                                    tpcc.cluster.inspect(),
                                    List.of(new Counted(tally.counts()))))
                    .singleElement()
                    .asString()
                    .startsWith("condition  7 (3.3.2.7): while clients ran, it did not hold in 1 of 2 transactions");
        }
    }

    @ParameterizedTest
    @CsvSource({"W_YTD", "D_NEXT_O_ID", "O_OL_CNT", "C_BALANCE"})
    void shouldReportViolatedConditionsThroughTheClient(Wrong wrong) {
        Workload workload = TpccCluster.workload();
        Protocol protocol = Protocols.byName("nowait");
        BenchConfig config = BenchConfig.local(
                        protocol,
                        HybridCode.parse(protocol, "rpc"),
                        workload,
                        new BenchConfig.Shape(2, 1, 2, 1),
                        new BenchConfig.Times(0, 1),
                        7)
                .withLoad(new ClientLoad(ClientLoad.Mode.CLIENT, 1, ClientOptions.DEFAULT));
        try (EmbeddedCluster cluster = new EmbeddedCluster(BenchRunner.clusterConfig(config))) {
            workload.load(cluster.loader());
            cluster.start();
            wrong.plant(cluster, new TpccTables(cluster.catalog()));
            try (EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT, Procedures.NONE);
                    RccClient client = RccClient.connect(gateways.addresses())) {
                ClientGenerator generator = workload.clientGenerators(cluster.catalog(), 1, new SplittableRandom(1))
                        .getFirst();
                assertThat(generator.looks()).isTrue();
                client.read(txn -> {
                    generator.look(txn);
                    return null;
                });
                generator.looked();
                wrong.conditions()
                        .forEach(condition -> assertThat(TpccTally.violations(generator.counts(), condition))
                                .isEqualTo(1));
            }
        }
    }
}
