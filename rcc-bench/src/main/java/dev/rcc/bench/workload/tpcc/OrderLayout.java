package dev.rcc.bench.workload.tpcc;

/**
 * A record of ORDER; O_W_ID, O_D_ID and O_ID are the key. Dates are in milliseconds since 1970. Carrier 0 is null.
 *
 * <pre>
 *  0        8           16             24         32            40
 * +--------+-----------+--------------+----------+-------------+
 * | O_C_ID | O_ENTRY_D | O_CARRIER_ID | O_OL_CNT | O_ALL_LOCAL |
 * +--------+-----------+--------------+----------+-------------+
 * </pre>
 */
final class OrderLayout {
    static final int CUSTOMER = 0;
    static final int ENTRY_DATE = 8;
    static final int CARRIER = 16;
    static final int LINE_COUNT = 24;
    static final int ALL_LOCAL = 32;
    static final int BYTES = 40;

    static final long NO_CARRIER = 0;

    private OrderLayout() {}
}
