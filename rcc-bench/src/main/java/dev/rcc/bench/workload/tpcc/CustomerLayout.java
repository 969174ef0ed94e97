package dev.rcc.bench.workload.tpcc;

/**
 * A record of CUSTOMER; C_W_ID, C_D_ID and C_ID are the key. Amounts are in cents, rates in ten-thousandths, dates in milliseconds since
 * 1970.
 *
 * <pre>
 *  0           8               16              24               32           40             48         56
 * +-----------+---------------+---------------+----------------+------------+--------------+----------+
 * | C_BALANCE | C_YTD_PAYMENT | C_PAYMENT_CNT | C_DELIVERY_CNT | C_DISCOUNT | C_CREDIT_LIM | C_SINCE  | ...
 * +-----------+---------------+---------------+----------------+------------+--------------+----------+
 *  56        72         74       90                161       177        179      679
 * +---------+----------+--------+-----------------+---------+----------+--------+
 * | C_FIRST | C_MIDDLE | C_LAST | C_STREET_1 ...  | C_PHONE | C_CREDIT | C_DATA |
 * +---------+----------+--------+-----------------+---------+----------+--------+
 * </pre>
 */
final class CustomerLayout {
    static final int BALANCE = 0;
    static final int YTD_PAYMENT = 8;
    static final int PAYMENT_COUNT = 16;
    static final int DELIVERY_COUNT = 24;
    static final int DISCOUNT = 32;
    static final int CREDIT_LIMIT = 40;
    static final int SINCE = 48;
    static final int FIRST = 56;
    static final int FIRST_BYTES = 16;
    static final int MIDDLE = FIRST + FIRST_BYTES;
    static final int MIDDLE_BYTES = 2;
    static final int LAST = MIDDLE + MIDDLE_BYTES;
    static final int LAST_BYTES = 16;
    static final int ADDRESS = LAST + LAST_BYTES;
    static final int PHONE = ADDRESS + AddressLayout.BYTES;
    static final int PHONE_BYTES = 16;
    static final int CREDIT = PHONE + PHONE_BYTES;
    static final int CREDIT_BYTES = 2;
    static final int DATA = CREDIT + CREDIT_BYTES;
    static final int DATA_BYTES = 500;
    static final int BYTES = DATA + DATA_BYTES;

    private CustomerLayout() {}
}
