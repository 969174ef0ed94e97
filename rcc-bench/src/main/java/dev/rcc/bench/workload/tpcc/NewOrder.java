package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;

/**
 * NewOrder (2.4): a customer orders 5 to 15 items, each from the stock of some warehouse. The rows known at first are fetched at once. The
 * order's number, and so the keys of its rows, are found in its district. With an item that does not exist, it gives up after all other work
 * (2.4.1.4).
 */
final class NewOrder extends TpccProcedure {
    /** The unit of taxes and discounts: ten-thousandths. */
    private static final long RATE_UNIT = 10_000;

    private final Access[] items = new Access[TpccScale.MAX_LINES];
    private final Access[] stocks = new Access[TpccScale.MAX_LINES];
    private final Access[] lines = new Access[TpccScale.MAX_LINES];
    private final byte[] itemData = new byte[ItemLayout.DATA_BYTES];
    private final byte[] stockData = new byte[ItemLayout.DATA_BYTES];
    private final byte[] districtInfo = new byte[StockLayout.DISTRICT_BYTES];
    private Access warehouse;
    private Access district;
    private Access customer;
    private long totalCents;
    private int brandItems;

    NewOrder(TpccTables tables) {
        super(tables);
    }

    /** The customer's total, in cents. */
    long totalCents() {
        return totalCents;
    }

    /** Lines whose item and stock are both original brands. */
    int brandItems() {
        return brandItems;
    }

    @Override
    public void declare(Transaction txn) {
        warehouse = txn.read(tables.warehouse, TpccKeys.warehouse(input.warehouse));
        district = txn.update(tables.district, TpccKeys.district(input.warehouse, input.district));
        customer = txn.read(tables.customer, TpccKeys.customer(input.warehouse, input.district, input.customer));
        for (int i = 0; i < input.lines; i++) {
            items[i] = txn.read(tables.item, TpccKeys.item(input.items[i]));
        }
        for (int i = 0; i < input.lines; i++) {
            stocks[i] = txn.update(tables.stock, TpccKeys.stock(input.suppliers[i], input.items[i]));
        }
    }

    @Override
    public void execute(Transaction txn) {
        long number = district.getLong(DistrictLayout.NEXT_ORDER);
        district.putLong(DistrictLayout.NEXT_ORDER, number + 1);
        long key = TpccKeys.order(input.warehouse, input.district, number);
        Access order = txn.insert(tables.order, key);
        txn.insert(tables.newOrder, key);
        for (int i = 0; i < input.lines; i++) {
            lines[i] = txn.insert(tables.orderLine, TpccKeys.line(key, i + 1));
        }
        txn.fetch();
        order.putLong(OrderLayout.CUSTOMER, input.customer);
        order.putLong(OrderLayout.ENTRY_DATE, nowMillis(txn));
        order.putLong(OrderLayout.CARRIER, OrderLayout.NO_CARRIER);
        order.putLong(OrderLayout.LINE_COUNT, input.lines);
        order.putLong(OrderLayout.ALL_LOCAL, input.isAllLocal() ? 1 : 0);
        long sumCents = 0;
        brandItems = 0;
        for (int i = 0; i < input.lines; i++) {
            if (!items[i].exists()) {
                txn.abort();
                return;
            }
            sumCents += line(i);
        }
        totalCents = total(
                sumCents,
                customer.getLong(CustomerLayout.DISCOUNT),
                warehouse.getLong(WarehouseLayout.TAX) + district.getLong(DistrictLayout.TAX));
    }

    /** The total, in cents, with a discount and taxes in ten-thousandths. */
    static long total(long cents, long discount, long taxes) {
        return cents * (RATE_UNIT - discount) / RATE_UNIT * (RATE_UNIT + taxes) / RATE_UNIT;
    }

    /** Takes a line's items from the stock. Returns their cost, in cents. */
    private long line(int i) {
        Access stock = stocks[i];
        int quantity = input.quantities[i];
        stock.putLong(StockLayout.QUANTITY, StockLayout.left(stock.getLong(StockLayout.QUANTITY), quantity));
        stock.putLong(StockLayout.YTD, stock.getLong(StockLayout.YTD) + quantity);
        stock.putLong(StockLayout.ORDER_COUNT, stock.getLong(StockLayout.ORDER_COUNT) + 1);
        if (input.suppliers[i] != input.warehouse) {
            stock.putLong(StockLayout.REMOTE_COUNT, stock.getLong(StockLayout.REMOTE_COUNT) + 1);
        }
        items[i].getBytes(ItemLayout.DATA, itemData, 0, itemData.length);
        stock.getBytes(StockLayout.DATA, stockData, 0, stockData.length);
        brandItems += RowRandom.isOriginal(itemData) && RowRandom.isOriginal(stockData) ? 1 : 0;
        stock.getBytes(StockLayout.district(input.district), districtInfo, 0, districtInfo.length);
        long amount = quantity * items[i].getLong(ItemLayout.PRICE);
        Access line = lines[i];
        line.putLong(OrderLineLayout.ITEM, input.items[i]);
        line.putLong(OrderLineLayout.SUPPLIER, input.suppliers[i]);
        line.putLong(OrderLineLayout.DELIVERY_DATE, OrderLineLayout.NOT_DELIVERED);
        line.putLong(OrderLineLayout.QUANTITY, quantity);
        line.putLong(OrderLineLayout.AMOUNT, amount);
        line.putBytes(OrderLineLayout.DISTRICT_INFO, districtInfo, 0, districtInfo.length);
        return amount;
    }
}
