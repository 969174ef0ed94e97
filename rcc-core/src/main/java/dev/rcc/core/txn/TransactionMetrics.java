package dev.rcc.core.txn;

import java.util.Arrays;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** What a worker counts of its transactions. Used on its worker only; read it when the worker rests. */
public final class TransactionMetrics {
    private static final long MAX_NANOS = 60_000_000_000L;
    private static final int DIGITS = 3;

    private final long[] aborts = new long[AbortReason.MAX_CODE + 1];
    private final Histogram latency = new Histogram(1, MAX_NANOS, DIGITS);
    private long committed;
    private long attempted;
    private long roundTrips;

    /** Counts a finished attempt. */
    void attempted(Outcome outcome, AbortReason reason, long attemptRoundTrips) {
        attempted++;
        roundTrips += attemptRoundTrips;
        if (outcome == Outcome.ABORTED) {
            aborts[reason.code()]++;
        }
    }

    /** Counts a committed transaction and the time from its first attempt's start to its end. */
    void committed(long nanos) {
        committed++;
        latency.recordValue(Math.clamp(nanos, 0, MAX_NANOS));
    }

    /** Transactions that committed. */
    public long committed() {
        return committed;
    }

    /** Attempts, committed or not. */
    public long attempted() {
        return attempted;
    }

    /** Attempts that aborted for this reason. */
    public long aborts(AbortReason reason) {
        return aborts[reason.code()];
    }

    /** Attempts that aborted, for whatever reason. */
    public long aborted() {
        long sum = 0;
        for (long count : aborts) {
            sum += count;
        }
        return sum;
    }

    /** Sequential round trips of all attempts. */
    public long roundTrips() {
        return roundTrips;
    }

    /** Nanoseconds from a committed transaction's first attempt to its end. */
    public Histogram latency() {
        return latency;
    }

    /** Adds what another worker counted. */
    public void add(TransactionMetrics other) {
        for (int i = 0; i < aborts.length; i++) {
            aborts[i] += other.aborts[i];
        }
        committed += other.committed;
        attempted += other.attempted;
        roundTrips += other.roundTrips;
        latency.add(other.latency);
    }

    /**
     * Adds what was counted elsewhere.
     *
     * @param otherAborts attempts that aborted, by reason
     * @param otherLatency in nanoseconds
     */
    public void add(
            long otherCommitted,
            long otherAttempted,
            long otherRoundTrips,
            Map<AbortReason, Long> otherAborts,
            Histogram otherLatency) {
        otherAborts.forEach((reason, count) -> aborts[reason.code()] += count);
        committed += otherCommitted;
        attempted += otherAttempted;
        roundTrips += otherRoundTrips;
        latency.add(otherLatency);
    }

    /** Forgets everything. */
    public void reset() {
        Arrays.fill(aborts, 0);
        committed = 0;
        attempted = 0;
        roundTrips = 0;
        latency.reset();
    }
}
