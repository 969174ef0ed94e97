package dev.rcc.bench.check;

import java.util.List;
import java.util.Locale;

/**
 * The checker's result for a history.
 *
 * @param model the model that the history was checked against
 * @param transactions number of transactions that count: the committed ones, and those with an unknown outcome whose writes
 *     were read
 * @param edges number of dependencies between them, without those of real time
 * @param findings the anomalies found: first those that a single read or write shows, then a shortest cycle of the worst kind
 * @param remarks the limits of the check: transactions that were not recorded, a search that was cut off
 */
public record CheckResult(Model model, int transactions, long edges, List<Finding> findings, List<String> remarks) {
    /** Copies the lists. */
    public CheckResult {
        findings = List.copyOf(findings);
        remarks = List.copyOf(remarks);
    }

    /** Whether nothing is wrong. */
    public boolean isClean() {
        return findings.isEmpty();
    }

    /** The result in words: a line if nothing is wrong, else each finding with its reasons. Ends with a line feed. */
    public String report() {
        StringBuilder text = new StringBuilder();
        String size = String.format(Locale.ROOT, "%,d transactions, %,d edges", transactions, edges);
        String name = model == Model.STRICT_SERIALIZABLE ? "strictly serializable" : "serializable";
        text.append(isClean() ? name : "NOT " + name).append(": ").append(size).append('\n');
        for (Finding finding : findings) {
            text.append('\n').append(finding.anomaly().label()).append(", ");
            text.append(finding.title()).append(":\n");
            finding.reasons().forEach(reason -> text.append("  ").append(reason).append('\n'));
            text.append("in\n");
            finding.operations()
                    .forEach(operations -> text.append("  ").append(operations).append('\n'));
        }
        for (String remark : remarks) {
            text.append(isClean() ? "" : "\n").append("note: ").append(remark).append('\n');
        }
        return text.toString();
    }

    @Override
    public String toString() {
        return report();
    }
}
