package dev.rcc.core.replication;

import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionTooLarge;

/** The log stage of a coroutine: the same for every protocol, and different for every way of replicating. Used on that coroutine only. */
public interface LogStage {
    /**
     * Logs the writes of the coroutine's {@link Transaction}; there is at least one. The commit timestamp has been drawn. Allocates
     * nothing.
     *
     * <p>An implementation says so before any node can know of the writes ({@link Transaction#logBegins}), and when it gives up while
     * the accesses are still as they were ({@link Transaction#logFailed}). It gives up only once no node can find later that the transaction
     * has committed.
     *
     * @return true if the transaction is decided: it will commit whatever happens. False if it must abort, with the
     *     reason set; no copy of the data will show its writes then
     * @throws TransactionTooLarge when the writes are more than can be logged at once; nothing has been logged then
     */
    boolean log();

    /**
     * The same stage, which asks each node that has logged the transaction once more by an RPC and goes on when all have replied: a round trip that adds
     * nothing, as RCC's public code has it. A stage whose replies are RPCs anyway is the same. To be called once, when the coroutine's coordinator is made.
     */
    default LogStage acknowledged() {
        return this;
    }
}
