package dev.rcc.bench.workload.tpcc;

/**
 * A record of DISTRICT; D_W_ID and D_ID are the key. Amounts are in cents, rates in ten-thousandths.
 *
 * <pre>
 *  0             8         16        24        34                 105
 * +-------------+---------+---------+---------+------------------+
 * | D_NEXT_O_ID | D_YTD   | D_TAX   | D_NAME  | D_STREET_1 ...   |
 * +-------------+---------+---------+---------+------------------+
 * </pre>
 */
final class DistrictLayout {
    static final int NEXT_ORDER = 0;
    static final int YTD = 8;
    static final int TAX = 16;
    static final int NAME = 24;
    static final int NAME_BYTES = 10;
    static final int ADDRESS = NAME + NAME_BYTES;
    static final int BYTES = ADDRESS + AddressLayout.BYTES;

    private DistrictLayout() {}
}
