package dev.rcc.bench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.Protocols;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The isolation tests of clause 3.4.2, under each protocol. The first transaction does its work, and stays open for a while before it
 * commits or gives up; the second one comes meanwhile.
 */
class TpccIsolationTest {
    private static final int NEXT = TpccCluster.CUSTOMERS + 1;
    private static final long HOLD_NANOS = TimeUnit.MICROSECONDS.toNanos(300);
    private static final int CUSTOMER = 8;

    static Stream<String> protocols() {
        return Protocols.names().stream();
    }

    /** A procedure that waits between its work and its end. */
    private record Held(Procedure held) implements Procedure {
        @Override
        public void declare(Transaction txn) {
            held.declare(txn);
        }

        @Override
        public void execute(Transaction txn) {
            held.execute(txn);
            txn.coroutine().sleep(HOLD_NANOS);
        }
    }

    private static Procedure held(Procedure procedure) {
        return new Held(procedure);
    }

    /** A procedure that gives up after all. */
    private static Procedure rolledBack(Procedure procedure) {
        return new Procedure() {
            @Override
            public void declare(Transaction txn) {
                procedure.declare(txn);
            }

            @Override
            public void execute(Transaction txn) {
                procedure.execute(txn);
                txn.coroutine().sleep(HOLD_NANOS);
                txn.abort();
            }
        };
    }

    /** Runs two transactions on two nodes, the second of which begins while the first stays open. Returns their outcomes. */
    private static List<Outcome> together(TpccCluster tpcc, Procedure first, Procedure second) {
        Outcome[] outcomes = new Outcome[2];
        tpcc.cluster.spawn(0, 0, 0, (runner, self) -> outcomes[0] = runner.run(first));
        tpcc.cluster.spawn(1, 0, 0, (runner, self) -> {
            self.sleep(HOLD_NANOS / 2);
            outcomes[1] = runner.run(second);
        });
        tpcc.await();
        return List.of(outcomes);
    }

    private static NewOrder newOrder(TpccCluster tpcc) {
        return (NewOrder) new NewOrder(tpcc.tables).of(TpccCluster.newOrder(1, 1, CUSTOMER, 1, 2, 3, 4, 5));
    }

    private static OrderStatus orderStatus(TpccCluster tpcc) {
        return (OrderStatus) new OrderStatus(tpcc.tables).of(TpccCluster.orderStatus(1, 1, CUSTOMER));
    }

    private static long priceOfFive(TpccCluster tpcc) {
        long cents = 0;
        for (int item = 1; item <= 5; item++) {
            cents += 5 * tpcc.field(tpcc.tables.item, TpccKeys.item(item), ItemLayout.PRICE);
        }
        return cents;
    }

    private static long amountBefore(TpccCluster tpcc) {
        OrderStatus status = orderStatus(tpcc);
        assertThat(tpcc.run(status)).containsExactly(Outcome.COMMITTED);
        return status.amountCents();
    }

    // Isolation test 1: OrderStatus sees an order that is being taken whole, or not at all.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldSeeANewOrderThatCommitsWholeOrNotAtAll(String protocol) {
        try (TpccCluster tpcc = new TpccCluster(protocol)) {
            long before = amountBefore(tpcc);
            OrderStatus status = orderStatus(tpcc);
            assertThat(together(tpcc, held(newOrder(tpcc)), status)).containsOnly(Outcome.COMMITTED);
            assertThat(status.amountCents()).isIn(before, priceOfFive(tpcc));
            assertThat(amountBefore(tpcc)).isEqualTo(priceOfFive(tpcc));
        }
    }

    // Isolation test 2: OrderStatus sees nothing of an order that is rolled back.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldSeeNothingOfANewOrderThatIsRolledBack(String protocol) {
        try (TpccCluster tpcc = new TpccCluster(protocol)) {
            long before = amountBefore(tpcc);
            OrderStatus status = orderStatus(tpcc);
            assertThat(together(tpcc, rolledBack(newOrder(tpcc)), status))
                    .containsExactly(Outcome.ABORTED, Outcome.COMMITTED);
            assertThat(status.amountCents()).isEqualTo(before);
        }
    }

    // Isolation test 3: two NewOrders of a district have numbers in a row.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldNumberNewOrdersInARow(String protocol) {
        try (TpccCluster tpcc = new TpccCluster(protocol)) {
            assertThat(together(tpcc, held(newOrder(tpcc)), newOrder(tpcc))).containsOnly(Outcome.COMMITTED);
            assertThat(nextOrder(tpcc)).isEqualTo(NEXT + 2);
        }
    }

    // Isolation test 4: the number of a NewOrder that is rolled back is the next one's.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldGiveTheNumberOfAnOrderThatIsRolledBackToTheNextOne(String protocol) {
        try (TpccCluster tpcc = new TpccCluster(protocol)) {
            assertThat(together(tpcc, rolledBack(newOrder(tpcc)), newOrder(tpcc)))
                    .containsExactly(Outcome.ABORTED, Outcome.COMMITTED);
            assertThat(nextOrder(tpcc)).isEqualTo(NEXT + 1);
        }
    }

    private static long nextOrder(TpccCluster tpcc) {
        return tpcc.field(tpcc.tables.district, TpccKeys.district(1, 1), DistrictLayout.NEXT_ORDER);
    }

    // Isolation test 5: a Payment and a Delivery both change the customer's balance.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldChargeAndPayTheSameCustomer(String protocol) {
        try (TpccCluster tpcc = new TpccCluster(protocol)) {
            long order = TpccKeys.order(1, 1, TpccCluster.SCALE.firstNewOrder());
            int customer = (int) tpcc.field(tpcc.tables.order, order, OrderLayout.CUSTOMER);
            long owed = amount(tpcc, order);
            assertThat(together(
                            tpcc,
                            held(new Delivery(tpcc.tables).of(TpccCluster.delivery(1))),
                            new Payment(tpcc.tables).of(TpccCluster.payment(1, 1, customer, 700))))
                    .containsOnly(Outcome.COMMITTED);
            assertThat(balance(tpcc, customer)).isEqualTo(owed - 700 - Population.PAID_CENTS);
        }
    }

    // Isolation test 6: of a Delivery that is rolled back nothing is left beside a Payment that commits.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldPayBesideADeliveryThatIsRolledBack(String protocol) {
        try (TpccCluster tpcc = new TpccCluster(protocol)) {
            long order = TpccKeys.order(1, 1, TpccCluster.SCALE.firstNewOrder());
            int customer = (int) tpcc.field(tpcc.tables.order, order, OrderLayout.CUSTOMER);
            assertThat(together(
                            tpcc,
                            rolledBack(new Delivery(tpcc.tables).of(TpccCluster.delivery(1))),
                            new Payment(tpcc.tables).of(TpccCluster.payment(1, 1, customer, 700))))
                    .containsExactly(Outcome.ABORTED, Outcome.COMMITTED);
            assertThat(balance(tpcc, customer)).isEqualTo(-700 - Population.PAID_CENTS);
            assertThat(tpcc.exists(tpcc.tables.newOrder, order)).isTrue();
        }
    }

    private static long balance(TpccCluster tpcc, int customer) {
        return tpcc.field(tpcc.tables.customer, TpccKeys.customer(1, 1, customer), CustomerLayout.BALANCE);
    }

    private static long amount(TpccCluster tpcc, long order) {
        long cents = 0;
        for (int line = 1; line <= tpcc.field(tpcc.tables.order, order, OrderLayout.LINE_COUNT); line++) {
            cents += tpcc.field(tpcc.tables.orderLine, TpccKeys.line(order, line), OrderLineLayout.AMOUNT);
        }
        return cents;
    }

    // Isolation test 7: prices that are read twice are the same, whichever transaction changes them
    // meanwhile.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldReadTheSamePriceTwice(String protocol) {
        try (TpccCluster tpcc = new TpccCluster(protocol)) {
            long before = tpcc.field(tpcc.tables.item, TpccKeys.item(3), ItemLayout.PRICE);
            long[] prices = new long[2];
            Procedure twice = new Procedure() {
                private Access item;

                @Override
                public void declare(Transaction txn) {
                    item = txn.read(tpcc.tables.item, TpccKeys.item(3));
                }

                @Override
                public void execute(Transaction txn) {
                    prices[0] = item.getLong(ItemLayout.PRICE);
                    txn.coroutine().sleep(HOLD_NANOS);
                    Access again = txn.read(tpcc.tables.item, TpccKeys.item(3));
                    txn.fetch();
                    prices[1] = again.getLong(ItemLayout.PRICE);
                }
            };
            assertThat(together(tpcc, twice, adding(tpcc.tables.item, TpccKeys.item(3), ItemLayout.PRICE, 10)))
                    .containsOnly(Outcome.COMMITTED);
            assertThat(prices[1]).isEqualTo(prices[0]).isIn(before, before + 10);
            assertThat(tpcc.field(tpcc.tables.item, TpccKeys.item(3), ItemLayout.PRICE))
                    .isEqualTo(before + 10);
        }
    }

    private static Procedure adding(Table table, long key, int offset, long value) {
        return new Procedure() {
            private Access access;

            @Override
            public void declare(Transaction txn) {
                access = txn.update(table, key);
            }

            @Override
            public void execute(Transaction txn) {
                access.putLong(offset, access.getLong(offset) + value);
            }
        };
    }

    // Isolation test 8: the orders of a customer that are read twice are the same, whichever transaction
    // adds one meanwhile.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldFindNoPhantomAmongACustomersOrders(String protocol) {
        try (TpccCluster tpcc = new TpccCluster(protocol)) {
            List<Integer> sizes = new ArrayList<>();
            byte[] orders = new byte[TpccIndexes.CUSTOMER_BYTES];
            TpccIndexes.putCustomer(orders, 1, 1, CUSTOMER);
            Procedure twice =
                    readingTwice(txn -> txn.findPrefix(tpcc.tables.orderByCustomer, orders, 1_000, Intent.READ), sizes);
            assertThat(together(tpcc, twice, newOrder(tpcc))).containsOnly(Outcome.COMMITTED);
            assertThat(sizes.get(1)).isEqualTo(sizes.get(0)).isBetween(1, 2);
            assertThat(nextOrder(tpcc)).isEqualTo(NEXT + 1);
        }
    }

    // Isolation test 9: the new orders of a district that are read twice are the same, whichever transaction
    // delivers one meanwhile.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldFindNoPhantomAmongNewOrders(String protocol) {
        try (TpccCluster tpcc = new TpccCluster(protocol)) {
            List<Integer> sizes = new ArrayList<>();
            Procedure twice = readingTwice(
                    txn -> txn.scan(
                            tpcc.tables.newOrder, TpccKeys.district(1, 1), TpccKeys.district(1, 2), 1_000, Intent.READ),
                    sizes);
            assertThat(together(tpcc, twice, new Delivery(tpcc.tables).of(TpccCluster.delivery(1))))
                    .containsOnly(Outcome.COMMITTED);
            int all = TpccCluster.CUSTOMERS - TpccCluster.SCALE.firstNewOrder() + 1;
            assertThat(sizes.get(1)).isEqualTo(sizes.get(0)).isBetween(all - 1, all);
        }
    }

    private static Procedure readingTwice(Function<Transaction, Scan> reading, List<Integer> sizes) {
        return new Procedure() {
            @Override
            public void declare(Transaction txn) {
                sizes.clear();
            }

            @Override
            public void execute(Transaction txn) {
                Scan first = reading.apply(txn);
                txn.coroutine().sleep(HOLD_NANOS);
                Scan second = reading.apply(txn);
                sizes.clear();
                sizes.add(first.size());
                sizes.add(second.size());
            }
        };
    }
}
