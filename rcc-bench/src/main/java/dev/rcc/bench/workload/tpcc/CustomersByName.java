package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;
import dev.rcc.server.node.Loader;

/**
 * Finds customers by their last names, ordered by their first names. Names never change, so this ordered table is loaded, and read. For
 * one thread; allocates nothing to find a customer.
 *
 * <pre>
 *  0           3          4        20        36          40
 * +-----------+----------+--------+---------+-----------+
 * | warehouse | district | C_LAST | C_FIRST | C_ID      |
 * +-----------+----------+--------+---------+-----------+
 * </pre>
 */
final class CustomersByName {
    /** There is nothing but the key. */
    static final int RECORD_BYTES = 1;

    static final String TABLE = "customer-by-name";

    private static final int DISTRICT_OFFSET = 3;
    private static final int LAST_OFFSET = 4;
    private static final int FIRST_OFFSET = LAST_OFFSET + CustomerLayout.LAST_BYTES;
    private static final int ID_OFFSET = FIRST_OFFSET + CustomerLayout.FIRST_BYTES;
    private static final int KEY_BYTES = ID_OFFSET + Integer.BYTES;

    private final Table table;
    private final byte[] from = new byte[FIRST_OFFSET];
    private final byte[] to = new byte[FIRST_OFFSET];
    private final byte[] key = new byte[KEY_BYTES];

    CustomersByName(Table table) {
        this.table = table;
    }

    static TableSchema schema(int id, long capacity) {
        return TableSchema.ofByteKeys(id, TABLE, KEY_BYTES, RECORD_BYTES, capacity)
                .ordered();
    }

    /**
     * The number of the customer in the middle of those with a last name, rounded up (2.5.2.2). May wait.
     *
     * @param name the number of a last name that at least one customer has
     */
    int middle(Transaction txn, int warehouse, int district, int name) {
        putPlace(from, warehouse, district);
        LastName.write(name, from, LAST_OFFSET);
        System.arraycopy(from, 0, to, 0, from.length);
        to[to.length - 1]++; // a name never fills its field
        Scan scan = txn.scan(table, from, to, TpccScale.MAX_CUSTOMERS, Intent.READ);
        if (scan.size() == 0) {
            throw new IllegalStateException("district " + warehouse + "/" + district + " has no customer with name "
                    + name + ", but each name of the population has one");
        }
        scan.access((scan.size() - 1) / 2).getKey(key, 0);
        return idOf(key);
    }

    /** Adds a customer. */
    void load(Loader loader, int warehouse, int district, int customer, byte[] last, byte[] first) {
        putPlace(key, warehouse, district);
        System.arraycopy(last, 0, key, LAST_OFFSET, CustomerLayout.LAST_BYTES);
        System.arraycopy(first, 0, key, FIRST_OFFSET, CustomerLayout.FIRST_BYTES);
        for (int i = 0; i < Integer.BYTES; i++) {
            key[ID_OFFSET + i] = (byte) (customer >>> (Byte.SIZE * (Integer.BYTES - 1 - i)));
        }
        loader.load(table, key, record -> {});
    }

    /** What the keys of those with a last name begin with. */
    static byte[] prefix(int warehouse, int district, int name) {
        byte[] prefix = new byte[FIRST_OFFSET];
        putPlace(prefix, warehouse, district);
        LastName.write(name, prefix, LAST_OFFSET);
        return prefix;
    }

    private static void putPlace(byte[] target, int warehouse, int district) {
        for (int i = 0; i < TpccKeys.PLACING_BYTES; i++) {
            target[i] = (byte) (warehouse >>> (Byte.SIZE * (TpccKeys.PLACING_BYTES - 1 - i)));
        }
        target[DISTRICT_OFFSET] = (byte) district;
    }

    /** The customer whose key this is. */
    static int idOf(byte[] key) {
        int id = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            id = id << Byte.SIZE | (key[ID_OFFSET + i] & 0xFF);
        }
        return id;
    }
}
