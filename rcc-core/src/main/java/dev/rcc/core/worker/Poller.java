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

    /**
     * The worker is about to sleep. A source whose events do not call {@link Worker#wakeUp} by themselves, such as a
     * completion queue, sees to it here that the next one does. {@link #poll} is called once more afterwards, so nothing is
     * missed that came before.
     */
    default void arm() {}
}
