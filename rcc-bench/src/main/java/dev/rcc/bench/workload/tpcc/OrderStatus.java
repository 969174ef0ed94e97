package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;

/** OrderStatus (2.6): what a customer's newest order has come to. Only reads. */
final class OrderStatus extends TpccProcedure {
    private final CustomersByName customersByName;
    private final OrdersByCustomer ordersByCustomer;
    private final Access[] lines = new Access[TpccScale.MAX_LINES];
    private Access customer;
    private long balanceCents;
    private long amountCents;
    private int deliveredLines;

    OrderStatus(TpccTables tables) {
        super(tables);
        this.customersByName = new CustomersByName(tables.customersByName);
        this.ordersByCustomer = new OrdersByCustomer(tables.ordersByCustomer);
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
            customer = readCustomer(txn, input.customer);
        }
    }

    private Access readCustomer(Transaction txn, int number) {
        return txn.read(tables.customer, TpccKeys.customer(input.warehouse, input.district, number));
    }

    @Override
    public void execute(Transaction txn) {
        if (input.name != TpccInput.NO_NAME) {
            customer = readCustomer(txn, customersByName.middle(txn, input.warehouse, input.district, input.name));
        }
        // Fetches the customer, too.
        int number =
                ordersByCustomer.newest(txn, input.warehouse, input.district, TpccKeys.customerOf(customer.longKey()));
        long key = TpccKeys.order(input.warehouse, input.district, number);
        Access order = txn.read(tables.order, key);
        txn.fetch();
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
}
