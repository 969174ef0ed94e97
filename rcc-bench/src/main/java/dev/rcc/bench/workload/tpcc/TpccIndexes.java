package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.store.IndexSchema.Part;
import dev.rcc.core.store.KeyParts;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;
import java.util.List;

/**
 * The two indexes, which the store maintains in the warehouse's partition. Their keys begin with the first bytes of their tables' keys, as
 * {@link KeyParts} writes numbers; their records are the tables' keys.
 *
 * <pre>
 *                     0                     4          20        36           44
 * CUSTOMER by name    +---------------------+----------+---------+------------+
 *                     | warehouse, district |  C_LAST  | C_FIRST |  its key   |
 *                     +---------------------+----------+---------+------------+
 *
 *                     0                     4          12        20
 * ORDER by customer   +---------------------+----------+---------+
 *                     | warehouse, district |  O_C_ID  | its key |
 *                     +---------------------+----------+---------+
 * </pre>
 */
final class TpccIndexes {
    static final String CUSTOMER_BY_NAME = "customer-by-name";
    static final String ORDER_BY_CUSTOMER = "order-by-customer";

    private static final int PLACE_BYTES = Integer.BYTES;
    static final int NAME_BYTES = PLACE_BYTES + CustomerLayout.LAST_BYTES;
    static final int CUSTOMER_BYTES = PLACE_BYTES + Long.BYTES;

    private TpccIndexes() {}

    static TableSchema customerByName(int id, TableSchema customer) {
        return TableSchema.index(
                id,
                CUSTOMER_BY_NAME,
                customer,
                false,
                List.of(
                        Part.ofKey(0, PLACE_BYTES),
                        Part.ofBytes(CustomerLayout.LAST, CustomerLayout.LAST_BYTES),
                        Part.ofBytes(CustomerLayout.FIRST, CustomerLayout.FIRST_BYTES)));
    }

    static TableSchema orderByCustomer(int id, TableSchema order) {
        return TableSchema.index(
                id,
                ORDER_BY_CUSTOMER,
                order,
                false,
                List.of(Part.ofKey(0, PLACE_BYTES), Part.ofLong(OrderLayout.CUSTOMER)));
    }

    /**
     * Writes the prefix of the entries of a district's customers with a last name, into {@link #NAME_BYTES} bytes.
     *
     * @param name the number of the last name
     */
    static void putName(byte[] prefix, int warehouse, int district, int name) {
        LastName.write(name, prefix, putPlace(prefix, warehouse, district));
    }

    /** Writes the prefix of the entries of a customer's orders, into {@link #CUSTOMER_BYTES} bytes. */
    static void putCustomer(byte[] prefix, int warehouse, int district, int customer) {
        KeyParts.putLong(prefix, putPlace(prefix, warehouse, district), customer);
    }

    /** Writes the more significant half of the district's key, with which its rows' keys begin, too. */
    private static int putPlace(byte[] prefix, int warehouse, int district) {
        return KeyParts.putInteger(prefix, 0, (int) (TpccKeys.district(warehouse, district) >>> Integer.SIZE));
    }

    /**
     * The key of the middle customer of those with a last name, rounded up (2.5.2.2). May wait; allocates nothing.
     *
     * @param prefix the prefix of their entries
     */
    static long middle(Transaction txn, Table customerByName, byte[] prefix) {
        Scan namesakes = txn.scanPrefix(customerByName, prefix, TpccScale.MAX_CUSTOMERS, Intent.READ);
        if (namesakes.size() == 0) {
            throw new IllegalStateException("no customer has the last name, but each name of the population has one");
        }
        return namesakes.access(middleOf(namesakes.size())).getLong(0);
    }

    /** The index of the middle one of {@code size} customers. */
    static int middleOf(int size) {
        return (size - 1) / 2;
    }
}
