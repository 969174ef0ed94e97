package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;
import dev.rcc.server.node.Loader;

/**
 * Finds the newest order of a customer: an ordered table, to which NewOrder adds a row with each order. Newer orders come first, so that
 * the first row of a customer is what is wanted.
 *
 * <pre>
 *  63         40 39      36 35      24 23       0
 * +-------------+----------+----------+----------+
 * |  warehouse  | district | customer |  ~order  |
 * +-------------+----------+----------+----------+
 * </pre>
 */
final class OrdersByCustomer {
    /** There is nothing but the key. */
    static final int RECORD_BYTES = 1;

    static final String TABLE = "order-by-customer";

    private static final int WAREHOUSE_SHIFT = 40;
    private static final int DISTRICT_SHIFT = 36;
    private static final int CUSTOMER_SHIFT = TpccKeys.ORDER_BITS;
    private static final long ORDER_MASK = (1L << TpccKeys.ORDER_BITS) - 1;

    private final Table table;

    OrdersByCustomer(Table table) {
        this.table = table;
    }

    static TableSchema schema(int id, long capacity) {
        return TableSchema.ofLongKeys(id, TABLE, RECORD_BYTES, capacity).ordered();
    }

    static long key(int warehouse, int district, int customer, int order) {
        return (long) warehouse << WAREHOUSE_SHIFT
                | (long) district << DISTRICT_SHIFT
                | (long) customer << CUSTOMER_SHIFT
                | (ORDER_MASK - order);
    }

    /** The first key that an order of a customer can have. */
    static long first(int warehouse, int district, int customer) {
        return key(warehouse, district, customer, (int) ORDER_MASK);
    }

    /** The key behind those of a customer. */
    static long end(int warehouse, int district, int customer) {
        return key(warehouse, district, customer + 1, (int) ORDER_MASK);
    }

    static int orderOf(long key) {
        return (int) (ORDER_MASK - (key & ORDER_MASK));
    }

    /** The number of a customer's newest order. May wait. */
    int newest(Transaction txn, int warehouse, int district, int customer) {
        Scan scan = txn.scan(
                table, first(warehouse, district, customer), end(warehouse, district, customer), 1, Intent.READ);
        if (scan.size() == 0) {
            throw new IllegalStateException("customer " + warehouse + "/" + district + "/" + customer
                    + " has no order, but each has one at the start");
        }
        return orderOf(scan.key(0));
    }

    /** Adds an order, within a transaction. */
    Access insert(Transaction txn, int warehouse, int district, int customer, int order) {
        return txn.insert(table, key(warehouse, district, customer, order));
    }

    /** Adds an order, before the start. */
    void load(Loader loader, int warehouse, int district, int customer, int order) {
        loader.load(table, key(warehouse, district, customer, order), record -> {});
    }
}
