package dev.rcc.bench.workload.tpcc;

import dev.rcc.bench.workload.Reads;
import dev.rcc.client.Entry;
import dev.rcc.client.KeyRange;
import dev.rcc.client.Table;
import dev.rcc.client.Transaction;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** The reads of a client library transaction for a {@link Look}. */
record ClientRows(Transaction txn) implements Look.Rows {
    @Override
    public Supplier<TpccRecord> read(Table<Long, TpccRecord> table, long key) {
        CompletableFuture<Optional<TpccRecord>> answer = txn.getAsync(table, key);
        return () -> Reads.await(answer).orElse(null);
    }

    @Override
    public long oldestNewOrder(int warehouse, int district) {
        List<Entry<Long, TpccRecord>> oldest = txn.scan(
                TpccClientTables.NEW_ORDER,
                KeyRange.from(TpccKeys.district(warehouse, district))
                        .before(TpccKeys.district(warehouse, district + 1L)),
                1);
        return oldest.isEmpty() ? Look.NONE : oldest.getFirst().key();
    }

    @Override
    public List<Long> orders(int warehouse, int district, int customer, int limit) {
        byte[] prefix = new byte[TpccIndexes.CUSTOMER_BYTES];
        TpccIndexes.putCustomer(prefix, warehouse, district, customer);
        return txn.scan(TpccClientTables.ORDER_BY_CUSTOMER, KeyRange.prefix(prefix), limit).stream()
                .map(entry -> entry.value().getLong(0))
                .toList();
    }
}
