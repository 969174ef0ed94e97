package dev.rcc.transport;

import java.util.concurrent.TimeUnit;

/** Bounds what the log says of things that any process that reaches a port can cause at will: one message a second. Used on any thread. */
public final class LogLimit {
    private static final long NANOS = TimeUnit.SECONDS.toNanos(1);

    private long lastNanos;
    private boolean isFirst = true;
    private long suppressed;

    /** Whether to log now: how many messages were suppressed since the last that was logged, or negative for not to. */
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
