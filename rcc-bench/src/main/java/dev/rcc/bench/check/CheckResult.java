package dev.rcc.bench.check;

import java.util.List;
import java.util.Locale;

/**
 * What the checker says of a history.
 *
 * @param model what it was held to
 * @param transactions how many transactions count: those that committed, and those whose outcome is not known but whose writes
 *     were read
 * @param edges how many dependencies there are between them, without those of real time
 * @param findings what is wrong: first what a single read or write shows, then a shortest cycle of the worst kind
 * @param remarks what limits the checked: transactions that were not recorded, a search that was cut off
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

    /** The checked in words: a line if nothing is wrong, else each finding with its reasons; ends with a line feed. */
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
