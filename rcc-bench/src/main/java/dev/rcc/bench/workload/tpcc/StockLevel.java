package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;
import java.util.Arrays;

/** StockLevel (2.8): how many of the items of a district's last 20 orders are almost out of stock. Only reads. */
final class StockLevel extends TpccProcedure {
    static final int ORDERS = 20;

    private final Access[] orders = new Access[ORDERS];
    private final Access[] lines = new Access[ORDERS * TpccScale.MAX_LINES];
    private final Access[] stocks = new Access[ORDERS * TpccScale.MAX_LINES];
    /** By the number of an access, whether its item has been counted: an item that was ordered twice has one access. */
    private boolean[] isCounted = {};

    private Access district;
    private int low;

    StockLevel(TpccTables tables) {
        super(tables);
    }

    /** The number of items that the last attempt found below the threshold. */
    int low() {
        return low;
    }

    @Override
    public void declare(Transaction txn) {
        district = txn.read(tables.district, TpccKeys.district(input.warehouse, input.district));
    }

    @Override
    public void execute(Transaction txn) {
        long next = district.getLong(DistrictLayout.NEXT_ORDER);
        long first = Math.max(1, next - ORDERS);
        int orderCount = (int) (next - first);
        for (int i = 0; i < orderCount; i++) {
            orders[i] = txn.read(tables.order, TpccKeys.order(input.warehouse, input.district, first + i));
        }
        txn.fetch();
        int lineCount = 0;
        for (int i = 0; i < orderCount; i++) {
            long key = TpccKeys.order(input.warehouse, input.district, first + i);
            int count = (int) orders[i].getLong(OrderLayout.LINE_COUNT);
            for (int line = 0; line < count; line++) {
                lines[lineCount++] = txn.read(tables.orderLine, TpccKeys.line(key, line + 1L));
            }
        }
        txn.fetch();
        for (int i = 0; i < lineCount; i++) {
            long item = lines[i].getLong(OrderLineLayout.ITEM);
            stocks[i] = txn.read(tables.stock, TpccKeys.stock(input.warehouse, item));
        }
        txn.fetch();
        count(txn.size(), lineCount);
    }

    private void count(int accesses, int lineCount) {
        if (isCounted.length < accesses) {
            isCounted = new boolean[2 * accesses];
        }
        Arrays.fill(isCounted, 0, accesses, false);
        low = 0;
        for (int i = 0; i < lineCount; i++) {
            Access stock = stocks[i];
            if (!isCounted[stock.index()]) {
                isCounted[stock.index()] = true;
                low += stock.getLong(StockLayout.QUANTITY) < input.threshold ? 1 : 0;
            }
        }
    }
}
