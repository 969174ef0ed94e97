package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.store.Catalog;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A {@link Look} by an engine procedure. Unlike the workload's transactions it allocates: one runs each second. */
final class LookProcedure implements Procedure {
    private final Look look;
    private final Catalog catalog;
    private final TpccTables tables;

    LookProcedure(Look look, Catalog catalog) {
        this.look = look;
        this.catalog = catalog;
        this.tables = new TpccTables(catalog);
    }

    @Override
    public void declare(Transaction txn) {
        // The keys are found during execution.
    }

    @Override
    public void execute(Transaction txn) {
        look.run(new EngineRows(txn));
    }

    private final class EngineRows implements Look.Rows {
        private final Transaction txn;

        EngineRows(Transaction txn) {
            this.txn = txn;
        }

        @Override
        public Supplier<TpccRecord> read(dev.rcc.client.Table<Long, TpccRecord> table, long key) {
            Access access = txn.read(catalog.table(table.name()), key);
            return () -> record(access);
        }

        private TpccRecord record(Access access) {
            txn.fetch();
            if (!access.exists()) {
                return null;
            }
            byte[] bytes = new byte[access.table().schema().recordBytes()];
            access.getBytes(0, bytes, 0, bytes.length);
            return new TpccRecord(bytes.length).putBytes(0, bytes);
        }

        @Override
        public long oldestNewOrder(int warehouse, int district) {
            Scan oldest = txn.scan(
                    tables.newOrder,
                    TpccKeys.district(warehouse, district),
                    TpccKeys.district(warehouse, district + 1L),
                    1);
            return oldest.size() == 0 ? Look.NONE : oldest.key(0);
        }

        @Override
        public List<Long> orders(int warehouse, int district, int customer, int limit) {
            byte[] prefix = new byte[TpccIndexes.CUSTOMER_BYTES];
            TpccIndexes.putCustomer(prefix, warehouse, district, customer);
            Scan entries = txn.scanPrefix(tables.orderByCustomer, prefix, limit, Intent.READ);
            List<Long> keys = new ArrayList<>();
            for (int i = 0; i < entries.size(); i++) {
                keys.add(entries.access(i).getLong(0));
            }
            return keys;
        }
    }
}
