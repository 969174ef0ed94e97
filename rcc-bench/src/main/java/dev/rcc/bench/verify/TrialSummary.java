package dev.rcc.bench.verify;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The summary of a trial, without its history.
 *
 * @param protocol the protocol's name
 * @param seed the scenario's seed
 * @param transactions number of committed transactions
 * @param counts the injected faults and the windows, and how often each occurred, in words for people
 * @param anomaly the report of an anomaly, with lines that show how to replay it; empty if there is none
 */
public record TrialSummary(String protocol, long seed, long transactions, Map<String, Long> counts, String anomaly) {
    /** The sum of this trial and a second one of the same seed. */
    public TrialSummary and(TrialSummary other) {
        Map<String, Long> both = new LinkedHashMap<>(counts);
        other.counts.forEach((what, count) -> both.merge(what, count, Long::sum));
        return new TrialSummary(protocol, seed, transactions + other.transactions, both, anomaly + other.anomaly);
    }

    /** Whether nothing is wrong. */
    public boolean isClean() {
        return anomaly.isEmpty();
    }
}
