package dev.rcc.bench.workload.smallbank;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;

/** Reads how much money a customer has in both accounts. */
final class Balance extends SmallBankProcedure {
    static final String NAME = "smallbank.balance";

    private Access savingsBalance;
    private Access checkingBalance;
    private long found;

    Balance(Table checking, Table savings) {
        super(checking, savings);
    }

    Balance with(long newAccount) {
        customer = newAccount;
        return this;
    }

    /** The sum that the last attempt read. */
    long cents() {
        return found;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void declare(Transaction txn) {
        savingsBalance = txn.read(savings, customer);
        checkingBalance = txn.read(checking, customer);
    }

    @Override
    public void execute(Transaction txn) {
        found = savingsBalance.getLong(BALANCE_OFFSET) + checkingBalance.getLong(BALANCE_OFFSET);
    }
}
