package dev.rcc.bench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.store.Table;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Each condition finds the violations that it is for. */
class ConditionsTest {
    private static final int FIRST_NEW = TpccCluster.SCALE.firstNewOrder();

    @Test
    void shouldHoldOfThePopulation() {
        assertThat(violations(tpcc -> null)).isEmpty();
    }

    @Test
    void shouldFindAWarehouseThatDoesNotAddUp() {
        assertThat(violations(tpcc -> add(tpcc, t -> t.warehouse, TpccKeys.warehouse(1), WarehouseLayout.YTD, 1)))
                .satisfiesExactly(
                        each -> assertThat(each).startsWith("condition  1 (3.3.2.1): warehouse 1 has W_YTD 60001"),
                        each -> assertThat(each).startsWith("condition  8"));
    }

    @Test
    void shouldFindADistrictWhoseNextOrderIsNotNext() {
        assertThat(violations(
                        tpcc -> add(tpcc, t -> t.district, TpccKeys.district(2, 1), DistrictLayout.NEXT_ORDER, 1)))
                .singleElement()
                .asString()
                .startsWith("condition  2 (3.3.2.2): district 2/1 has D_NEXT_O_ID 32, but its last order is 30");
    }

    // Goal: a district whose newest order was delivered before older ones. Method: an older order takes its place among
    // the
    // new ones, which still have no gap.
    @Test
    void shouldFindADistrictWhoseLastOrderIsNotItsLastNewOne() {
        long last = TpccKeys.order(1, 1, TpccCluster.SCALE.orders());
        assertThat(violations(tpcc -> rename(tpcc, t -> t.newOrder, last, TpccKeys.order(1, 1, FIRST_NEW - 1L))))
                .anySatisfy(each -> assertThat(each)
                        .startsWith("condition  2 (3.3.2.2): district 1/1 has D_NEXT_O_ID 31, but its last order is 30,"
                                + " and its last new one 29"))
                .noneSatisfy(each -> assertThat(each).startsWith("condition  3"));
    }

    @Test
    void shouldFindAGapAmongNewOrders() {
        long key = TpccKeys.order(1, 1, FIRST_NEW + 2L);
        assertThat(violations(tpcc -> rename(tpcc, t -> t.newOrder, key, TpccKeys.order(1, 1, FIRST_NEW - 2L))))
                .anySatisfy(
                        each -> assertThat(each).startsWith("condition  3 (3.3.2.3): district 1/1 has 9 new orders"))
                .anySatisfy(each -> assertThat(each).startsWith("condition  5"));
    }

    @Test
    void shouldFindAnOrderWithALineTooMany() {
        assertThat(violations(tpcc -> add(tpcc, t -> t.order, TpccKeys.order(1, 2, 3), OrderLayout.LINE_COUNT, 1)))
                .satisfiesExactly(
                        each -> assertThat(each).startsWith("condition  4 (3.3.2.4): district 1/2"),
                        each -> assertThat(each).startsWith("condition  6 (3.3.2.6): order 1/2/3 has O_OL_CNT"));
    }

    @Test
    void shouldFindANewOrderWithACarrier() {
        assertThat(violations(tpcc -> add(tpcc, t -> t.order, TpccKeys.order(1, 2, FIRST_NEW), OrderLayout.CARRIER, 3)))
                .satisfiesExactly(
                        each -> assertThat(each).startsWith("condition  5 (3.3.2.5): order 1/2/22 has a carrier"),
                        each -> assertThat(each).startsWith("condition  7 (3.3.2.7): order 1/2/22 has a carrier"));
    }

    @Test
    void shouldFindALineThatWasDeliveredAlone() {
        long line = TpccKeys.line(TpccKeys.order(2, 2, FIRST_NEW), 1);
        assertThat(violations(tpcc -> add(tpcc, t -> t.orderLine, line, OrderLineLayout.DELIVERY_DATE, 5)))
                .anySatisfy(each -> assertThat(each).startsWith("condition  7 (3.3.2.7): order 2/2/22 has no carrier"))
                .anySatisfy(each -> assertThat(each).startsWith("condition 10"))
                .hasSize(3);
    }

    @Test
    void shouldFindADistrictWhoseYtdDiffersFromItsPayments() {
        assertThat(violations(tpcc -> add(tpcc, t -> t.district, TpccKeys.district(2, 1), DistrictLayout.YTD, -4)))
                .satisfiesExactly(
                        each -> assertThat(each).startsWith("condition  1"),
                        each -> assertThat(each).startsWith("condition  9 (3.3.2.9): district 2/1 has D_YTD 29996"));
    }

    @Test
    void shouldFindACustomerWhoseBalanceIsWrong() {
        assertThat(violations(
                        tpcc -> add(tpcc, t -> t.customer, TpccKeys.customer(1, 1, 5), CustomerLayout.BALANCE, 9)))
                .satisfiesExactly(
                        each -> assertThat(each)
                                .startsWith("condition 10 (3.3.2.10): customer 1/1/5 has a balance of -991 cents"),
                        each -> assertThat(each).startsWith("condition 12 (3.3.2.12): customer 1/1/5"));
    }

    @Test
    void shouldFindACustomerWithADeliveryTooMany() {
        assertThat(violations(tpcc ->
                        add(tpcc, t -> t.customer, TpccKeys.customer(1, 1, 5), CustomerLayout.DELIVERY_COUNT, 1)))
                .singleElement()
                .asString()
                .startsWith("condition 11 (3.3.2.11): district 1/1 has 30 orders, of which 9 are new");
    }

    @Test
    void shouldFindACustomerWhosePaymentsAreWrong() {
        assertThat(violations(
                        tpcc -> add(tpcc, t -> t.customer, TpccKeys.customer(1, 1, 5), CustomerLayout.YTD_PAYMENT, 1)))
                .singleElement()
                .asString()
                .startsWith("condition 12 (3.3.2.12): customer 1/1/5");
    }

    @Test
    void shouldFindStockThatNoOrderLineTook() {
        assertThat(violations(tpcc -> add(tpcc, t -> t.stock, TpccKeys.stock(2, 7), StockLayout.YTD, 5)))
                .singleElement()
                .asString()
                .startsWith("stock: of item 7 in warehouse 2 5 were taken by 0 lines");
    }

    /** The violations in a loaded cluster that was changed. */
    private static List<String> violations(Function<TpccCluster, Void> change) {
        try (TpccCluster tpcc = new TpccCluster("nowait")) {
            change.apply(tpcc);
            return tpcc.conditions().violations();
        }
    }

    private static Void add(TpccCluster tpcc, Function<TpccTables, Table> table, long key, int offset, long value) {
        int[] changed = {0};
        tpcc.cluster.inspect().forEachTuple(table.apply(tpcc.tables), (memory, keyOffset, record) -> {
            if (memory.getLong(keyOffset) == key) {
                memory.putLong(record + offset, memory.getLong(record + offset) + value);
                changed[0]++;
            }
        });
        assertThat(changed[0]).isEqualTo(1);
        return null;
    }

    private static Void rename(TpccCluster tpcc, Function<TpccTables, Table> table, long key, long newKey) {
        int[] changed = {0};
        tpcc.cluster.inspect().forEachTuple(table.apply(tpcc.tables), (memory, keyOffset, record) -> {
            if (memory.getLong(keyOffset) == key) {
                memory.putLong(keyOffset, newKey);
                changed[0]++;
            }
        });
        assertThat(changed[0]).isEqualTo(1);
        return null;
    }
}
