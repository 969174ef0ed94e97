package dev.rcc.core.worker;

/** A source of events to look for: a completion queue, an RPC inbox, a log ring. */
@FunctionalInterface
public interface Poller {
    /**
     * Handles a bounded number of events, without blocking. Called by the worker's loop on every turn.
     *
     * @return how many were handled; 0 lets an idle worker go to sleep
     */
    int poll();

    /**
     * The worker is about to sleep. A source whose events do not call {@link Worker#wakeUp} by themselves, such as a
     * completion queue, arranges here that the next event does. {@link #poll} is called once more afterwards, so no earlier event is missed.
     */
    default void arm() {}

    /**
     * How many workers of other processes share this machine's processors, as far as the poller knows: it exchanges messages with them. If they and
     * the workers of this process outnumber the processors, the worker yields as soon as it is idle, and does not spin before.
     */
    default int neighbours() {
        return 0;
    }
}
