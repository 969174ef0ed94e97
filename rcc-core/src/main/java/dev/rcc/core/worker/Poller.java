package dev.rcc.core.worker;

/** Something with events to look for: a completion queue, an RPC inbox, a log ring. */
@FunctionalInterface
public interface Poller {
    /**
     * Handles a bounded amount of what is there, without blocking. Called by the worker's loop on every turn.
     *
     * @return how much was handled; 0 lets an idle worker go to sleep
     */
    int poll();
}
