package dev.rcc.bench.locks.run;

import static dev.rcc.protocols.locks.LockMode.EXCLUSIVE;
import static dev.rcc.protocols.locks.LockMode.SHARED;

import dev.rcc.protocols.locks.LockMode;
import java.util.SplittableRandom;

/**
 * The locks of TPC-C's transactions as DSLR was evaluated with them (dslr, 6.1, and its authors' code, {@code dongyoungy/rdma_2pc}, {@code
 * tpcc_lock_gen.cc}): in TPC-C's mix, but an order has one line, and a delivery delivers one order. Everything is drawn uniformly. Records
 * that a transaction inserts are locked, too: the order, the new order, the line and the history of a customer have the customer's number.
 *
 * <p>With scans, a share of the transactions reads all customers of a warehouse under a lock of that table; then transactions that read a
 * customer share the table, and transactions that write a customer have it alone (dslr, 6.4).
 *
 * @param nodes number of nodes with warehouses; clients of a node use its warehouses or, if it has none, another node's
 * @param warehouses number of warehouses of each node
 * @param scanRate the share of scans, 0 for none
 */
public record ShortTpccTrace(int nodes, int warehouses, double scanRate) implements LockTrace {
    private static final int DISTRICTS = 10;
    private static final int CUSTOMERS_A_DISTRICT = 3_000;
    private static final int CUSTOMERS = DISTRICTS * CUSTOMERS_A_DISTRICT;
    private static final int ITEMS = 100_000;

    private static final int WAREHOUSE = 0;
    private static final int CUSTOMER_TABLE = 1;
    private static final int DISTRICT = 2;
    private static final int CUSTOMER = DISTRICT + DISTRICTS;
    private static final int ORDER = CUSTOMER + CUSTOMERS;
    private static final int HISTORY = ORDER + CUSTOMERS;
    private static final int NEW_ORDER = HISTORY + CUSTOMERS;
    private static final int LINE = NEW_ORDER + CUSTOMERS;
    private static final int STOCK = LINE + CUSTOMERS;
    private static final int ITEM = STOCK + ITEMS;
    private static final int LOCKS = ITEM + ITEMS;

    /** Cumulative percentages of new-order, payment, order-status and delivery; the rest is stock-level. */
    private static final int[] MIX = {45, 88, 92, 96};

    private static final int REMOTE_CUSTOMER_PERCENT = 15;
    /** Percentage of payments (below, of order-statuses) that find their customer by its last name, and lock two customers. */
    private static final int PAYMENT_BY_NAME_PERCENT = 60;

    private static final int STATUS_BY_NAME_PERCENT = 40;

    /** Checks the ranges. */
    public ShortTpccTrace {
        Warehouses.check(nodes, warehouses, scanRate);
    }

    @Override
    public String name() {
        return scanRate > 0 ? "tpcc-scan" : "tpcc";
    }

    private Warehouses all() {
        return new Warehouses(nodes, warehouses, LOCKS);
    }

    @Override
    public long locks() {
        return all().locks();
    }

    @Override
    public boolean hasLong() {
        return scanRate > 0;
    }

    @Override
    public void next(int node, SplittableRandom random, Wish wish) {
        wish.clear();
        int home = all().home(node, random);
        if (scanRate > 0 && random.nextDouble() < scanRate) {
            add(wish, home, CUSTOMER_TABLE, SHARED);
            wish.takesLong();
            return;
        }
        int drawn = random.nextInt(100);
        if (drawn < MIX[0]) {
            newOrder(home, random, wish);
        } else if (drawn < MIX[1]) {
            payment(home, random, wish);
        } else if (drawn < MIX[2]) {
            orderStatus(home, random, wish);
        } else if (drawn < MIX[3]) {
            delivery(home, random.nextInt(CUSTOMERS), wish);
        } else {
            stockLevel(home, random, wish);
        }
    }

    private void newOrder(int home, SplittableRandom random, Wish wish) {
        int district = random.nextInt(DISTRICTS);
        int customer = district * CUSTOMERS_A_DISTRICT + random.nextInt(CUSTOMERS_A_DISTRICT);
        int item = random.nextInt(ITEMS);
        add(wish, home, WAREHOUSE, SHARED);
        add(wish, home, DISTRICT + district, EXCLUSIVE);
        customer(wish, home, customer, SHARED);
        add(wish, home, ORDER + customer, EXCLUSIVE);
        add(wish, home, NEW_ORDER + customer, EXCLUSIVE);
        add(wish, home, ITEM + item, SHARED);
        add(wish, home, STOCK + item, EXCLUSIVE);
        add(wish, home, LINE + customer, EXCLUSIVE);
    }

    private void payment(int home, SplittableRandom random, Wish wish) {
        int of = random.nextInt(100) < REMOTE_CUSTOMER_PERCENT ? all().otherThan(home, random) : home;
        add(wish, home, WAREHOUSE, EXCLUSIVE);
        add(wish, home, DISTRICT + random.nextInt(DISTRICTS), EXCLUSIVE);
        int count = random.nextInt(100) < PAYMENT_BY_NAME_PERCENT ? 2 : 1;
        int first = random.nextInt(CUSTOMERS);
        int second = (first + 1 + random.nextInt(CUSTOMERS - 1)) % CUSTOMERS;
        customer(wish, of, first, EXCLUSIVE);
        if (count > 1) {
            customer(wish, of, second, EXCLUSIVE);
            add(wish, home, HISTORY + second, EXCLUSIVE);
        }
        add(wish, home, HISTORY + first, EXCLUSIVE);
    }

    private void orderStatus(int home, SplittableRandom random, Wish wish) {
        int count = random.nextInt(100) < STATUS_BY_NAME_PERCENT ? 2 : 1;
        int first = random.nextInt(CUSTOMERS);
        int second = (first + 1 + random.nextInt(CUSTOMERS - 1)) % CUSTOMERS;
        customer(wish, home, first, SHARED);
        if (count > 1) {
            customer(wish, home, second, SHARED);
            add(wish, home, ORDER + second, SHARED);
        }
        add(wish, home, ORDER + first, SHARED);
        add(wish, home, LINE + first, SHARED);
    }

    private void delivery(int home, int customer, Wish wish) {
        add(wish, home, NEW_ORDER + customer, EXCLUSIVE);
        add(wish, home, ORDER + customer, EXCLUSIVE);
        add(wish, home, LINE + customer, EXCLUSIVE);
        customer(wish, home, customer, EXCLUSIVE);
    }

    private void stockLevel(int home, SplittableRandom random, Wish wish) {
        add(wish, home, DISTRICT + random.nextInt(DISTRICTS), SHARED);
        add(wish, home, LINE + random.nextInt(CUSTOMERS), SHARED);
        add(wish, home, STOCK, SHARED);
    }

    private void customer(Wish wish, int warehouse, int customer, LockMode mode) {
        if (scanRate > 0) {
            add(wish, warehouse, CUSTOMER_TABLE, mode);
        }
        add(wish, warehouse, CUSTOMER + customer, mode);
    }

    private void add(Wish wish, int warehouse, int ofWarehouse, LockMode mode) {
        wish.add(all().lock(warehouse, ofWarehouse), mode);
    }
}
