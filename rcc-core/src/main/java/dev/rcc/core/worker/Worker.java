package dev.rcc.core.worker;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One thread of a node, as its coroutines and pollers see it. Code that runs on a worker takes time, randomness and
 * waiting from it and from nowhere else: so a simulated worker can run the same code in virtual time.
 *
 * <p>Unless a method says otherwise it is called on the worker itself, from its loop or from one of its coroutines.
 */
public interface Worker {
    /** The node that this worker belongs to. */
    int node();

    /** The worker's number on its node, from 0. */
    int index();

    /** Monotonic time in nanoseconds, comparable on this worker's node only. */
    long nanoTime();

    /**
     * Wall-clock time in nanoseconds since the Unix epoch, as of the beginning of the worker's turn; may differ from other nodes' clocks and may
     * step.
     */
    long wallNanos();

    /** 64 random bits from this worker's own seeded generator. */
    long random();

    /** A random integer from 0 (inclusive) to {@code bound} (exclusive, positive). */
    default int random(int bound) {
        return (int) Math.unsignedMultiplyHigh(random(), bound);
    }

    /**
     * Occupies the worker for {@code nanos} nanoseconds, as a computation of that length does: nothing else runs on it
     * meanwhile.
     */
    void compute(long nanos);

    /**
     * Starts a coroutine. May be called on any thread; the body runs on this worker, on its own virtual thread.
     *
     * @param coroutineId a number unique among the node's coroutines that draw timestamps, at most
     *     {@link dev.rcc.core.time.Timestamp#MAX_COROUTINE}
     * @param body the coroutine's code; an exception is logged and ends the coroutine
     */
    void spawn(int coroutineId, Consumer<Coroutine> body);

    /** Runs a task once on the worker's loop, soon. May be called on any thread. */
    void execute(Runnable task);

    /** Adds a poller that the loop polls on every turn from now on. May be called on any thread; to add a {@link Parker} again does nothing. */
    void addPoller(Poller poller);

    /**
     * Has the worker sleep in a parker that it does not poll until that is {@linkplain #addPoller added}: turns cost nothing more while the parker is
     * not needed. May be called on any thread.
     *
     * @throws IllegalStateException when the worker sleeps in another parker
     * @throws UnsupportedOperationException when this kind of worker does not sleep
     */
    default void sleepIn(Parker place) {
        throw new UnsupportedOperationException("worker " + index() + " of node " + node() + " does not sleep");
    }

    /**
     * The parker that the worker sleeps in. May be called on any thread.
     *
     * @param otherwise makes the parker to be added to a worker that has none
     * @throws UnsupportedOperationException when this kind of worker does not sleep
     */
    default Parker parker(Supplier<Parker> otherwise) {
        throw new UnsupportedOperationException("worker " + index() + " of node " + node() + " does not sleep");
    }

    /** Wakes the worker if it is parked because it found nothing to do. May be called on any thread; cheap. */
    void wakeUp();
}
