package dev.rcc.bench.locks.run;

import static dev.rcc.protocols.locks.LockMode.EXCLUSIVE;
import static dev.rcc.protocols.locks.LockMode.SHARED;

import java.util.SplittableRandom;

/**
 * The locks of TPC-C's transactions, in the benchmark's mix (TPC-C, 2.4 to 2.8; dslr, 6.1). Each warehouse has locks for the
 * warehouse, its districts, the oldest new order of each district, its customers and its stock. Records that a transaction inserts are not
 * locked, as no other transaction has seen them yet.
 *
 * <p>With scans, a share of the transactions reads all customers of a warehouse under a lock of that table; then transactions that read a customer
 * share the table, and transactions that write a customer have it alone (dslr, 6.4).
 *
 * @param nodes number of nodes with warehouses; clients of a node use its warehouses or, if it has none, another node's
 * @param warehouses number of warehouses of each node
 * @param scanRate the share of scans, 0 for none
 */
public record TpccTrace(int nodes, int warehouses, double scanRate) implements LockTrace {
    private static final int DISTRICTS = 10;
    private static final int CUSTOMERS = 3_000;
    private static final int ITEMS = 100_000;

    private static final int WAREHOUSE = 0;
    private static final int CUSTOMER_TABLE = 1;
    private static final int DISTRICT = 2;
    private static final int NEW_ORDER = DISTRICT + DISTRICTS;
    private static final int CUSTOMER = NEW_ORDER + DISTRICTS;
    private static final int STOCK = CUSTOMER + DISTRICTS * CUSTOMERS;
    private static final int LOCKS = STOCK + ITEMS;

    /** Cumulative percentages of new-order, payment, order-status and delivery; the rest is stock-level. */
    private static final int[] MIX = {45, 88, 92, 96};

    private static final int REMOTE_STOCK_PERCENT = 1;
    private static final int REMOTE_CUSTOMER_PERCENT = 15;
    private static final int ORDERS_OF_STOCK_LEVEL = 20;

    /** Checks the ranges. */
    public TpccTrace {
        Warehouses.check(nodes, warehouses, scanRate);
    }

    @Override
    public String name() {
        return scanRate > 0 ? "tpcc-scan" : "tpcc";
    }

    @Override
    public long locks() {
        return all().locks();
    }

    private long lock(int warehouse, int ofWarehouse) {
        return all().lock(warehouse, ofWarehouse);
    }

    private int otherThan(int home, SplittableRandom random) {
        return all().otherThan(home, random);
    }

    private Warehouses all() {
        return new Warehouses(nodes, warehouses, LOCKS);
    }

    /** Draws a customer, non-uniformly as in TPC-C (2.1.6). */
    private static int customer(SplittableRandom random) {
        return ((random.nextInt(1024) | random.nextInt(CUSTOMERS)) + 259) % CUSTOMERS;
    }

    private static int item(SplittableRandom random) {
        return ((random.nextInt(8192) | random.nextInt(ITEMS)) + 7911) % ITEMS;
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
            wish.add(lock(home, CUSTOMER_TABLE), SHARED);
            wish.takesLong();
            return;
        }
        int district = random.nextInt(DISTRICTS);
        int drawn = random.nextInt(100);
        if (drawn < MIX[0]) {
            newOrder(home, district, random, wish);
        } else if (drawn < MIX[1]) {
            payment(home, district, random, wish);
        } else if (drawn < MIX[2]) {
            readCustomer(home, district, random, wish);
        } else if (drawn < MIX[3]) {
            delivery(home, random, wish);
        } else {
            stockLevel(home, district, random, wish);
        }
    }

    private void newOrder(int home, int district, SplittableRandom random, Wish wish) {
        wish.add(lock(home, WAREHOUSE), SHARED);
        wish.add(lock(home, DISTRICT + district), EXCLUSIVE);
        readCustomer(home, district, random, wish);
        int lines = 5 + random.nextInt(11);
        for (int i = 0; i < lines; i++) {
            int supplier = random.nextInt(100) < REMOTE_STOCK_PERCENT ? otherThan(home, random) : home;
            wish.add(lock(supplier, STOCK + item(random)), EXCLUSIVE);
        }
    }

    private void payment(int home, int district, SplittableRandom random, Wish wish) {
        wish.add(lock(home, WAREHOUSE), EXCLUSIVE);
        wish.add(lock(home, DISTRICT + district), EXCLUSIVE);
        boolean isRemote = random.nextInt(100) < REMOTE_CUSTOMER_PERCENT;
        writeCustomer(
                isRemote ? otherThan(home, random) : home,
                isRemote ? random.nextInt(DISTRICTS) : district,
                random,
                wish);
    }

    private void delivery(int home, SplittableRandom random, Wish wish) {
        for (int district = 0; district < DISTRICTS; district++) {
            wish.add(lock(home, NEW_ORDER + district), EXCLUSIVE);
            writeCustomer(home, district, random, wish);
        }
    }

    private void stockLevel(int home, int district, SplittableRandom random, Wish wish) {
        wish.add(lock(home, DISTRICT + district), SHARED);
        for (int order = 0; order < ORDERS_OF_STOCK_LEVEL; order++) {
            int lines = 5 + random.nextInt(11);
            for (int i = 0; i < lines; i++) {
                wish.add(lock(home, STOCK + item(random)), SHARED);
            }
        }
    }

    private void readCustomer(int warehouse, int district, SplittableRandom random, Wish wish) {
        if (scanRate > 0) {
            wish.add(lock(warehouse, CUSTOMER_TABLE), SHARED);
        }
        wish.add(lock(warehouse, CUSTOMER + district * CUSTOMERS + customer(random)), SHARED);
    }

    private void writeCustomer(int warehouse, int district, SplittableRandom random, Wish wish) {
        if (scanRate > 0) {
            wish.add(lock(warehouse, CUSTOMER_TABLE), EXCLUSIVE);
        }
        wish.add(lock(warehouse, CUSTOMER + district * CUSTOMERS + customer(random)), EXCLUSIVE);
    }
}
