package dev.rcc.bench.locks.run;

/** The clients' counts in the measured time. A transaction counts if it ends in it: on average, as many began earlier as end later. */
final class LockTally {
    private final long fromNanos;
    private final Latencies latencies = new Latencies();
    private long aborts;

    /** Counts transactions and tries that end at this time or later. */
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
