package dev.rcc.bench.workload.tpcc;

/**
 * A record of STOCK; S_W_ID and S_I_ID are the key.
 *
 * <pre>
 *  0            8       16            24             32          56             272      322
 * +------------+-------+-------------+--------------+-----------+--------------+--------+
 * | S_QUANTITY | S_YTD | S_ORDER_CNT | S_REMOTE_CNT | S_DIST_01 | S_DIST_02 .. | S_DATA |
 * +------------+-------+-------------+--------------+-----------+--------------+--------+
 * </pre>
 */
final class StockLayout {
    static final int QUANTITY = 0;
    static final int YTD = 8;
    static final int ORDER_COUNT = 16;
    static final int REMOTE_COUNT = 24;
    static final int DISTRICTS = 32;
    static final int DISTRICT_BYTES = 24;
    static final int DATA = DISTRICTS + TpccScale.MAX_DISTRICTS * DISTRICT_BYTES;
    static final int BYTES = DATA + ItemLayout.DATA_BYTES;

    private static final int RESTOCK_BELOW = 10;
    private static final int RESTOCKED = 91;

    private StockLayout() {}

    /** S_QUANTITY after {@code taken} items have left: when few are left, more arrive (2.4.2.2). */
    static long left(long before, int taken) {
        long left = before - taken;
        return left >= RESTOCK_BELOW ? left : left + RESTOCKED;
    }

    /** The offset of S_DIST of a district. */
    static int district(long district) {
        return DISTRICTS + (int) (district - 1) * DISTRICT_BYTES;
    }
}
