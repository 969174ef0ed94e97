package dev.rcc.bench.workload.smallbank;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;

/** Pays from one checking account to another; gives up when that would take the payer below the credit line. */
final class SendPayment extends SmallBankProcedure {
    static final String NAME = "smallbank.send-payment";

    private final long lowestBalance;
    private Access balanceFrom;
    private Access balanceTo;

    SendPayment(Table checking, Table savings, long lowestBalance) {
        super(checking, savings);
        this.lowestBalance = lowestBalance;
    }

    SendPayment with(long newFrom, long newTo, long newCents) {
        customer = newFrom;
        other = newTo;
        cents = newCents;
        return this;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void declare(Transaction txn) {
        balanceFrom = txn.update(checking, customer);
        balanceTo = txn.update(checking, other);
    }

    @Override
    public void execute(Transaction txn) {
        long left = balanceFrom.getLong(BALANCE_OFFSET) - cents;
        if (left < lowestBalance) {
            txn.abort();
            return;
        }
        balanceFrom.putLong(BALANCE_OFFSET, left);
        balanceTo.putLong(BALANCE_OFFSET, balanceTo.getLong(BALANCE_OFFSET) + cents);
    }
}
