package dev.rcc.bench.workload.smallbank;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;

/** Pays from one checking account to another; gives up when that would take the payer below the credit line. */
final class SendPayment extends SmallBankProcedure {
    private final long lowestBalance;
    private long from;
    private long to;
    private long cents;
    private Access balanceFrom;
    private Access balanceTo;

    SendPayment(Table checking, Table savings, long lowestBalance) {
        super(checking, savings);
        this.lowestBalance = lowestBalance;
    }

    SendPayment with(long newFrom, long newTo, long newCents) {
        from = newFrom;
        to = newTo;
        cents = newCents;
        return this;
    }

    @Override
    public void declare(Transaction txn) {
        balanceFrom = txn.update(checking, from);
        balanceTo = txn.update(checking, to);
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
