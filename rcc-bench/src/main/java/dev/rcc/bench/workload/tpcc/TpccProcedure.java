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

    /** What it is to do next. */
    final TpccProcedure of(TpccInput newInput) {
        input = newInput;
        return this;
    }

    @Override
    public final int kind() {
        return input.kind.number();
    }

    /** Now, in milliseconds since 1970. */
    static long nowMillis(Transaction txn) {
        return TimeUnit.NANOSECONDS.toMillis(txn.coroutine().worker().wallNanos());
    }
}
