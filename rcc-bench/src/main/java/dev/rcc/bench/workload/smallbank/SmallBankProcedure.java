package dev.rcc.bench.workload.smallbank;

import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Procedure;

/**
 * A transaction of SmallBank. One object serves all transactions of its kind on a coroutine: set its arguments, run it,
 * set new ones. All amounts are in cents.
 */
abstract class SmallBankProcedure implements Procedure {
    /** Where the balance lies in a record of either table. */
    static final int BALANCE_OFFSET = 0;

    final Table checking;
    final Table savings;

    SmallBankProcedure(Table checking, Table savings) {
        this.checking = checking;
        this.savings = savings;
    }

    /** What the last attempt, if it committed, brought into the bank; negative when it took something out. */
    long netCents() {
        return 0;
    }
}
