package dev.rcc.server.node;

import dev.rcc.core.txn.TransactionRunner;
import dev.rcc.core.worker.Coroutine;

/** The task of a coroutine of a node: runs transactions, one after the other, until it returns. */
@FunctionalInterface
public interface Client {
    /** Runs on its own coroutine; it waits only through {@code runner} and {@code coroutine}. */
    void run(TransactionRunner runner, Coroutine coroutine);
}
