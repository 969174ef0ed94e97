package dev.rcc.bench.workload.tpcc;

/**
 * The number of rows at the start (1.2.1, 4.3.3.1).
 *
 * @param warehouses the warehouses of the whole cluster
 * @param districts the districts of each warehouse
 * @param customers the customers of each district, each with one order
 * @param items the items, all of which each warehouse stocks
 */
record TpccScale(int warehouses, int districts, int customers, int items) {
    static final int MAX_DISTRICTS = 10;
    static final int MAX_CUSTOMERS = 3_000;
    static final int MAX_ITEMS = 100_000;
    static final int MIN_LINES = 5;
    static final int MAX_LINES = 15;
    /** The number of different last names: three syllables of ten. */
    private static final int MAX_NAMES = 1_000;

    /** Whether a warehouse has as many rows as the standard requires. */
    boolean isStandard() {
        return districts == MAX_DISTRICTS && customers == MAX_CUSTOMERS && items == MAX_ITEMS;
    }

    /** Orders of each district at the start: one for each customer. */
    int orders() {
        return customers;
    }

    /** The first order of each district that has not been delivered: 2,101 of 3,000. */
    int firstNewOrder() {
        return orders() - orders() * 3 / 10 + 1;
    }

    /** The number of last names in use: each of the first customers has one of its own. */
    int names() {
        return Math.min(MAX_NAMES, customers);
    }

    /** The number of districts of all warehouses. */
    long allDistricts() {
        return (long) warehouses * districts;
    }
}
