package dev.rcc.transport;

import java.util.concurrent.TimeUnit;

/** Limits log messages that any process can cause at will if it reaches a port: to one a second. Used on any thread. */
public final class LogLimit {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private long lastNanos;
    private boolean isFirst = true;
    private long suppressed;

    /** The number of messages that were suppressed since the last logged one; negative if the caller must not log now. */
    public synchronized long admit() {
        long now = System.nanoTime();
        if (!isFirst && now - lastNanos < NANOS) {
            suppressed++;
            return -1;
        }
        isFirst = false;
        lastNanos = now;
        long before = suppressed;
        suppressed = 0;
        return before;
    }
}
