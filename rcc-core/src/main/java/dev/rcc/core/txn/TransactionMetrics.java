package dev.rcc.core.txn;

import java.util.Arrays;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** A worker's counts of its transactions. Used on its worker only; read it when the worker rests. */
public final class TransactionMetrics {
    private static final long MAX_NANOS = 60_000_000_000L;
    private static final int DIGITS = 3;

    private final long[] aborts = new long[AbortReason.MAX_CODE + 1];
    private final Histogram latency = new Histogram(1, MAX_NANOS, DIGITS);
    private long committed;
    private long attempted;
    private long gaveUp;
    private long roundTrips;
    private long executedByParticipants;
    private final CrossingMetrics crossings = new CrossingMetrics();
    /** By kind, as far as transactions of kinds were counted. */
    private TransactionMetrics[] kinds = {};

    /** Counts a finished attempt at a transaction of a kind, or of none. */
    void attempted(int kind, Outcome outcome, AbortReason reason, long attemptRoundTrips) {
        if (kind != Procedure.NO_KIND) {
            countedOf(kind).attempted(outcome, reason, attemptRoundTrips);
        }
        attempted(outcome, reason, attemptRoundTrips);
    }

    /** Counts a finished attempt. */
    void attempted(Outcome outcome, AbortReason reason, long attemptRoundTrips) {
        attempted++;
        roundTrips += attemptRoundTrips;
        if (outcome == Outcome.ABORTED) {
            aborts[reason.code()]++;
        }
    }

    /** Counts a committed transaction of a kind, or of none, and the time from its first attempt's start to its end. */
    void committed(int kind, long nanos) {
        if (kind != Procedure.NO_KIND) {
            countedOf(kind).committed(nanos);
        }
        committed(nanos);
    }

    /** Counts a committed transaction and the time from its first attempt's start to its end. */
    void committed(long nanos) {
        committed++;
        latency.recordValue(Math.clamp(nanos, 0, MAX_NANOS));
    }

    /** Counts a transaction of a kind, or of none, that gives up: its last allowed attempt has aborted. */
    void gaveUp(int kind) {
        if (kind != Procedure.NO_KIND) {
            countedOf(kind).gaveUp++;
        }
        gaveUp++;
    }

    /** Counts a committed transaction that was executed by all nodes that hold records that it has written. */
    void executedByParticipants() {
        executedByParticipants++;
    }

    private TransactionMetrics countedOf(int kind) {
        while (kind >= kinds.length) {
            kinds = Arrays.copyOf(kinds, kinds.length + 1);
            kinds[kinds.length - 1] = new TransactionMetrics();
        }
        return kinds[kind];
    }

    /** The counts of the transactions of a {@linkplain Procedure#kind kind}, which are counted among all, too. */
    public TransactionMetrics ofKind(int kind) {
        return kind < kinds.length ? kinds[kind] : new TransactionMetrics();
    }

    /** All kinds of which transactions have been counted are less than this number. */
    public int kinds() {
        return kinds.length;
    }

    /** Transactions that committed. */
    public long committed() {
        return committed;
    }

    /** Committed transactions that were executed by all nodes that hold records that they have written: {@linkplain Fragment fragments}. */
    public long committedByParticipants() {
        return executedByParticipants;
    }

    /** Attempts, committed or not. */
    public long attempted() {
        return attempted;
    }

    /** Transactions that gave up: their last allowed attempt aborted, for a reason that allows another one. */
    public long gaveUp() {
        return gaveUp;
    }

    /** Attempts that aborted for this reason. */
    public long aborts(AbortReason reason) {
        return aborts[reason.code()];
    }

    /** Attempts that aborted, for any reason. */
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

    /** Messages between zones; all zero where they are not counted. */
    public CrossingMetrics crossings() {
        return crossings;
    }

    /** Nanoseconds from a committed transaction's first attempt to its end. */
    public Histogram latency() {
        return latency;
    }

    /** Adds another worker's counts. */
    public void add(TransactionMetrics other) {
        for (int i = 0; i < aborts.length; i++) {
            aborts[i] += other.aborts[i];
        }
        committed += other.committed;
        attempted += other.attempted;
        gaveUp += other.gaveUp;
        roundTrips += other.roundTrips;
        executedByParticipants += other.executedByParticipants;
        latency.add(other.latency);
        crossings.add(other.crossings);
        for (int kind = 0; kind < other.kinds.length; kind++) {
            addOfKind(kind, other.kinds[kind]);
        }
    }

    /** Adds counts from elsewhere of the transactions of a kind, which have been added to all already. */
    public void addOfKind(int kind, TransactionMetrics other) {
        countedOf(kind).add(other);
    }

    /**
     * Adds counts from elsewhere.
     *
     * @param otherGaveUp as {@link #gaveUp()}
     * @param otherByParticipants as {@link #committedByParticipants}
     * @param otherAborts attempts that aborted, by reason
     * @param otherLatency in nanoseconds
     */
    public void add(
            long otherCommitted,
            long otherAttempted,
            long otherGaveUp,
            long otherRoundTrips,
            long otherByParticipants,
            Map<AbortReason, Long> otherAborts,
            Histogram otherLatency) {
        otherAborts.forEach((reason, count) -> aborts[reason.code()] += count);
        committed += otherCommitted;
        attempted += otherAttempted;
        gaveUp += otherGaveUp;
        roundTrips += otherRoundTrips;
        executedByParticipants += otherByParticipants;
        latency.add(otherLatency);
    }

    /** Forgets everything. */
    public void reset() {
        Arrays.fill(aborts, 0);
        committed = 0;
        attempted = 0;
        gaveUp = 0;
        roundTrips = 0;
        executedByParticipants = 0;
        latency.reset();
        crossings.reset();
        for (TransactionMetrics kind : kinds) {
            kind.reset();
        }
    }
}
