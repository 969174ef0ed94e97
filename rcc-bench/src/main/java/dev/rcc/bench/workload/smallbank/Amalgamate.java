package dev.rcc.bench.workload.smallbank;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;

/**
 * Moves all the money of one customer, savings and checking, to the checking account of another. This is the original
 * definition; H-Store's program mixes the two customers up and does not conserve money.
 */
final class Amalgamate extends SmallBankProcedure {
    static final String NAME = "smallbank.amalgamate";

    private Access savingsFrom;
    private Access checkingFrom;
    private Access checkingTo;

    Amalgamate(Table checking, Table savings) {
        super(checking, savings);
    }

    Amalgamate with(long newFrom, long newTo) {
        customer = newFrom;
        other = newTo;
        return this;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void declare(Transaction txn) {
        savingsFrom = txn.update(savings, customer);
        checkingFrom = txn.update(checking, customer);
        checkingTo = txn.update(checking, other);
    }

    @Override
    public void execute(Transaction txn) {
        long all = savingsFrom.getLong(BALANCE_OFFSET) + checkingFrom.getLong(BALANCE_OFFSET);
        savingsFrom.putLong(BALANCE_OFFSET, 0);
        checkingFrom.putLong(BALANCE_OFFSET, 0);
        checkingTo.putLong(BALANCE_OFFSET, checkingTo.getLong(BALANCE_OFFSET) + all);
    }
}
