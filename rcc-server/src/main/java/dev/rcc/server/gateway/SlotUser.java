package dev.rcc.server.gateway;

import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Completion;

/** What uses one of the gateway's transaction slots, or waits for one. All of it is called on its worker. */
interface SlotUser {
    /** Runs to its end, on the coroutine of the slot that it was given. */
    void run(TransactionRunner runner, Completion wakeUp);

    /** It is to end without effect, as soon as it can. */
    void end(Failure failure);

    /** Looks whether it has used up its time. */
    void reap(long nowNanos);

    /** Whether it has ended. */
    boolean isOver();
}
