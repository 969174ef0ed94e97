package dev.rcc.core.protocol;

/**
 * What a protocol keeps on one worker, from {@link Protocol#serve} to every {@link Protocol#coordinator} that is made
 * there. Used on that worker only, and by the set-up before it starts.
 */
public final class WorkerState {
    private Object value;

    /** Keeps something; once. */
    public void set(Object newValue) {
        if (value != null) {
            throw new IllegalStateException("the worker's state is set already: " + value);
        }
        value = newValue;
    }

    /** What is kept. */
    public <T> T get(Class<T> type) {
        return type.cast(value);
    }
}
