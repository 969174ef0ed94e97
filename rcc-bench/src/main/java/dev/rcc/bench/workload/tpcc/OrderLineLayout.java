package dev.rcc.bench.workload.tpcc;

/**
 * A record of ORDER-LINE; OL_W_ID, OL_D_ID, OL_O_ID and OL_NUMBER are the key. Amounts are in cents, dates in milliseconds since 1970; a
 * date of 0 is null.
 *
 * <pre>
 *  0         8                16              24            32          40             64
 * +---------+----------------+---------------+-------------+-----------+--------------+
 * | OL_I_ID | OL_SUPPLY_W_ID | OL_DELIVERY_D | OL_QUANTITY | OL_AMOUNT | OL_DIST_INFO |
 * +---------+----------------+---------------+-------------+-----------+--------------+
 * </pre>
 */
final class OrderLineLayout {
    static final int ITEM = 0;
    static final int SUPPLIER = 8;
    static final int DELIVERY_DATE = 16;
    static final int QUANTITY = 24;
    static final int AMOUNT = 32;
    static final int DISTRICT_INFO = 40;
    static final int BYTES = DISTRICT_INFO + StockLayout.DISTRICT_BYTES;

    static final long NOT_DELIVERED = 0;

    private OrderLineLayout() {}
}
