package dev.rcc.bench.workload.tpcc;

import static dev.rcc.bench.workload.tpcc.TpccClientTables.CUSTOMER;
import static dev.rcc.bench.workload.tpcc.TpccClientTables.CUSTOMER_BY_NAME;
import static dev.rcc.bench.workload.tpcc.TpccClientTables.DISTRICT;
import static dev.rcc.bench.workload.tpcc.TpccClientTables.HISTORY;
import static dev.rcc.bench.workload.tpcc.TpccClientTables.ITEM;
import static dev.rcc.bench.workload.tpcc.TpccClientTables.NEW_ORDER;
import static dev.rcc.bench.workload.tpcc.TpccClientTables.ORDER;
import static dev.rcc.bench.workload.tpcc.TpccClientTables.ORDER_BY_CUSTOMER;
import static dev.rcc.bench.workload.tpcc.TpccClientTables.ORDER_LINE;
import static dev.rcc.bench.workload.tpcc.TpccClientTables.STOCK;
import static dev.rcc.bench.workload.tpcc.TpccClientTables.WAREHOUSE;

import dev.rcc.bench.workload.Reads;
import dev.rcc.client.Codec;
import dev.rcc.client.Entry;
import dev.rcc.client.KeyRange;
import dev.rcc.client.RecordExistsException;
import dev.rcc.client.Table;
import dev.rcc.client.Transaction;
import dev.rcc.client.procedure.KeySet;
import dev.rcc.client.procedure.ProcedureException;
import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.core.store.KeyHash;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * The five transactions through the client library: interactively, or as stored procedures. Each has the effect of the {@link TpccProcedure}
 * of its kind.
 */
final class TpccCall {
    /** The procedure of the kinds that write. Returns NewOrder's total or Payment's C_BALANCE in cents, or the number of orders delivered. */
    static final ProcedureType<TpccInput, Long> WRITER = ProcedureType.of("tpcc", new TpccInputCodec(), Codec.ofLong());
    /** The procedure of the kinds that only read. Returns OrderStatus's C_BALANCE in cents, or StockLevel's number of items. */
    static final ProcedureType<TpccInput, Long> READER =
            ProcedureType.ofReader("tpcc-read", new TpccInputCodec(), Codec.ofLong());

    private static final byte BAD = 'B';

    private TpccCall() {}

    /** The procedure that is stored at the nodes. */
    record Stored(ProcedureType<TpccInput, Long> type) implements StoredProcedure<TpccInput, Long> {
        @Override
        public Long run(Transaction txn, TpccInput input) {
            return perform(txn, input);
        }

        @Override
        public void declare(KeySet keys, TpccInput input) {
            TpccCall.declare(keys, input);
        }
    }

    /** The type of the stored procedure that takes an input. */
    static ProcedureType<TpccInput, Long> type(TpccInput input) {
        return input.isReadOnly() ? READER : WRITER;
    }

    /** Runs the transaction. Returns the stored procedure's result. */
    static long perform(Transaction txn, TpccInput input) {
        return switch (input.kind) {
            case NEW_ORDER -> newOrder(txn, input);
            case PAYMENT -> payment(txn, input);
            case ORDER_STATUS -> orderStatus(txn, input);
            case DELIVERY -> delivery(txn, input);
            case STOCK_LEVEL -> stockLevel(txn, input);
        };
    }

    /** Declares the keys that are known before any read. */
    private static void declare(KeySet keys, TpccInput input) {
        switch (input.kind) {
            case NEW_ORDER -> {
                keys.read(WAREHOUSE, TpccKeys.warehouse(input.warehouse));
                keys.update(DISTRICT, TpccKeys.district(input.warehouse, input.district));
                keys.read(CUSTOMER, TpccKeys.customer(input.warehouse, input.district, input.customer));
                for (int i = 0; i < input.lines; i++) {
                    keys.read(ITEM, TpccKeys.item(input.items[i]));
                    keys.update(STOCK, TpccKeys.stock(input.suppliers[i], input.items[i]));
                }
            }
            case PAYMENT -> {
                keys.update(WAREHOUSE, TpccKeys.warehouse(input.warehouse));
                keys.update(DISTRICT, TpccKeys.district(input.warehouse, input.district));
                keys.insert(HISTORY, TpccKeys.history(input.warehouse, input.historyNumber));
                if (input.name == TpccInput.NO_NAME) {
                    keys.update(
                            CUSTOMER,
                            TpccKeys.customer(input.customerWarehouse, input.customerDistrict, input.customer));
                }
            }
            case ORDER_STATUS -> {
                if (input.name == TpccInput.NO_NAME) {
                    keys.read(CUSTOMER, TpccKeys.customer(input.warehouse, input.district, input.customer));
                }
            }
            case DELIVERY -> {}
            case STOCK_LEVEL -> keys.read(DISTRICT, TpccKeys.district(input.warehouse, input.district));
        }
    }

    // ---- NewOrder --------------------------------------------------------------------------------------------------

    private static long newOrder(Transaction txn, TpccInput input) {
        CompletableFuture<Optional<TpccRecord>> warehouse =
                txn.getAsync(WAREHOUSE, TpccKeys.warehouse(input.warehouse));
        CompletableFuture<Optional<TpccRecord>> customer =
                txn.getAsync(CUSTOMER, TpccKeys.customer(input.warehouse, input.district, input.customer));
        List<Optional<TpccRecord>> items = txn.getAll(
                ITEM, lines(input).mapToObj(i -> TpccKeys.item(input.items[i])).toList());
        long districtKey = TpccKeys.district(input.warehouse, input.district);
        TpccRecord district = toUpdate(txn, DISTRICT, districtKey);
        long number = district.getLong(DistrictLayout.NEXT_ORDER);
        txn.put(DISTRICT, districtKey, district.putLong(DistrictLayout.NEXT_ORDER, number + 1));
        long key = TpccKeys.order(input.warehouse, input.district, number);
        txn.put(ORDER, key, order(input));
        txn.put(NEW_ORDER, key, new TpccRecord(NewOrderLayout.BYTES));
        Map<Long, TpccRecord> stocks = toUpdate( // two lines may have the same item
                txn,
                STOCK,
                lines(input)
                        .filter(i -> items.get(i).isPresent())
                        .mapToObj(i -> stockKey(input, i))
                        .distinct()
                        .toList());
        long cents = 0;
        for (int i = 0; i < input.lines; i++) {
            TpccRecord item = items.get(i).orElseThrow(() -> new ProcedureException("Item number is not valid"));
            cents += line(txn, input, key, i, item.getLong(ItemLayout.PRICE), stocks.get(stockKey(input, i)));
        }
        return NewOrder.total(
                cents,
                Reads.await(customer).orElseThrow().getLong(CustomerLayout.DISCOUNT),
                Reads.await(warehouse).orElseThrow().getLong(WarehouseLayout.TAX)
                        + district.getLong(DistrictLayout.TAX));
    }

    private static IntStream lines(TpccInput input) {
        return IntStream.range(0, input.lines);
    }

    private static long stockKey(TpccInput input, int line) {
        return TpccKeys.stock(input.suppliers[line], input.items[line]);
    }

    private static TpccRecord order(TpccInput input) {
        return new TpccRecord(OrderLayout.BYTES)
                .putLong(OrderLayout.CUSTOMER, input.customer)
                .putLong(OrderLayout.ENTRY_DATE, input.dateMillis)
                .putLong(OrderLayout.CARRIER, OrderLayout.NO_CARRIER)
                .putLong(OrderLayout.LINE_COUNT, input.lines)
                .putLong(OrderLayout.ALL_LOCAL, input.isAllLocal() ? 1 : 0);
    }

    /** Takes a line's items from the stock. Returns their cost, in cents. */
    private static long line(
            Transaction txn, TpccInput input, long orderKey, int i, long priceCents, TpccRecord stock) {
        int quantity = input.quantities[i];
        stock.putLong(StockLayout.QUANTITY, StockLayout.left(stock.getLong(StockLayout.QUANTITY), quantity))
                .add(StockLayout.YTD, quantity)
                .add(StockLayout.ORDER_COUNT, 1)
                .add(StockLayout.REMOTE_COUNT, input.suppliers[i] == input.warehouse ? 0 : 1);
        txn.put(STOCK, stockKey(input, i), stock);
        TpccRecord line = new TpccRecord(OrderLineLayout.BYTES)
                .putLong(OrderLineLayout.ITEM, input.items[i])
                .putLong(OrderLineLayout.SUPPLIER, input.suppliers[i])
                .putLong(OrderLineLayout.DELIVERY_DATE, OrderLineLayout.NOT_DELIVERED)
                .putLong(OrderLineLayout.QUANTITY, quantity)
                .putLong(OrderLineLayout.AMOUNT, quantity * priceCents)
                .putBytes(
                        OrderLineLayout.DISTRICT_INFO,
                        stock.getBytes(StockLayout.district(input.district), StockLayout.DISTRICT_BYTES));
        txn.put(ORDER_LINE, TpccKeys.line(orderKey, i + 1L), line);
        return quantity * priceCents;
    }

    // ---- Payment ---------------------------------------------------------------------------------------------------

    private static long payment(Transaction txn, TpccInput input) {
        long cents = input.amountCents;
        long warehouseKey = TpccKeys.warehouse(input.warehouse);
        long districtKey = TpccKeys.district(input.warehouse, input.district);
        long customerKey = customerKey(txn, input, input.customerWarehouse, input.customerDistrict);
        TpccRecord warehouse = toUpdate(txn, WAREHOUSE, warehouseKey);
        TpccRecord district = toUpdate(txn, DISTRICT, districtKey);
        TpccRecord customer = toUpdate(txn, CUSTOMER, customerKey);
        txn.put(WAREHOUSE, warehouseKey, warehouse.add(WarehouseLayout.YTD, cents));
        txn.put(DISTRICT, districtKey, district.add(DistrictLayout.YTD, cents));
        customer.add(CustomerLayout.BALANCE, -cents)
                .add(CustomerLayout.YTD_PAYMENT, cents)
                .add(CustomerLayout.PAYMENT_COUNT, 1);
        if (customer.getBytes(CustomerLayout.CREDIT, 1)[0] == BAD) {
            byte[] data = customer.getBytes(CustomerLayout.DATA, CustomerLayout.DATA_BYTES);
            PaymentTexts.prepend(data, customerKey, districtKey, cents);
            customer.putBytes(CustomerLayout.DATA, data);
        }
        txn.put(CUSTOMER, customerKey, customer);
        byte[] data = new byte[HistoryLayout.DATA_BYTES];
        PaymentTexts.join(
                warehouse.getBytes(WarehouseLayout.NAME, WarehouseLayout.NAME_BYTES),
                district.getBytes(DistrictLayout.NAME, DistrictLayout.NAME_BYTES),
                data);
        insertHistory(
                txn,
                input,
                new TpccRecord(HistoryLayout.BYTES)
                        .putLong(HistoryLayout.CUSTOMER, customerKey)
                        .putLong(HistoryLayout.DISTRICT, districtKey)
                        .putLong(HistoryLayout.DATE, input.dateMillis)
                        .putLong(HistoryLayout.AMOUNT, cents)
                        .putBytes(HistoryLayout.DATA, data));
        return customer.getLong(CustomerLayout.BALANCE);
    }

    /** Inserts the row of HISTORY. Another row may have its number by chance; the number has no meaning. */
    private static void insertHistory(Transaction txn, TpccInput input, TpccRecord record) {
        long number = input.historyNumber;
        while (true) {
            try {
                txn.insert(HISTORY, TpccKeys.history(input.warehouse, number), record);
                return;
            } catch (RecordExistsException e) {
                number = KeyHash.mix(number);
            }
        }
    }

    // ---- OrderStatus -----------------------------------------------------------------------------------------------

    private static long orderStatus(Transaction txn, TpccInput input) {
        long customerKey = customerKey(txn, input, input.warehouse, input.district);
        TpccRecord customer = txn.require(CUSTOMER, customerKey);
        byte[] prefix = new byte[TpccIndexes.CUSTOMER_BYTES];
        TpccIndexes.putCustomer(prefix, input.warehouse, input.district, TpccKeys.customerOf(customerKey));
        List<Entry<byte[], TpccRecord>> newest =
                txn.scan(ORDER_BY_CUSTOMER, KeyRange.prefix(prefix).descending(), 1);
        long key = newest.getFirst().value().getLong(0);
        txn.getAll(ORDER_LINE, lineKeys(key, txn.require(ORDER, key)));
        return customer.getLong(CustomerLayout.BALANCE);
    }

    private static List<Long> lineKeys(Map<Long, TpccRecord> orders) {
        return orders.entrySet().stream()
                .flatMap(order -> lineKeys(order.getKey(), order.getValue()).stream())
                .toList();
    }

    private static List<Long> lineKeys(long orderKey, TpccRecord order) {
        return LongStream.rangeClosed(1, order.getLong(OrderLayout.LINE_COUNT))
                .mapToObj(line -> TpccKeys.line(orderKey, line))
                .toList();
    }

    // ---- Delivery --------------------------------------------------------------------------------------------------

    private static long delivery(Transaction txn, TpccInput input) {
        List<Long> keys = new ArrayList<>();
        for (int district = input.firstDistrict; district <= input.lastDistrict; district++) {
            List<Entry<Long, TpccRecord>> oldest = txn.scanForUpdate(
                    NEW_ORDER,
                    KeyRange.from(TpccKeys.district(input.warehouse, district))
                            .before(TpccKeys.district(input.warehouse, district + 1L)),
                    1);
            if (!oldest.isEmpty()) {
                txn.delete(NEW_ORDER, oldest.getFirst().key());
                keys.add(oldest.getFirst().key());
            }
        }
        deliver(txn, input, toUpdate(txn, ORDER, keys));
        return keys.size();
    }

    /** Delivers the oldest orders of several districts, by their keys. */
    private static void deliver(Transaction txn, TpccInput input, Map<Long, TpccRecord> orders) {
        Map<Long, TpccRecord> lines = toUpdate(txn, ORDER_LINE, lineKeys(orders));
        Map<Long, TpccRecord> customers = toUpdate(
                txn,
                CUSTOMER,
                orders.entrySet().stream()
                        .map(order -> customerKey(input, order.getKey(), order.getValue()))
                        .toList());
        orders.forEach((key, order) -> {
            long cents = 0;
            for (long lineKey : lineKeys(key, order)) {
                TpccRecord line = lines.get(lineKey);
                cents += line.getLong(OrderLineLayout.AMOUNT);
                txn.put(ORDER_LINE, lineKey, line.putLong(OrderLineLayout.DELIVERY_DATE, input.dateMillis));
            }
            txn.put(ORDER, key, order.putLong(OrderLayout.CARRIER, input.carrier));
            long customerKey = customerKey(input, key, order);
            TpccRecord customer = customers.get(customerKey);
            txn.put(
                    CUSTOMER,
                    customerKey,
                    customer.add(CustomerLayout.BALANCE, cents).add(CustomerLayout.DELIVERY_COUNT, 1));
        });
    }

    /** The key of an order's customer. Orders of different districts have different customers. */
    private static long customerKey(TpccInput input, long orderKey, TpccRecord order) {
        return TpccKeys.customer(input.warehouse, TpccKeys.districtOf(orderKey), order.getLong(OrderLayout.CUSTOMER));
    }

    // ---- StockLevel ------------------------------------------------------------------------------------------------

    private static long stockLevel(Transaction txn, TpccInput input) {
        long next = txn.require(DISTRICT, TpccKeys.district(input.warehouse, input.district))
                .getLong(DistrictLayout.NEXT_ORDER);
        List<Long> keys = LongStream.range(Math.max(1, next - StockLevel.ORDERS), next)
                .mapToObj(order -> TpccKeys.order(input.warehouse, input.district, order))
                .toList();
        Map<Long, TpccRecord> orders = byKey(keys, txn.getAll(ORDER, keys));
        List<Long> stockKeys = txn.getAll(ORDER_LINE, lineKeys(orders)).stream()
                .map(line -> line.orElseThrow().getLong(OrderLineLayout.ITEM))
                .distinct()
                .map(item -> TpccKeys.stock(input.warehouse, item))
                .toList();
        return txn.getAll(STOCK, stockKeys).stream()
                .filter(stock -> stock.orElseThrow().getLong(StockLayout.QUANTITY) < input.threshold)
                .count();
    }

    // ---- all -------------------------------------------------------------------------------------------------------

    private static long customerKey(Transaction txn, TpccInput input, int warehouse, int district) {
        if (input.name == TpccInput.NO_NAME) {
            return TpccKeys.customer(warehouse, district, input.customer);
        }
        byte[] prefix = new byte[TpccIndexes.NAME_BYTES];
        TpccIndexes.putName(prefix, warehouse, district, input.name);
        List<Entry<byte[], TpccRecord>> namesakes =
                txn.scan(CUSTOMER_BY_NAME, KeyRange.prefix(prefix), TpccScale.MAX_CUSTOMERS);
        return namesakes.get(TpccIndexes.middleOf(namesakes.size())).value().getLong(0);
    }

    private static TpccRecord toUpdate(Transaction txn, Table<Long, TpccRecord> table, long key) {
        return txn.getForUpdate(table, key).orElseThrow();
    }

    /** Reads existing records for update, by their keys, which are all different. */
    private static Map<Long, TpccRecord> toUpdate(Transaction txn, Table<Long, TpccRecord> table, List<Long> keys) {
        return byKey(keys, txn.getAllForUpdate(table, keys));
    }

    private static Map<Long, TpccRecord> byKey(List<Long> keys, List<Optional<TpccRecord>> found) {
        Map<Long, TpccRecord> records = new LinkedHashMap<>();
        for (int i = 0; i < keys.size(); i++) {
            records.put(keys.get(i), found.get(i).orElseThrow());
        }
        return records;
    }
}
