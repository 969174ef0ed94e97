package dev.rcc.bench.workload.tpcc;

/**
 * The keys of the tables, 64-bit numbers. The first three bytes are the warehouse, which decides the partition.
 *
 * <pre>
 *              63            40 39      32 31            8 7       0
 * WAREHOUSE   +----------------+----------+---------------+---------+
 *             |  warehouse     |                 0                  |
 * DISTRICT    +----------------+----------+-------------------------+
 *             |  warehouse     | district |            0            |
 * CUSTOMER    +----------------+----------+-------------------------+
 *             |  warehouse     | district |        customer         |
 * ORDER       +----------------+----------+---------------+---------+
 * NEW-ORDER   |  warehouse     | district |     order     |    0    |
 * ORDER-LINE  +----------------+----------+---------------+---------+
 *             |  warehouse     | district |     order     |  line   |
 * STOCK       +----------------+----------+---------------+---------+
 *             |  warehouse     |                item                |
 * HISTORY     +----------------+------------------------------------+
 *             |  warehouse     | any number that is unique there    |
 *             +----------------+------------------------------------+
 * ITEM: the item
 * </pre>
 *
 * All numbers count from 1, as in the standard.
 */
final class TpccKeys {
    /** Bytes of a key, from the first, that decide the partition. */
    static final int PLACING_BYTES = 3;

    static final int ORDER_BITS = 24;
    /** The most orders of a district. */
    static final int MAX_ORDERS = (1 << ORDER_BITS) - 1;

    static final int HISTORY_BITS = 40;
    /** The highest bit stays 0: keys are positive. */
    static final int MAX_WAREHOUSES = (1 << 23) - 1;

    private static final int WAREHOUSE_SHIFT = 40;
    private static final int DISTRICT_SHIFT = 32;
    private static final int DISTRICT_MASK = 0xFF;
    private static final int ORDER_SHIFT = 8;
    private static final int LINE_MASK = (1 << ORDER_SHIFT) - 1;
    private static final long CUSTOMER_MASK = 0xFFFF_FFFFL;
    private static final long STOCK_MASK = (1L << WAREHOUSE_SHIFT) - 1;

    private TpccKeys() {}

    static long warehouse(long warehouse) {
        return warehouse << WAREHOUSE_SHIFT;
    }

    static long district(long warehouse, long district) {
        return warehouse << WAREHOUSE_SHIFT | district << DISTRICT_SHIFT;
    }

    static long customer(long warehouse, long district, long customer) {
        return district(warehouse, district) | customer;
    }

    /** The key of an ORDER, and of its NEW-ORDER. */
    static long order(long warehouse, long district, long order) {
        return district(warehouse, district) | order << ORDER_SHIFT;
    }

    static long line(long orderKey, long line) {
        return orderKey | line;
    }

    static long item(long item) {
        return item;
    }

    static long stock(long warehouse, long item) {
        return warehouse << WAREHOUSE_SHIFT | item;
    }

    /**
     * The key of a HISTORY.
     *
     * @param number a number of which the last {@value #HISTORY_BITS} bits count
     */
    static long history(long warehouse, long number) {
        return warehouse << WAREHOUSE_SHIFT | (number & ((1L << HISTORY_BITS) - 1));
    }

    static int warehouseOf(long key) {
        return (int) (key >>> WAREHOUSE_SHIFT);
    }

    static int districtOf(long key) {
        return (int) (key >>> DISTRICT_SHIFT) & DISTRICT_MASK;
    }

    static int customerOf(long key) {
        return (int) (key & CUSTOMER_MASK);
    }

    static int orderOf(long key) {
        return (int) (key >>> ORDER_SHIFT) & MAX_ORDERS;
    }

    static int lineOf(long key) {
        return (int) key & LINE_MASK;
    }

    static int itemOf(long stockKey) {
        return (int) (stockKey & STOCK_MASK);
    }
}
