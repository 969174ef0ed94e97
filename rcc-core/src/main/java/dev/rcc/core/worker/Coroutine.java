package dev.rcc.core.worker;

/**
 * A coroutine of a {@link Worker}: a virtual thread that runs only on its worker and only when the worker is not
 * running anything else. Waiting is done through {@link Completion}, {@link #sleep} and {@link #pause}. Any other wait, as for a
 * lock, blocks the worker, and all that it serves, until the wait is over. So no coroutine may wait like that for long, nor for an event that needs
 * this worker.
 */
public abstract class Coroutine {
    private final int id;

    /** For implementations of {@link Worker}. */
    protected Coroutine(int id) {
        this.id = id;
    }

    /** The coroutine's number, unique on its node. */
    public final int id() {
        return id;
    }

    /** The worker that runs this coroutine. */
    public abstract Worker worker();

    /** Lets the worker's loop and its other ready coroutines have a turn. Called by the coroutine itself. */
    public abstract void pause();

    /** Waits for at least {@code nanos} nanoseconds; 0 or less is a {@link #pause}. Called by the coroutine itself. */
    public abstract void sleep(long nanos);

    /** Stops running until {@link #resume}. Called by the coroutine itself; a spurious return is possible. */
    protected abstract void suspend();

    /** Makes a suspended coroutine ready. Called on its worker. */
    protected abstract void resume();
}
