package dev.rcc.core.protocol;

/**
 * A protocol's state on one worker, which {@link Protocol#serve} sets for every {@link Protocol#coordinator} that is made there. Used on that worker
 * only, and by the set-up before it starts.
 */
public final class WorkerState {
    private Object value;

    /** Sets the state; once. */
    public void set(Object newValue) {
        if (value != null) {
            throw new IllegalStateException("the worker's state is set already: " + value);
        }
        value = newValue;
    }

    /** The state. */
    public <T> T get(Class<T> type) {
        return type.cast(value);
    }
}
