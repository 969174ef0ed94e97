package dev.rcc.bench.workload.smallbank;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;

/** Pays into a checking account. */
final class DepositChecking extends SmallBankProcedure {
    static final String NAME = "smallbank.deposit-checking";

    private Access balance;

    DepositChecking(Table checking, Table savings) {
        super(checking, savings);
    }

    DepositChecking with(long newAccount, long newCents) {
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
        balance = txn.update(checking, customer);
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
