package dev.rcc.bench.workload.tpcc;

import dev.rcc.client.KeyType;
import dev.rcc.client.Table;

/** The tables as clients of the client library use them. */
final class TpccClientTables {
    static final Table<Long, TpccRecord> WAREHOUSE = table(TpccTables.WAREHOUSE, WarehouseLayout.BYTES);
    static final Table<Long, TpccRecord> DISTRICT = table(TpccTables.DISTRICT, DistrictLayout.BYTES);
    static final Table<Long, TpccRecord> CUSTOMER = table(TpccTables.CUSTOMER, CustomerLayout.BYTES);
    static final Table<Long, TpccRecord> HISTORY = table(TpccTables.HISTORY, HistoryLayout.BYTES);
    static final Table<Long, TpccRecord> NEW_ORDER = table(TpccTables.NEW_ORDER, NewOrderLayout.BYTES);
    static final Table<Long, TpccRecord> ORDER = table(TpccTables.ORDER, OrderLayout.BYTES);
    static final Table<Long, TpccRecord> ORDER_LINE = table(TpccTables.ORDER_LINE, OrderLineLayout.BYTES);
    static final Table<Long, TpccRecord> ITEM = table(TpccTables.ITEM, ItemLayout.BYTES);
    static final Table<Long, TpccRecord> STOCK = table(TpccTables.STOCK, StockLayout.BYTES);
    static final Table<byte[], TpccRecord> CUSTOMER_BY_NAME = index(TpccIndexes.CUSTOMER_BY_NAME);
    static final Table<byte[], TpccRecord> ORDER_BY_CUSTOMER = index(TpccIndexes.ORDER_BY_CUSTOMER);

    private TpccClientTables() {}

    private static Table<Long, TpccRecord> table(String name, int recordBytes) {
        return new Table<>(name, KeyType.LONG, TpccRecord.codec(recordBytes));
    }

    /** An index; an entry's record is the key of the indexed record. */
    private static Table<byte[], TpccRecord> index(String name) {
        return new Table<>(name, KeyType.BYTES, TpccRecord.codec(Long.BYTES));
    }
}
