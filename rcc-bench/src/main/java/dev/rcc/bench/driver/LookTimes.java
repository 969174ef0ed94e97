package dev.rcc.bench.driver;

import java.util.concurrent.TimeUnit;

/** The times at which a client checks the data: each second, and several times in a shorter run. For one thread. */
public final class LookTimes {
    private static final double LOOKS_AT_LEAST = 4;

    private final long everyNanos;
    private long nextNanos;

    /** The times in a run that begins now. */
    public LookTimes(BenchConfig.Times times, long nowNanos) {
        everyNanos = (long) (Math.min(1, times.seconds() / LOOKS_AT_LEAST) * TimeUnit.SECONDS.toNanos(1));
        nextNanos = nowNanos + everyNanos;
    }

    /** Whether a check is due; if so, sets the time of the next check. */
    public boolean isNow(long nowNanos) {
        if (nowNanos - nextNanos < 0) {
            return false;
        }
        nextNanos = nowNanos + everyNanos;
        return true;
    }
}
