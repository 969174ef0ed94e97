package dev.rcc.core.worker;

/**
 * A poller that an idle worker sleeps in, because its events come from the operating system and wake the thread that waits for them
 * there: so no other thread has to wait for them and then to wake the worker. A worker has at most one. Like other pollers it is armed before each
 * sleep, even if it is not polled yet ({@link Worker#sleepIn}), and perhaps twice.
 */
public interface Parker extends Poller {
    /**
     * Sleeps until an event can be polled, until {@link #unpark}, or for {@code nanos} nanoseconds. Handles nothing: {@link #poll} follows.
     */
    void park(long nanos);

    /**
     * Whether an idle worker is to spin or yield for a while before it sleeps here, as its network's round trips are shorter than a sleep.
     *
     * @param areProcessorsScarce whether more workers share the processors than there are of these
     */
    default boolean spinsFirst(boolean areProcessorsScarce) {
        return false;
    }

    /** Ends the {@link #park} that is under way, or the next. May be called on any thread. */
    void unpark();

    /** The worker has ended: called last, on its thread. */
    void end();
}
