package dev.rcc.bench.workload.tpcc;

/**
 * A record of HISTORY, which has no primary key in the standard; here the key is H_W_ID and any number. Amounts are in cents, dates in
 * milliseconds since 1970.
 *
 * <pre>
 *  0                   8               16       24         32       56
 * +-------------------+---------------+--------+----------+--------+
 * | H_C_W_ID,         | H_W_ID,       | H_DATE | H_AMOUNT | H_DATA |
 * | H_C_D_ID, H_C_ID, | H_D_ID,       |        |          |        |
 * | a CUSTOMER's key  | a DISTRICT's  |        |          |        |
 * +-------------------+---------------+--------+----------+--------+
 * </pre>
 */
final class HistoryLayout {
    static final int CUSTOMER = 0;
    static final int DISTRICT = 8;
    static final int DATE = 16;
    static final int AMOUNT = 24;
    static final int DATA = 32;
    static final int DATA_BYTES = 24;
    static final int BYTES = DATA + DATA_BYTES;

    private HistoryLayout() {}
}
