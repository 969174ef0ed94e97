package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Scan;
import dev.rcc.core.txn.Transaction;

/** OrderStatus (2.6): the state of a customer's newest order. Only reads. */
final class OrderStatus extends TpccProcedure {
    private final byte[] name = new byte[TpccIndexes.NAME_BYTES];
    private final byte[] orders = new byte[TpccIndexes.CUSTOMER_BYTES];
    private final Access[] lines = new Access[TpccScale.MAX_LINES];
    private Access customer;
    private long balanceCents;
    private long amountCents;
    private int deliveredLines;

    OrderStatus(TpccTables tables) {
        super(tables);
    }

    /** C_BALANCE. */
    long balanceCents() {
        return balanceCents;
    }

    /** The sum of the lines' amounts. */
    long amountCents() {
        return amountCents;
    }

    /** Lines that have been delivered. */
    int deliveredLines() {
        return deliveredLines;
    }

    @Override
    public void declare(Transaction txn) {
        if (input.name == TpccInput.NO_NAME) {
            customer = txn.read(tables.customer, TpccKeys.customer(input.warehouse, input.district, input.customer));
        }
    }

    @Override
    public void execute(Transaction txn) {
        if (input.name != TpccInput.NO_NAME) {
            TpccIndexes.putName(name, input.warehouse, input.district, input.name);
            customer = txn.read(tables.customer, TpccIndexes.middle(txn, tables.customerByName, name));
        }
        Access order = newestOrder(txn, TpccKeys.customerOf(customer.longKey())); // fetches the customer, too
        long key = order.longKey();
        int count = (int) order.getLong(OrderLayout.LINE_COUNT);
        for (int i = 0; i < count; i++) {
            lines[i] = txn.read(tables.orderLine, TpccKeys.line(key, i + 1));
        }
        txn.fetch();
        balanceCents = customer.getLong(CustomerLayout.BALANCE);
        amountCents = 0;
        deliveredLines = 0;
        for (int i = 0; i < count; i++) {
            amountCents += lines[i].getLong(OrderLineLayout.AMOUNT);
            deliveredLines += lines[i].getLong(OrderLineLayout.DELIVERY_DATE) != OrderLineLayout.NOT_DELIVERED ? 1 : 0;
        }
    }

    private Access newestOrder(Transaction txn, int number) {
        TpccIndexes.putCustomer(orders, input.warehouse, input.district, number);
        Scan newest = txn.findPrefixDown(tables.orderByCustomer, orders, 1, Intent.READ);
        if (newest.size() == 0) {
            throw new IllegalStateException("customer " + input.warehouse + "/" + input.district + "/" + number
                    + " has no order, but each has one at the start");
        }
        return newest.access(0);
    }
}
