package dev.rcc.bench.locks.run;

/** What clients count in the measured time. What ends in it counts, whenever it began: of what is under way at its ends, as much as there is on the average. */
final class LockTally {
    private final long fromNanos;
    private final Latencies latencies = new Latencies();
    private long aborts;

    /** Counts what ends at this time or later. */
    LockTally(long fromNanos) {
        this.fromNanos = fromNanos;
    }

    /** A transaction has had all its locks and has released them. */
    void ended(long beganNanos, long nowNanos) {
        if (nowNanos >= fromNanos) {
            latencies.add(nowNanos - beganNanos);
        }
    }

    /** A try has failed. */
    void aborted(long nowNanos) {
        aborts += nowNanos >= fromNanos ? 1 : 0;
    }

    Latencies latencies() {
        return latencies;
    }

    long aborts() {
        return aborts;
    }
}
