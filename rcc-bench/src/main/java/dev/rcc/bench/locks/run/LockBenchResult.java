package dev.rcc.bench.locks.run;

import dev.rcc.bench.locks.check.LockCheckResult;
import dev.rcc.protocols.locks.LockCounters;
import java.util.Optional;

/**
 * The result of a run. All values are modelled.
 *
 * @param config the configuration, with the time-out of the highest throughput
 * @param latencies the latencies of the transactions that ended in the measured time, from their first try on
 * @param aborts number of tries that failed in that time
 * @param counters the managers' counters, in the whole run
 * @param share the used share of the NICs, in the whole run
 * @param checked the checker's result, if the history was checked; of several time-outs, that of a run that broke a promise
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
     * The used share of the NICs, on average over all nodes; from 0 to 1.
     *
     * @param atomics the CASs and FETCH_ADDs, as a share of the number that the NICs could execute
     * @param requests all requests, as a share of the number of small READs that the NICs could execute (dslr, A.7)
     */
    public record Share(double atomics, double requests) {}

    /** With the checker's result for another history. */
    LockBenchResult withChecked(Optional<LockCheckResult> other) {
        return new LockBenchResult(config, latencies, aborts, counters, share, other);
    }

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
