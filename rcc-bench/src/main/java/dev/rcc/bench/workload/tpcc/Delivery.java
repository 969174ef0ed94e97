package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;

/**
 * Delivery (2.7): delivers the oldest new order of each district of a warehouse, and charges its customer. Skips a district that has no
 * new order.
 */
final class Delivery extends TpccProcedure {
    static final int CARRIERS = 10;

    /** The keys of the oldest new orders, one for each district that has a new order. */
    private final long[] keys = new long[TpccScale.MAX_DISTRICTS];

    private final Access[] orders = new Access[TpccScale.MAX_DISTRICTS];
    private final Access[] customers = new Access[TpccScale.MAX_DISTRICTS];
    private final Access[][] lines = new Access[TpccScale.MAX_DISTRICTS][TpccScale.MAX_LINES];
    private int delivered;

    Delivery(TpccTables tables) {
        super(tables);
    }

    /** The number of orders that the last attempt delivered. */
    int delivered() {
        return delivered;
    }

    @Override
    public void declare(Transaction txn) {
        delivered = 0;
    }

    @Override
    public void execute(Transaction txn) {
        for (int district = input.firstDistrict; district <= input.lastDistrict; district++) {
            takeOldest(txn, district);
        }
        for (int i = 0; i < delivered; i++) {
            orders[i] = txn.update(tables.order, keys[i]);
        }
        txn.fetch();
        for (int i = 0; i < delivered; i++) {
            declareRows(txn, i);
        }
        txn.fetch();
        for (int i = 0; i < delivered; i++) {
            deliver(i, nowMillis(txn));
        }
    }

    private void takeOldest(Transaction txn, int district) {
        Scan oldest = txn.scan(
                tables.newOrder,
                TpccKeys.district(input.warehouse, district),
                TpccKeys.district(input.warehouse, district + 1L),
                1,
                Intent.DELETE);
        if (oldest.size() > 0) {
            keys[delivered++] = oldest.key(0);
        }
    }

    private void declareRows(Transaction txn, int i) {
        long customer = orders[i].getLong(OrderLayout.CUSTOMER);
        customers[i] =
                txn.update(tables.customer, TpccKeys.customer(input.warehouse, TpccKeys.districtOf(keys[i]), customer));
        int count = (int) orders[i].getLong(OrderLayout.LINE_COUNT);
        for (int line = 0; line < count; line++) {
            lines[i][line] = txn.update(tables.orderLine, TpccKeys.line(keys[i], line + 1L));
        }
    }

    private void deliver(int i, long nowMillis) {
        orders[i].putLong(OrderLayout.CARRIER, input.carrier);
        int count = (int) orders[i].getLong(OrderLayout.LINE_COUNT);
        long cents = 0;
        for (int line = 0; line < count; line++) {
            lines[i][line].putLong(OrderLineLayout.DELIVERY_DATE, nowMillis);
            cents += lines[i][line].getLong(OrderLineLayout.AMOUNT);
        }
        Access customer = customers[i];
        customer.putLong(CustomerLayout.BALANCE, customer.getLong(CustomerLayout.BALANCE) + cents);
        customer.putLong(CustomerLayout.DELIVERY_COUNT, customer.getLong(CustomerLayout.DELIVERY_COUNT) + 1);
    }
}
