package dev.rcc.bench.verify;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is left of a trial when its history is gone.
 *
 * @param protocol the protocol's name
 * @param seed the scenario's seed
 * @param transactions how many committed
 * @param counts what went wrong on purpose and how often, in words for people
 * @param anomaly what is wrong, in lines that tell how to replay it; empty if nothing is
 */
public record TrialSummary(String protocol, long seed, long transactions, Map<String, Long> counts, String anomaly) {
    /** This and what a second trial of the same seed has come to. */
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
