package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Table;
import dev.rcc.server.node.Loader;
import java.util.function.Consumer;

/**
 * The rows at the start (4.3.3.1), drawn from a seed. The population's dates are {@link #DATE}, the same on all nodes. For one
 * thread.
 */
final class Population {
    /** The time at which everything was loaded, and all customers joined and ordered: the start of 2026, UTC. */
    static final long DATE = 1_767_225_600_000L;

    /** The payment of each customer, by which the customer owes less. */
    static final long PAID_CENTS = 1_000;

    private static final int BAD_CREDIT_PERCENT = 10;
    private static final int CREDIT_LIMIT_CENTS = 5_000_000;
    private static final int MAX_TAX = 2_000;
    private static final int MAX_DISCOUNT = 5_000;
    private static final int LOADED_QUANTITY = 5;
    private static final int MAX_AMOUNT_CENTS = 999_999;
    /** A table number for draws that belong to no table's row. */
    private static final int PERMUTATION = 64;

    private final Loader loader;
    private final TpccTables tables;
    private final TpccScale scale;
    private final int loadedLastName;
    private final RowRandom random;
    private final byte[] text = new byte[CustomerLayout.BYTES];
    private final byte[] first = new byte[CustomerLayout.FIRST_BYTES];
    private final byte[] last = new byte[CustomerLayout.LAST_BYTES];
    private final int[] customers;

    Population(Loader loader, TpccTables tables, TpccScale scale, long seed) {
        this.loader = loader;
        this.tables = tables;
        this.scale = scale;
        this.loadedLastName = Nurand.loadedLastName(seed);
        this.random = new RowRandom(seed);
        this.customers = new int[scale.customers()];
    }

    /** D_YTD: the payments of the district's customers. */
    static long districtYtd(TpccScale scale) {
        return scale.customers() * PAID_CENTS;
    }

    /** Loads all items. */
    void loadItems() {
        for (int item = 1; item <= scale.items(); item++) {
            load(tables.item, TpccKeys.item(item), this::fillItem);
        }
    }

    /** Loads all rows of a warehouse. */
    void loadWarehouse(int warehouse) {
        load(tables.warehouse, TpccKeys.warehouse(warehouse), this::fillWarehouse);
        for (int item = 1; item <= scale.items(); item++) {
            load(tables.stock, TpccKeys.stock(warehouse, item), this::fillStock);
        }
        for (int district = 1; district <= scale.districts(); district++) {
            load(tables.district, TpccKeys.district(warehouse, district), this::fillDistrict);
            loadCustomers(warehouse, district);
            loadOrders(warehouse, district);
        }
    }

    private void loadCustomers(int warehouse, int district) {
        for (int number = 1; number <= scale.customers(); number++) {
            int customer = number;
            long key = TpccKeys.customer(warehouse, district, customer);
            loader.load(tables.customer, key, record -> {
                RowRandom row = random.of(tables.customer.id(), key);
                drawName(customer, row);
                fillCustomer(record, row);
            });
            long history = TpccKeys.history(warehouse, (long) district << Integer.SIZE | customer);
            loader.load(
                    tables.history,
                    history,
                    record -> fillHistory(record, key, random.of(tables.history.id(), history)));
        }
    }

    /** Draws a customer's name. Each of the first customers has a last name of its own, the others any (4.3.3.1). */
    private void drawName(int customer, RowRandom row) {
        int names = scale.names();
        int name = customer <= names
                ? customer - 1
                : Nurand.of(
                        row.between(0, Nurand.LAST_NAME_A), row.between(0, names - 1), loadedLastName, 0, names - 1);
        LastName.write(name, last, 0);
        row.text(8, CustomerLayout.FIRST_BYTES, first, 0);
    }

    private void loadOrders(int warehouse, int district) {
        shuffleCustomers(TpccKeys.district(warehouse, district));
        for (int order = 1; order <= scale.orders(); order++) {
            int customer = customers[order - 1];
            long key = TpccKeys.order(warehouse, district, order);
            boolean isDelivered = order < scale.firstNewOrder();
            RowRandom row = random.of(tables.order.id(), key);
            int lines = row.between(TpccScale.MIN_LINES, TpccScale.MAX_LINES);
            int carrier = row.between(1, Delivery.CARRIERS);
            loader.load(tables.order, key, record -> {
                record.putLong(OrderLayout.CUSTOMER, customer);
                record.putLong(OrderLayout.ENTRY_DATE, DATE);
                record.putLong(OrderLayout.CARRIER, isDelivered ? carrier : OrderLayout.NO_CARRIER);
                record.putLong(OrderLayout.LINE_COUNT, lines);
                record.putLong(OrderLayout.ALL_LOCAL, 1);
            });
            if (!isDelivered) {
                loader.load(tables.newOrder, key, record -> {});
            }
            for (int line = 1; line <= lines; line++) {
                long lineKey = TpccKeys.line(key, line);
                loader.load(
                        tables.orderLine,
                        lineKey,
                        record -> fillLine(record, warehouse, isDelivered, random.of(tables.orderLine.id(), lineKey)));
            }
        }
    }

    /** Draws the customer of each order: each customer has one order. */
    private void shuffleCustomers(long districtKey) {
        RowRandom row = random.of(PERMUTATION, districtKey);
        for (int i = 0; i < customers.length; i++) {
            int j = row.between(0, i);
            customers[i] = customers[j];
            customers[j] = i + 1;
        }
    }

    private void fillItem(Memory record, RowRandom row) {
        record.putLong(ItemLayout.IMAGE, row.between(1, 10_000));
        record.putLong(ItemLayout.PRICE, row.between(100, 10_000));
        row.text(14, ItemLayout.NAME_BYTES, text, 0);
        record.putBytes(ItemLayout.NAME, text, 0, ItemLayout.NAME_BYTES);
        row.data(text, 0);
        record.putBytes(ItemLayout.DATA, text, 0, ItemLayout.DATA_BYTES);
    }

    private void fillWarehouse(Memory record, RowRandom row) {
        record.putLong(WarehouseLayout.TAX, row.between(0, MAX_TAX));
        record.putLong(WarehouseLayout.YTD, scale.districts() * districtYtd(scale));
        row.text(6, WarehouseLayout.NAME_BYTES, text, 0);
        record.putBytes(WarehouseLayout.NAME, text, 0, WarehouseLayout.NAME_BYTES);
        row.address(text, 0);
        record.putBytes(WarehouseLayout.ADDRESS, text, 0, AddressLayout.BYTES);
    }

    private void fillStock(Memory record, RowRandom row) {
        record.putLong(StockLayout.QUANTITY, row.between(10, 100));
        for (int district = 1; district <= TpccScale.MAX_DISTRICTS; district++) {
            row.text(StockLayout.DISTRICT_BYTES, StockLayout.DISTRICT_BYTES, text, 0);
            record.putBytes(StockLayout.district(district), text, 0, StockLayout.DISTRICT_BYTES);
        }
        row.data(text, 0);
        record.putBytes(StockLayout.DATA, text, 0, ItemLayout.DATA_BYTES);
    }

    private void fillDistrict(Memory record, RowRandom row) {
        record.putLong(DistrictLayout.NEXT_ORDER, scale.orders() + 1L);
        record.putLong(DistrictLayout.YTD, districtYtd(scale));
        record.putLong(DistrictLayout.TAX, row.between(0, MAX_TAX));
        row.text(6, DistrictLayout.NAME_BYTES, text, 0);
        record.putBytes(DistrictLayout.NAME, text, 0, DistrictLayout.NAME_BYTES);
        row.address(text, 0);
        record.putBytes(DistrictLayout.ADDRESS, text, 0, AddressLayout.BYTES);
    }

    private void fillCustomer(Memory record, RowRandom row) {
        record.putLong(CustomerLayout.BALANCE, -PAID_CENTS);
        record.putLong(CustomerLayout.YTD_PAYMENT, PAID_CENTS);
        record.putLong(CustomerLayout.PAYMENT_COUNT, 1);
        record.putLong(CustomerLayout.DISCOUNT, row.between(0, MAX_DISCOUNT));
        record.putLong(CustomerLayout.CREDIT_LIMIT, CREDIT_LIMIT_CENTS);
        record.putLong(CustomerLayout.SINCE, DATE);
        record.putBytes(CustomerLayout.FIRST, first, 0, first.length);
        text[0] = 'O';
        text[1] = 'E';
        record.putBytes(CustomerLayout.MIDDLE, text, 0, CustomerLayout.MIDDLE_BYTES);
        record.putBytes(CustomerLayout.LAST, last, 0, last.length);
        row.address(text, 0);
        record.putBytes(CustomerLayout.ADDRESS, text, 0, AddressLayout.BYTES);
        row.digits(CustomerLayout.PHONE_BYTES, text, 0);
        record.putBytes(CustomerLayout.PHONE, text, 0, CustomerLayout.PHONE_BYTES);
        text[0] = (byte) (row.happens(BAD_CREDIT_PERCENT) ? 'B' : 'G');
        text[1] = 'C';
        record.putBytes(CustomerLayout.CREDIT, text, 0, CustomerLayout.CREDIT_BYTES);
        row.text(300, CustomerLayout.DATA_BYTES, text, 0);
        record.putBytes(CustomerLayout.DATA, text, 0, CustomerLayout.DATA_BYTES);
    }

    private void fillHistory(Memory record, long customerKey, RowRandom row) {
        record.putLong(HistoryLayout.CUSTOMER, customerKey);
        record.putLong(
                HistoryLayout.DISTRICT,
                TpccKeys.district(TpccKeys.warehouseOf(customerKey), TpccKeys.districtOf(customerKey)));
        record.putLong(HistoryLayout.DATE, DATE);
        record.putLong(HistoryLayout.AMOUNT, PAID_CENTS);
        row.text(12, HistoryLayout.DATA_BYTES, text, 0);
        record.putBytes(HistoryLayout.DATA, text, 0, HistoryLayout.DATA_BYTES);
    }

    private void fillLine(Memory record, int warehouse, boolean isDelivered, RowRandom row) {
        record.putLong(OrderLineLayout.ITEM, row.between(1, scale.items()));
        record.putLong(OrderLineLayout.SUPPLIER, warehouse);
        record.putLong(OrderLineLayout.DELIVERY_DATE, isDelivered ? DATE : OrderLineLayout.NOT_DELIVERED);
        record.putLong(OrderLineLayout.QUANTITY, LOADED_QUANTITY);
        record.putLong(OrderLineLayout.AMOUNT, isDelivered ? 0 : row.between(1, MAX_AMOUNT_CENTS));
        row.text(StockLayout.DISTRICT_BYTES, StockLayout.DISTRICT_BYTES, text, 0);
        record.putBytes(OrderLineLayout.DISTRICT_INFO, text, 0, StockLayout.DISTRICT_BYTES);
    }

    private interface Fill {
        void fill(Memory record, RowRandom row);
    }

    private void load(Table table, long key, Fill fill) {
        Consumer<Memory> filler = record -> fill.fill(record, random.of(table.id(), key));
        loader.load(table, key, filler);
    }
}
