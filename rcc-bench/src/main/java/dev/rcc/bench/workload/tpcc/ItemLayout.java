package dev.rcc.bench.workload.tpcc;

/**
 * A record of ITEM; I_ID is the key. Amounts are in cents.
 *
 * <pre>
 *  0         8         16       40       90
 * +---------+---------+--------+--------+
 * | I_PRICE | I_IM_ID | I_NAME | I_DATA |
 * +---------+---------+--------+--------+
 * </pre>
 */
final class ItemLayout {
    static final int PRICE = 0;
    static final int IMAGE = 8;
    static final int NAME = 16;
    static final int NAME_BYTES = 24;
    static final int DATA = NAME + NAME_BYTES;
    /** The bytes of I_DATA, and of S_DATA. */
    static final int DATA_BYTES = 50;

    static final int BYTES = DATA + DATA_BYTES;

    private ItemLayout() {}
}
