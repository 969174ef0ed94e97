package dev.rcc.bench.workload.tpcc;

/**
 * A record of WAREHOUSE; W_ID is the key. Amounts are in cents, rates in ten-thousandths.
 *
 * <pre>
 *  0         8         16        26                 97
 * +---------+---------+---------+------------------+
 * | W_TAX   | W_YTD   | W_NAME  | W_STREET_1 ...   |
 * +---------+---------+---------+------------------+
 * </pre>
 */
final class WarehouseLayout {
    static final int TAX = 0;
    static final int YTD = 8;
    static final int NAME = 16;
    static final int NAME_BYTES = 10;
    static final int ADDRESS = NAME + NAME_BYTES;
    static final int BYTES = ADDRESS + AddressLayout.BYTES;

    private WarehouseLayout() {}
}
