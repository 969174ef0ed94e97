package dev.rcc.bench.workload.smallbank;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Fragment;

/**
 * A transaction of SmallBank. One object serves all transactions of its kind on a coroutine: set its arguments, run it,
 * set new ones. Any node can run it. All amounts are in cents.
 */
abstract class SmallBankProcedure implements Fragment {
    /** The offset of the balance in a record of either table. */
    static final int BALANCE_OFFSET = 0;

    private static final int ARGUMENT_BYTES = 3 * Long.BYTES;

    final Table checking;
    final Table savings;

    /** The customer whose accounts the transaction accesses. */
    long customer;
    /** The other customer, for a transaction that has two. */
    long other;
    /** The amount, for a transaction that has one. */
    long cents;

    SmallBankProcedure(Table checking, Table savings) {
        this.checking = checking;
        this.savings = savings;
    }

    @Override
    public final int argumentBytes() {
        return ARGUMENT_BYTES;
    }

    @Override
    public final void putArguments(Memory target, long offset) {
        target.putLong(offset, customer);
        target.putLong(offset + Long.BYTES, other);
        target.putLong(offset + 2 * Long.BYTES, cents);
    }

    @Override
    public final void takeArguments(Memory source, long offset) {
        customer = source.getLong(offset);
        other = source.getLong(offset + Long.BYTES);
        cents = source.getLong(offset + 2 * Long.BYTES);
    }

    /** The money that the last attempt, if it committed, brought into the bank; negative when it took money out. */
    long netCents() {
        return 0;
    }
}
