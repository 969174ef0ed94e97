package dev.rcc.bench.workload.tpcc;

/**
 * An address, as warehouses, districts and customers have one. Like all texts it is ASCII, padded with zeros.
 *
 * <pre>
 *  0          20         40         60      62       71
 * +----------+----------+----------+-------+--------+
 * | STREET_1 | STREET_2 | CITY     | STATE | ZIP    |
 * +----------+----------+----------+-------+--------+
 * </pre>
 */
final class AddressLayout {
    static final int STREET_1 = 0;
    static final int STREET_BYTES = 20;
    static final int STREET_2 = STREET_1 + STREET_BYTES;
    static final int CITY = STREET_2 + STREET_BYTES;
    static final int CITY_BYTES = 20;
    static final int STATE = CITY + CITY_BYTES;
    static final int STATE_BYTES = 2;
    static final int ZIP = STATE + STATE_BYTES;
    static final int ZIP_BYTES = 9;
    static final int BYTES = ZIP + ZIP_BYTES;

    private AddressLayout() {}
}
