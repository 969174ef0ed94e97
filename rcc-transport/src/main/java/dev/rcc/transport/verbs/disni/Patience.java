package dev.rcc.transport.verbs.disni;

import java.util.concurrent.TimeUnit;

/**
 * How long to wait for events. Waits in slices, so that a channel that is closed meanwhile is noticed. Who waits for ever
 * waits only as long as something may still come: DiSNI's threads wait again anyway, and could not be stopped otherwise.
 */
final class Patience {
    private static final int SLICE_MILLIS = 100;

    private final boolean isInfinite;
    private final long deadlineNanos;

    /** For ever if {@code timeoutMillis} is negative. */
    Patience(int timeoutMillis) {
        isInfinite = timeoutMillis < 0;
        deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    /** How long to wait now. */
    int sliceMillis() {
        return isInfinite ? SLICE_MILLIS : Math.clamp(leftMillis(), 0, SLICE_MILLIS);
    }

    /** Whether to give up, asked after a slice. */
    boolean isOver(boolean somethingMayCome) {
        return isInfinite ? !somethingMayCome : leftMillis() <= 0;
    }

    private long leftMillis() {
        long nanos = deadlineNanos - System.nanoTime();
        // Rounded up: less than a millisecond is not nothing.
        return (nanos + TimeUnit.MILLISECONDS.toNanos(1) - 1) / TimeUnit.MILLISECONDS.toNanos(1);
    }
}
