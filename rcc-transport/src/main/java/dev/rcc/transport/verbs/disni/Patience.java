package dev.rcc.transport.verbs.disni;

import java.util.concurrent.TimeUnit;

/**
 * The time-out of a wait for events. The caller waits in slices, so that it notices when the channel is closed. An infinite wait
 * lasts only as long as an event may still come: DiSNI's threads wait again anyway, and could not be stopped otherwise.
 */
final class Patience {
    private static final int SLICE_MILLIS = 100;

    private final boolean isInfinite;
    private final long deadlineNanos;

    /** An infinite time-out if {@code timeoutMillis} is negative. */
    Patience(int timeoutMillis) {
        isInfinite = timeoutMillis < 0;
        deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    /** The length of the next wait. */
    int sliceMillis() {
        return isInfinite ? SLICE_MILLIS : Math.clamp(leftMillis(), 0, SLICE_MILLIS);
    }

    /** Whether to give up; to be called after a slice. */
    boolean isOver(boolean somethingMayCome) {
        return isInfinite ? !somethingMayCome : leftMillis() <= 0;
    }

    private long leftMillis() {
        long nanos = deadlineNanos - System.nanoTime();
        // Rounded up, so that less than a millisecond is not 0.
        return (nanos + TimeUnit.MILLISECONDS.toNanos(1) - 1) / TimeUnit.MILLISECONDS.toNanos(1);
    }
}
