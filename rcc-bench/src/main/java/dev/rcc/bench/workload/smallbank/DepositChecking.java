package dev.rcc.bench.workload.smallbank;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;

/** Pays into a checking account. */
final class DepositChecking extends SmallBankProcedure {
    private long account;
    private long cents;
    private Access balance;

    DepositChecking(Table checking, Table savings) {
        super(checking, savings);
    }

    DepositChecking with(long newAccount, long newCents) {
        account = newAccount;
        cents = newCents;
        return this;
    }

    @Override
    public void declare(Transaction txn) {
        balance = txn.update(checking, account);
    }

    @Override
    public void execute(Transaction txn) {
        balance.putLong(BALANCE_OFFSET, balance.getLong(BALANCE_OFFSET) + cents);
    }

    @Override
    long netCents() {
        return cents;
    }
}
