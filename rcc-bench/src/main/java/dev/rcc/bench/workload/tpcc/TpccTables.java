package dev.rcc.bench.workload.tpcc;

import dev.rcc.bench.workload.PartitionCapacity;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import java.util.List;

/**
 * The nine tables, and the indexes of customers by their names and of orders by their customers.
 *
 * <p>NEW-ORDER is ordered, because Delivery needs the oldest order of a district. ORDER and ORDER-LINE are not: an order is found by its number
 * and stores the number of its lines. So all reads of these tables are by key, all at once.
 */
final class TpccTables {
    static final String WAREHOUSE = "warehouse";
    static final String DISTRICT = "district";
    static final String CUSTOMER = "customer";
    static final String HISTORY = "history";
    static final String NEW_ORDER = "new-order";
    static final String ORDER = "order";
    static final String ORDER_LINE = "order-line";
    static final String ITEM = "item";
    static final String STOCK = "stock";

    private static final int AVERAGE_LINES = (TpccScale.MIN_LINES + TpccScale.MAX_LINES) / 2;
    /** The deviation of an order's number of lines, times the number of deviations that the lines of many orders stay within. */
    private static final int DEVIATION_OF_LINES = 20;

    final Table warehouse;
    final Table district;
    final Table customer;
    final Table history;
    final Table newOrder;
    final Table order;
    final Table orderLine;
    final Table item;
    final Table stock;
    /** The number of copies of each item. */
    final int itemCopies;

    final Table customerByName;
    final Table orderByCustomer;

    TpccTables(Catalog catalog) {
        this.warehouse = catalog.table(WAREHOUSE);
        this.district = catalog.table(DISTRICT);
        this.customer = catalog.table(CUSTOMER);
        this.history = catalog.table(HISTORY);
        this.newOrder = catalog.table(NEW_ORDER);
        this.order = catalog.table(ORDER);
        this.orderLine = catalog.table(ORDER_LINE);
        this.item = catalog.table(ITEM);
        this.itemCopies = item.isReplicated() ? catalog.placement().partitions() : 1;
        this.stock = catalog.table(STOCK);
        this.customerByName = catalog.table(TpccIndexes.CUSTOMER_BY_NAME);
        this.orderByCustomer = catalog.table(TpccIndexes.ORDER_BY_CUSTOMER);
    }

    /**
     * The tables' schemas.
     *
     * @param scale the number of rows at the start
     * @param moreOrders the orders, and also the payments, that each district has room for beyond those at the start
     * @param replicatesItems whether each node has all items
     */
    static List<TableSchema> schemas(TpccScale scale, long moreOrders, int nodes, boolean replicatesItems) {
        long warehouses = Math.ceilDiv(scale.warehouses(), nodes);
        long districts = warehouses * scale.districts();
        long customers = districts * scale.customers();
        long orders = districts * (scale.orders() + moreOrders);
        long lines = AVERAGE_LINES * orders + DEVIATION_OF_LINES * (long) Math.ceil(Math.sqrt((double) orders));
        TableSchema customer = placed(TableSchema.ofLongKeys(2, CUSTOMER, CustomerLayout.BYTES, customers));
        TableSchema order = placed(TableSchema.ofLongKeys(5, ORDER, OrderLayout.BYTES, orders));
        return List.of(
                placed(TableSchema.ofLongKeys(0, WAREHOUSE, WarehouseLayout.BYTES, warehouses)),
                placed(TableSchema.ofLongKeys(1, DISTRICT, DistrictLayout.BYTES, districts)),
                customer,
                placed(TableSchema.ofLongKeys(3, HISTORY, HistoryLayout.BYTES, orders)),
                placed(TableSchema.ofLongKeys(4, NEW_ORDER, NewOrderLayout.BYTES, orders)
                        .ordered()),
                order,
                placed(TableSchema.ofLongKeys(6, ORDER_LINE, OrderLineLayout.BYTES, lines)),
                items(scale.items(), nodes, replicatesItems),
                placed(TableSchema.ofLongKeys(8, STOCK, StockLayout.BYTES, warehouses * scale.items())),
                placed(TpccIndexes.customerByName(9, customer)),
                placed(TpccIndexes.orderByCustomer(10, order)));
    }

    private static TableSchema items(int items, int nodes, boolean replicates) {
        return replicates
                ? TableSchema.ofLongKeys(7, ITEM, ItemLayout.BYTES, items).replicated()
                : TableSchema.ofLongKeys(7, ITEM, ItemLayout.BYTES, PartitionCapacity.of(items, nodes));
    }

    /** All rows of a warehouse are in one partition, and the warehouses take the partitions in turn. */
    private static TableSchema placed(TableSchema table) {
        return table.modulo(TpccKeys.PLACING_BYTES);
    }
}
