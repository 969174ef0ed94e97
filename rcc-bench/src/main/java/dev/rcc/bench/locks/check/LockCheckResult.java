package dev.rcc.bench.locks.check;

import java.util.List;
import java.util.Locale;

/**
 * The checker's result for a history.
 *
 * @param history the history that was checked
 * @param findings the promises that were not kept; empty if all were
 * @param overtakings how often a request was overtaken by a later one
 * @param overtakingsMax the most overtakings of one request
 */
public record LockCheckResult(LockHistory history, List<LockFinding> findings, long overtakings, int overtakingsMax) {
    /** Copies the list. */
    public LockCheckResult {
        findings = List.copyOf(findings);
    }

    /** Whether all promises were kept. */
    public boolean isClean() {
        return findings.isEmpty();
    }

    /** The report for people. */
    public String report() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%,d requests for locks of %s, %,d overtakings (at most %,d of one request): %s%n",
                history.requests().size(),
                history.scheme(),
                overtakings,
                overtakingsMax,
                isClean() ? "all promises kept" : findings.size() + " PROMISES NOT KEPT"));
        for (LockFinding finding : findings) {
            text.append("  ")
                    .append(finding.promise().label())
                    .append(" of lock ")
                    .append(finding.lock())
                    .append(":\n");
            finding.explanation()
                    .forEach(line -> text.append("    ").append(line).append('\n'));
        }
        if (!history.promises().exclusion()) {
            text.append("  exclusion not checked: pauses may exceed half a lease\n");
        }
        return text.toString();
    }
}
