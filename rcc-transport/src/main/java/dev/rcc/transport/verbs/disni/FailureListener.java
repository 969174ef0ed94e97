package dev.rcc.transport.verbs.disni;

import dev.rcc.transport.verbs.ibv.WcStatus;

/** Receives the failures of the connections that share a completion queue ({@link DisniExtensions#onFailure}). */
@FunctionalInterface
public interface FailureListener {
    /**
     * A request of a connection has failed, and with it the connection. Called by the thread that polls the completion queue, while it takes completions.
     *
     * @param queuePair the number of the connection's queue pair
     */
    void failed(int queuePair, WcStatus status);
}
