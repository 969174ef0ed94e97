package dev.rcc.bench.workload.tpcc;

import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import java.util.concurrent.TimeUnit;

/** A transaction of TPC-C. One object serves all transactions of its kind on a coroutine; it allocates nothing. */
abstract class TpccProcedure implements Procedure {
    final TpccTables tables;
    TpccInput input;

    TpccProcedure(TpccTables tables) {
        this.tables = tables;
    }

    /** Sets the input of the next transaction. */
    final TpccProcedure of(TpccInput newInput) {
        input = newInput;
        return this;
    }

    @Override
    public final int kind() {
        return input.kind.number();
    }

    /** The present time, in milliseconds since 1970. */
    static long nowMillis(Transaction txn) {
        return TimeUnit.NANOSECONDS.toMillis(txn.coroutine().worker().wallNanos());
    }
}
