package dev.rcc.bench.driver;

import java.util.concurrent.TimeUnit;

/** When a client looks whether the data is as it must be: each second, and several times in a run that is shorter. For one thread. */
public final class LookTimes {
    private static final double LOOKS_AT_LEAST = 4;

    private final long everyNanos;
    private long nextNanos;

    /** Of a run that begins now. */
    public LookTimes(BenchConfig.Times times, long nowNanos) {
        everyNanos = (long) (Math.min(1, times.seconds() / LOOKS_AT_LEAST) * TimeUnit.SECONDS.toNanos(1));
        nextNanos = nowNanos + everyNanos;
    }

    /** Whether it is time; if so, the next time is after that. */
    public boolean isNow(long nowNanos) {
        if (nowNanos - nextNanos < 0) {
            return false;
        }
        nextNanos = nowNanos + everyNanos;
        return true;
    }
}
