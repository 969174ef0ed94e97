package dev.rcc.bench.workload.smallbank;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;

/**
 * Cashes a check from a customer's checking account, whatever the balance. When both accounts together do not cover the check, there is a
 * fee of one dollar.
 */
final class WriteCheck extends SmallBankProcedure {
    static final String NAME = "smallbank.write-check";

    static final long FEE_CENTS = 100;

    private Access savingsBalance;
    private Access checkingBalance;
    private long takenCents;

    WriteCheck(Table checking, Table savings) {
        super(checking, savings);
    }

    WriteCheck with(long newAccount, long newCents) {
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
        savingsBalance = txn.read(savings, customer);
        checkingBalance = txn.update(checking, customer);
    }

    @Override
    public void execute(Transaction txn) {
        long before = checkingBalance.getLong(BALANCE_OFFSET);
        boolean isCovered = savingsBalance.getLong(BALANCE_OFFSET) + before >= cents;
        takenCents = isCovered ? cents : cents + FEE_CENTS;
        checkingBalance.putLong(BALANCE_OFFSET, before - takenCents);
    }

    @Override
    long netCents() {
        return -takenCents;
    }
}
