package dev.rcc.core.replication;

import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionTooLarge;

/** The log stage of a coroutine: the same for every protocol, and different for every way of replicating. Used on that coroutine only. */
public interface LogStage {
    /**
     * Logs the writes of the coroutine's {@link Transaction}; there is at least one. The commit timestamp has been drawn. Allocates
     * nothing.
     *
     * <p>An implementation calls {@link Transaction#logBegins} before any node can have the writes. When it gives up, it calls
     * {@link Transaction#logFailed} while the accesses are still unchanged. It gives up only once no node can find later that the transaction has
     * committed.
     *
     * @return true if the transaction is decided: it will commit in any case. False if it must abort, with the reason set; no copy of the data will
     *     show its writes then
     * @throws TransactionTooLarge when the writes are more than can be logged at once; nothing has been logged then
     */
    boolean log();

    /**
     * The same stage, but one that asks each node that has logged the transaction once more by an RPC, and goes on when all have replied: a round
     * trip that adds nothing, as in RCC's public code. A stage whose replies are RPCs anyway returns itself. To be called once, when the coroutine's
     * coordinator is made.
     */
    default LogStage acknowledged() {
        return this;
    }
}
