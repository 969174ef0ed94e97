package dev.rcc.bench.workload.smallbank;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;

/**
 * Pays into a savings account or, with a negative amount, withdraws from it; gives up when that would take the account
 * below the credit line.
 */
final class TransactSavings extends SmallBankProcedure {
    static final String NAME = "smallbank.transact-savings";

    private final long lowestBalance;
    private Access balance;

    TransactSavings(Table checking, Table savings, long lowestBalance) {
        super(checking, savings);
        this.lowestBalance = lowestBalance;
    }

    TransactSavings with(long newAccount, long newCents) {
        customer = newAccount;
        cents = newCents;
        return this;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void declare(Transaction txn) {
        balance = txn.update(savings, customer);
    }

    @Override
    public void execute(Transaction txn) {
        long after = balance.getLong(BALANCE_OFFSET) + cents;
        if (cents < 0 && after < lowestBalance) {
            txn.abort();
            return;
        }
        balance.putLong(BALANCE_OFFSET, after);
    }

    @Override
    long netCents() {
        return cents;
    }
}
