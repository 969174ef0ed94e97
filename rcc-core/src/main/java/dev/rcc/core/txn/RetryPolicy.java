package dev.rcc.core.txn;

import dev.rcc.core.worker.Worker;

/**
 * How often and when an aborted transaction is tried again. The wait before retry {@code n} (from 1) is drawn uniformly
 * from 0 to {@code baseBackoffNanos * 2^(n-1)}, but no more than {@code maxBackoffNanos}.
 *
 * <p>Transactions whose attempts take longer than these waits can abort each other for ever. So the longest wait is twice as long from attempt
 * {@value #LIVELOCK_ATTEMPTS} on, and four times as long from twice as many attempts on.
 *
 * @param maxAttempts attempts in all, at least 1
 * @param baseBackoffNanos longest wait before the first retry, in nanoseconds
 * @param maxBackoffNanos longest wait before a retry, in nanoseconds, at least the base
 */
public record RetryPolicy(int maxAttempts, long baseBackoffNanos, long maxBackoffNanos) {
    private static final int MAX_DOUBLINGS = Long.SIZE - 2;

    /** A transaction with so many attempts is perhaps in a livelock with others. */
    private static final int LIVELOCK_ATTEMPTS = 64;

    private static final int LIVELOCK_DOUBLINGS = 2;

    /** 10,000 attempts, about 20 seconds in all, with waits of 4 us at first, then 1 ms at most, and 4 ms at most in a livelock. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(10_000, 4_000, 1_000_000);
    /** A single attempt. */
    public static final RetryPolicy NEVER = new RetryPolicy(1, 0, 0);

    /** Checks the numbers. */
    public RetryPolicy {
        if (maxAttempts < 1 || baseBackoffNanos < 0 || maxBackoffNanos < baseBackoffNanos) {
            throw new IllegalArgumentException(
                    "a retry policy has at least 1 attempt and 0 <= base <= max backoff, got " + maxAttempts + ", "
                            + baseBackoffNanos + " ns, " + maxBackoffNanos + " ns");
        }
    }

    /** Draws the wait before the retry that follows attempt number {@code attempt} (from 0), in nanoseconds. */
    public long backoffNanos(int attempt, Worker worker) {
        int growth = Math.min(attempt / LIVELOCK_ATTEMPTS, LIVELOCK_DOUBLINGS);
        long longest = doubled(maxBackoffNanos, growth, Long.MAX_VALUE);
        long limit = doubled(baseBackoffNanos, Math.min(attempt, MAX_DOUBLINGS), longest);
        return limit == 0 ? 0 : Math.unsignedMultiplyHigh(worker.random(), limit + 1);
    }

    private static long doubled(long nanos, int times, long limit) {
        return nanos > limit >> times ? limit : nanos << times;
    }
}
