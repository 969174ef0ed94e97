package dev.rcc.bench.workload.smallbank;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;

/** Reads how much money a customer has in both accounts. */
final class Balance extends SmallBankProcedure {
    private long account;
    private Access savingsBalance;
    private Access checkingBalance;
    private long cents;

    Balance(Table checking, Table savings) {
        super(checking, savings);
    }

    Balance with(long newAccount) {
        account = newAccount;
        return this;
    }

    /** What the last attempt found. */
    long cents() {
        return cents;
    }

    @Override
    public void declare(Transaction txn) {
        savingsBalance = txn.read(savings, account);
        checkingBalance = txn.read(checking, account);
    }

    @Override
    public void execute(Transaction txn) {
        cents = savingsBalance.getLong(BALANCE_OFFSET) + checkingBalance.getLong(BALANCE_OFFSET);
    }
}
