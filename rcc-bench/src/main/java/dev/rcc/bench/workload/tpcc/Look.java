package dev.rcc.bench.workload.tpcc;

import dev.rcc.client.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Checks some of the consistency conditions while clients run, by one transaction that only reads. A look reads one district, the
 * newest of its orders, the orders around the oldest new one, and a customer. So it checks conditions 1, 2, 3, 5, 6, 7 and 12. The
 * other conditions concern all rows of a district or a table.
 *
 * <p>An optimistic attempt may read an inconsistent state: its findings count only when the transaction has committed.
 */
final class Look {
    /** The conditions that a look checks, of 3.3.2. */
    static final List<Integer> CONDITIONS = List.of(1, 2, 3, 5, 6, 7, 12);

    private static final int NEWEST = 5;
    private static final int AROUND_OLDEST_NEW = 2;
    /** A customer that has more orders is not checked. */
    private static final int MAX_ORDERS = 8;

    /** The reads of the transaction. No caller writes to the rows that they return. */
    interface Rows {
        /** Requests a row; the row comes together with others. The supplier returns null if there is no such row. */
        Supplier<TpccRecord> read(Table<Long, TpccRecord> table, long key);

        /** The key of a district's oldest new order, or {@link #NONE}. */
        long oldestNewOrder(int warehouse, int district);

        /** The keys of a customer's first orders, at most {@code limit}. */
        List<Long> orders(int warehouse, int district, int customer, int limit);
    }

    /** No key. */
    static final long NONE = 0;

    private final TpccScale scale;
    private final SortedMap<Integer, String> violated = new TreeMap<>();
    private int warehouse = 1;
    private int district = 1;
    private long turn;

    Look(TpccScale scale) {
        this.scale = scale;
    }

    /** Makes the next look read another district. */
    void next() {
        turn++;
        warehouse = 1 + (int) (turn % scale.warehouses());
        district = 1 + (int) (turn / scale.warehouses() % scale.districts());
    }

    /** The numbers of the conditions that do not hold for the state that the last attempt read, with a description. */
    SortedMap<Integer, String> violated() {
        return violated;
    }

    /** Reads and checks; starts afresh in each attempt. */
    void run(Rows rows) {
        violated.clear();
        Supplier<TpccRecord> w = rows.read(TpccClientTables.WAREHOUSE, TpccKeys.warehouse(warehouse));
        List<Supplier<TpccRecord>> districts = new ArrayList<>();
        for (int each = 1; each <= scale.districts(); each++) {
            districts.add(rows.read(TpccClientTables.DISTRICT, TpccKeys.district(warehouse, each)));
        }
        long oldestKey = rows.oldestNewOrder(warehouse, district);
        long ytd = districts.stream()
                .mapToLong(each -> each.get().getLong(DistrictLayout.YTD))
                .sum();
        expect(
                w.get().getLong(WarehouseLayout.YTD) == ytd,
                1,
                "warehouse " + warehouse + " has W_YTD " + w.get().getLong(WarehouseLayout.YTD)
                        + ", but its districts' D_YTD add up to " + ytd);
        long next = districts.get(district - 1).get().getLong(DistrictLayout.NEXT_ORDER);
        long oldest = oldestKey == NONE ? next : TpccKeys.orderOf(oldestKey);
        List<OrderRows> orders = new ArrayList<>();
        for (long number : numbers(oldest, next)) {
            orders.add(new OrderRows(rows, TpccKeys.order(warehouse, district, number)));
        }
        orders.forEach(OrderRows::readLines);
        orders.forEach(order -> check(order, oldest, next));
        orders.stream()
                .filter(order -> order.number() < oldest && order.exists())
                .findFirst()
                .ifPresent(order -> checkCustomer(rows, (int) order.customer()));
    }

    /** The numbers of the orders to read. One is the number of the next order, which must not exist. */
    private static SortedSet<Long> numbers(long oldest, long next) {
        SortedSet<Long> numbers = new TreeSet<>();
        for (long number = next - NEWEST; number <= next; number++) {
            numbers.add(number);
        }
        for (long number = oldest - AROUND_OLDEST_NEW; number < oldest + AROUND_OLDEST_NEW; number++) {
            numbers.add(Math.min(number, next));
        }
        return numbers.tailSet(1L);
    }

    private void check(OrderRows order, long oldest, long next) {
        long number = order.number();
        if (number == next) {
            expect(
                    !order.exists() && !order.isNew(),
                    2,
                    place() + " has D_NEXT_O_ID " + next + ", but there is order " + next);
            return;
        }
        expect(order.exists(), 2, place() + " has D_NEXT_O_ID " + next + ", but no order " + number);
        if (!order.exists()) {
            return;
        }
        expect(
                order.isNew() == number >= oldest,
                3,
                place() + " has new orders from " + oldest + " to " + (next - 1) + ", but order " + number + " is "
                        + (order.isNew() ? "one, too" : "none"));
        expect(
                order.hasCarrier() != order.isNew(),
                5,
                place() + " has order " + number
                        + (order.isNew() ? ", which is new, with" : ", which is not new, without") + " a carrier");
        expect(
                order.hasAllLines(),
                6,
                place() + " has order " + number + " with O_OL_CNT " + order.lineCount() + ", but not so many lines");
        expect(
                order.deliveredLines() == (order.hasCarrier() ? order.lineCount() : 0),
                7,
                place() + " has order " + number + (order.hasCarrier() ? " with" : " without")
                        + " a carrier, but of its " + order.lineCount() + " lines " + order.deliveredLines()
                        + " have been delivered");
    }

    private void checkCustomer(Rows rows, int number) {
        List<Long> keys = rows.orders(warehouse, district, number, MAX_ORDERS + 1);
        if (keys.size() > MAX_ORDERS) {
            return;
        }
        Supplier<TpccRecord> customer =
                rows.read(TpccClientTables.CUSTOMER, TpccKeys.customer(warehouse, district, number));
        List<OrderRows> orders =
                keys.stream().map(key -> new OrderRows(rows, key)).toList();
        orders.forEach(OrderRows::readLines);
        long delivered = orders.stream().mapToLong(OrderRows::deliveredCents).sum();
        long balance = customer.get().getLong(CustomerLayout.BALANCE);
        long paid = customer.get().getLong(CustomerLayout.YTD_PAYMENT);
        expect(
                balance + paid == delivered,
                12,
                "customer " + warehouse + "/" + district + "/" + number + " has a balance of " + balance
                        + " cents and payments of " + paid + ", but the delivered amount is " + delivered);
    }

    private String place() {
        return "district " + warehouse + "/" + district;
    }

    private void expect(boolean isWell, int condition, String what) {
        if (!isWell) {
            violated.putIfAbsent(condition, what);
        }
    }

    /** An order with its rows. */
    private static final class OrderRows {
        private final Rows rows;
        private final long key;
        private final Supplier<TpccRecord> order;
        private final Supplier<TpccRecord> newOrder;
        private final List<Supplier<TpccRecord>> lines = new ArrayList<>();

        OrderRows(Rows rows, long key) {
            this.rows = rows;
            this.key = key;
            this.order = rows.read(TpccClientTables.ORDER, key);
            this.newOrder = rows.read(TpccClientTables.NEW_ORDER, key);
        }

        /** Requests the lines, and one more. */
        void readLines() {
            for (long line = 1; exists() && line <= Math.min(lineCount(), TpccScale.MAX_LINES) + 1; line++) {
                lines.add(rows.read(TpccClientTables.ORDER_LINE, TpccKeys.line(key, line)));
            }
        }

        int number() {
            return TpccKeys.orderOf(key);
        }

        boolean exists() {
            return order.get() != null;
        }

        boolean isNew() {
            return newOrder.get() != null;
        }

        long customer() {
            return order.get().getLong(OrderLayout.CUSTOMER);
        }

        boolean hasCarrier() {
            return order.get().getLong(OrderLayout.CARRIER) != OrderLayout.NO_CARRIER;
        }

        long lineCount() {
            return order.get().getLong(OrderLayout.LINE_COUNT);
        }

        boolean hasAllLines() {
            return !lines.isEmpty()
                    && lines.stream()
                                    .map(Supplier::get)
                                    .takeWhile(Objects::nonNull)
                                    .count()
                            == lineCount()
                    && lines.getLast().get() == null;
        }

        int deliveredLines() {
            return (int) lines.stream().filter(line -> isDelivered(line.get())).count();
        }

        long deliveredCents() {
            return lines.stream()
                    .map(Supplier::get)
                    .filter(OrderRows::isDelivered)
                    .mapToLong(line -> line.getLong(OrderLineLayout.AMOUNT))
                    .sum();
        }

        private static boolean isDelivered(TpccRecord line) {
            return line != null && line.getLong(OrderLineLayout.DELIVERY_DATE) != OrderLineLayout.NOT_DELIVERED;
        }
    }
}
