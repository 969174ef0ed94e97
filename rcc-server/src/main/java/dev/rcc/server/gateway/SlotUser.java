package dev.rcc.server.gateway;

import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Completion;

/** A user of one of the gateway's transaction slots, or a user that waits for one. All methods are called on its worker. */
interface SlotUser {
    /** Runs to its end, on the coroutine of the slot that it was given. */
    void run(TransactionRunner runner, Completion wakeUp);

    /** Ends it without effect, as soon as it can end. */
    void end(Failure failure);

    /** The cluster waits for the end of its attempt, to change to another configuration: it must not wait for a client within the attempt. */
    default void endAttempt() {}

    /** Ends it if it has used up its time. */
    void reap(long nowNanos);

    /** Whether it has ended. */
    boolean isOver();
}
