package dev.rcc.bench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Outcome;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each transaction follows its clause; after each, all twelve conditions hold. */
class TpccProceduresTest {
    private static final int NEXT = TpccCluster.CUSTOMERS + 1;

    private TpccCluster tpcc;

    @BeforeEach
    void start() {
        tpcc = new TpccCluster("nowait");
    }

    @AfterEach
    void stop() {
        tpcc.close();
    }

    @Test
    void shouldTakeAnOrder() {
        TpccInput input = TpccCluster.newOrder(1, 2, 3, 4, 5, 6, 7, 4);
        input.suppliers[1] = 2;
        long before = tpcc.field(tpcc.tables.stock, TpccKeys.stock(1, 4), StockLayout.QUANTITY);
        NewOrder newOrder = new NewOrder(tpcc.tables);
        assertThat(tpcc.run(newOrder.of(input))).containsExactly(Outcome.COMMITTED);
        long key = TpccKeys.order(1, 2, NEXT);
        assertThat(tpcc.field(tpcc.tables.district, TpccKeys.district(1, 2), DistrictLayout.NEXT_ORDER))
                .isEqualTo(NEXT + 1);
        assertThat(tpcc.field(tpcc.tables.order, key, OrderLayout.CUSTOMER)).isEqualTo(3);
        assertThat(tpcc.field(tpcc.tables.order, key, OrderLayout.LINE_COUNT)).isEqualTo(5);
        assertThat(tpcc.field(tpcc.tables.order, key, OrderLayout.ALL_LOCAL)).isZero();
        assertThat(tpcc.field(tpcc.tables.order, key, OrderLayout.CARRIER)).isZero();
        assertThat(tpcc.exists(tpcc.tables.newOrder, key)).isTrue();
        long price = tpcc.field(tpcc.tables.item, TpccKeys.item(5), ItemLayout.PRICE);
        assertThat(tpcc.field(tpcc.tables.orderLine, TpccKeys.line(key, 2), OrderLineLayout.AMOUNT))
                .isEqualTo(5 * price);
        assertThat(tpcc.bytes(tpcc.tables.orderLine, TpccKeys.line(key, 2), OrderLineLayout.DISTRICT_INFO, 24))
                .isEqualTo(tpcc.bytes(tpcc.tables.stock, TpccKeys.stock(2, 5), StockLayout.district(2), 24));
        assertThat(tpcc.field(tpcc.tables.stock, TpccKeys.stock(1, 4), StockLayout.QUANTITY))
                .as("taken twice")
                .isEqualTo(StockLayout.left(StockLayout.left(before, 5), 5));
        assertThat(tpcc.field(tpcc.tables.stock, TpccKeys.stock(2, 5), StockLayout.REMOTE_COUNT))
                .isEqualTo(1);
        assertThat(newOrder.totalCents()).isPositive();
    }

    @Test
    void shouldWriteNothingForAnOrderOfAnUnusedItem() {
        TpccInput input = TpccCluster.newOrder(2, 1, 3, 4, 5, 6, 7, TpccCluster.ITEMS + 1);
        long orders = tpcc.rows(tpcc.tables.order);
        assertThat(tpcc.run(new NewOrder(tpcc.tables).of(input))).containsExactly(Outcome.ABORTED);
        assertThat(tpcc.rows(tpcc.tables.order)).isEqualTo(orders);
        assertThat(tpcc.field(tpcc.tables.stock, TpccKeys.stock(2, 4), StockLayout.ORDER_COUNT))
                .isZero();
    }

    @Test
    void shouldTakeAPaymentOfACustomerOfAnotherWarehouse() {
        TpccInput input = TpccCluster.payment(1, 2, 9, 12_345);
        input.customerWarehouse = 2;
        input.customerDistrict = 1;
        long warehouseYtd = tpcc.field(tpcc.tables.warehouse, TpccKeys.warehouse(1), WarehouseLayout.YTD);
        assertThat(tpcc.run(new Payment(tpcc.tables).of(input), new Payment(tpcc.tables).of(input)))
                .as("the second one finds its number taken in HISTORY")
                .containsOnly(Outcome.COMMITTED);
        long customer = TpccKeys.customer(2, 1, 9);
        assertThat(tpcc.field(tpcc.tables.customer, customer, CustomerLayout.BALANCE))
                .isEqualTo(-Population.PAID_CENTS - 2 * 12_345);
        assertThat(tpcc.field(tpcc.tables.customer, customer, CustomerLayout.PAYMENT_COUNT))
                .isEqualTo(3);
        assertThat(tpcc.field(tpcc.tables.warehouse, TpccKeys.warehouse(1), WarehouseLayout.YTD))
                .isEqualTo(warehouseYtd + 2 * 12_345);
        long history = TpccKeys.history(1, input.historyNumber);
        assertThat(tpcc.field(tpcc.tables.history, history, HistoryLayout.CUSTOMER))
                .isEqualTo(customer);
        assertThat(tpcc.field(tpcc.tables.history, history, HistoryLayout.DISTRICT))
                .isEqualTo(TpccKeys.district(1, 2));
        byte[] data = tpcc.bytes(tpcc.tables.history, history, HistoryLayout.DATA, HistoryLayout.DATA_BYTES);
        assertThat(new String(data, StandardCharsets.US_ASCII)).contains("    ");
    }

    @Test
    void shouldWriteThePaymentsOfThoseWithBadCreditIntoTheirData() {
        int bad = 0;
        int good = 0;
        for (int customer = 1; customer <= TpccCluster.CUSTOMERS; customer++) {
            long key = TpccKeys.customer(1, 1, customer);
            byte[] before = data(key);
            assertThat(tpcc.run(new Payment(tpcc.tables).of(TpccCluster.payment(1, 1, customer, 250))))
                    .containsExactly(Outcome.COMMITTED);
            String credit = new String(
                    tpcc.bytes(tpcc.tables.customer, key, CustomerLayout.CREDIT, 2), StandardCharsets.US_ASCII);
            if (credit.equals("BC")) {
                bad++;
                String written = customer + " 1 1 1 1 2 50 ";
                String expected = (written + new String(before, StandardCharsets.US_ASCII))
                        .substring(0, CustomerLayout.DATA_BYTES);
                assertThat(new String(data(key), StandardCharsets.US_ASCII)).isEqualTo(expected);
            } else {
                good++;
                assertThat(data(key)).isEqualTo(before);
            }
        }
        assertThat(bad).isPositive();
        assertThat(good).isPositive();
    }

    private byte[] data(long customer) {
        return tpcc.bytes(tpcc.tables.customer, customer, CustomerLayout.DATA, CustomerLayout.DATA_BYTES);
    }

    @Test
    void shouldFindTheCustomerByLastName() {
        TpccInput input = TpccCluster.payment(1, 1, 0, 100);
        input.name = 16; // of the population, customers 1 to 30 have the names 0 to 29
        assertThat(tpcc.run(new Payment(tpcc.tables).of(input))).containsExactly(Outcome.COMMITTED);
        assertThat(tpcc.field(tpcc.tables.customer, TpccKeys.customer(1, 1, 17), CustomerLayout.PAYMENT_COUNT))
                .isEqualTo(2);
    }

    @Test
    void shouldFindTheNewestOrderOfACustomer() {
        OrderStatus status = new OrderStatus(tpcc.tables);
        assertThat(tpcc.run(
                        new NewOrder(tpcc.tables).of(TpccCluster.newOrder(1, 1, 8, 1, 2, 3, 4, 5)),
                        new NewOrder(tpcc.tables).of(TpccCluster.newOrder(1, 1, 8, 6, 7, 8, 9, 10)),
                        status.of(TpccCluster.orderStatus(1, 1, 8))))
                .containsOnly(Outcome.COMMITTED);
        long expected = 0;
        for (int item = 6; item <= 10; item++) {
            expected += 5 * tpcc.field(tpcc.tables.item, TpccKeys.item(item), ItemLayout.PRICE);
        }
        assertThat(status.amountCents()).isEqualTo(expected);
        assertThat(status.deliveredLines()).isZero();
        assertThat(status.balanceCents()).isEqualTo(-Population.PAID_CENTS);
    }

    @Test
    void shouldTakeTheMiddleOneOfSeveralCustomersOfAName() {
        assertThat(IntStream.rangeClosed(1, 5).map(TpccIndexes::middleOf)).containsExactly(0, 0, 1, 1, 2);
    }

    @Test
    void shouldHaveTheIndexesWithTheWarehouse() {
        Map<Table, Table> bases = Map.of(
                tpcc.tables.customerByName, tpcc.tables.customer, tpcc.tables.orderByCustomer, tpcc.tables.order);
        bases.forEach((index, base) -> {
            long[] entries = {0};
            tpcc.cluster.inspect().forEachTuple((copy, tuple) -> {
                if (copy.table() == index) {
                    long key =
                            copy.memory().getLong(tuple + index.layout().tuple().recordOffset());
                    assertThat(copy.partition()).isEqualTo(TpccKeys.warehouseOf(key) % 2);
                    entries[0]++;
                }
            });
            assertThat(entries[0]).isEqualTo(tpcc.rows(base)).isPositive();
        });
    }

    @Test
    void shouldDeliverTheOldestOrderOfEachDistrictUntilThereIsNone() {
        int first = TpccCluster.SCALE.firstNewOrder();
        int orders = TpccCluster.CUSTOMERS - first + 1;
        Delivery delivery = new Delivery(tpcc.tables);
        assertThat(tpcc.run(delivery.of(TpccCluster.delivery(1)))).containsExactly(Outcome.COMMITTED);
        assertThat(delivery.delivered()).isEqualTo(2);
        for (int district = 1; district <= 2; district++) {
            long key = TpccKeys.order(1, district, first);
            assertThat(tpcc.exists(tpcc.tables.newOrder, key)).isFalse();
            assertThat(tpcc.field(tpcc.tables.order, key, OrderLayout.CARRIER)).isEqualTo(7);
        }
        for (int i = 1; i < orders; i++) {
            tpcc.run(delivery.of(TpccCluster.delivery(1)));
        }
        assertThat(delivery.delivered()).isEqualTo(2);
        assertThat(tpcc.run(delivery.of(TpccCluster.delivery(1)))).containsExactly(Outcome.COMMITTED);
        assertThat(delivery.delivered()).isZero();
        assertThat(tpcc.conditions().violations()).isEmpty();
    }

    @Test
    void shouldCountEachItemThatIsAlmostOutOfStockOnce() {
        StockLevel level = new StockLevel(tpcc.tables);
        assertThat(tpcc.run(level.of(TpccCluster.stockLevel(1, 1, 1_000)))).containsExactly(Outcome.COMMITTED);
        Set<Long> items = new HashSet<>();
        for (int order = NEXT - StockLevel.ORDERS; order < NEXT; order++) {
            long key = TpccKeys.order(1, 1, order);
            for (int line = 1; line <= tpcc.field(tpcc.tables.order, key, OrderLayout.LINE_COUNT); line++) {
                items.add(tpcc.field(tpcc.tables.orderLine, TpccKeys.line(key, line), OrderLineLayout.ITEM));
            }
        }
        assertThat(level.low()).isEqualTo(items.size());
        tpcc.run(level.of(TpccCluster.stockLevel(1, 1, 0)));
        assertThat(level.low()).isZero();
    }
}
