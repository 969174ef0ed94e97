package dev.rcc.bench.locks.run;

import dev.rcc.bench.locks.check.LockCheckResult;
import dev.rcc.protocols.locks.LockCounters;
import java.util.Optional;

/**
 * What a run has come to. All of it is modelled.
 *
 * @param config what was run, with the time-out that came to the most
 * @param latencies of the transactions that ended in the measured time, from their first try on
 * @param aborts tries that failed, in that time
 * @param counters what the managers counted, in the whole run
 * @param share how much of the NICs was used, in the whole run
 * @param checked what the checker says, if it was asked
 */
public record LockBenchResult(
        LockBenchConfig config,
        Latencies latencies,
        long aborts,
        LockCounters counters,
        Share share,
        Optional<LockCheckResult> checked) {
    private static final double NANOS_A_SECOND = 1e9;

    LockBenchResult(
            LockBenchConfig config,
            LockTally tally,
            LockCounters counters,
            Share share,
            Optional<LockCheckResult> checked) {
        this(config, tally.latencies(), tally.aborts(), counters, share, checked);
    }

    /**
     * How much of the NICs was used, on the average of all nodes; from 0 to 1.
     *
     * @param atomics the CASs and FETCH_ADDs, of those that the NICs could carry out
     * @param requests all requests, of the small READs that the NICs could carry out (dslr, A.7)
     */
    public record Share(double atomics, double requests) {}

    /** Transactions in a second. */
    public double throughput() {
        return latencies.count() * NANOS_A_SECOND / config.times().measuredNanos();
    }

    /** The share of tries that failed. */
    public double abortShare() {
        long tries = aborts + latencies.count();
        return tries == 0 ? 0 : (double) aborts / tries;
    }

    /** READs, WRITEs, CASs, FETCH_ADDs and messages for each lock that was granted. */
    public double verbsPerLock() {
        long verbs = counters.reads + counters.writes + counters.atomics + counters.messages;
        return counters.grants == 0 ? 0 : (double) verbs / counters.grants;
    }
}
