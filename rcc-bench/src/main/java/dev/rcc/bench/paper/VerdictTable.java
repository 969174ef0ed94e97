package dev.rcc.bench.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The verdicts on a paper's claims as a table in Markdown: a row for each claim, a column for each of the book's settings, and one for the logs. */
public final class VerdictTable {
    private VerdictTable() {}

    /** The table, with a line feed at its end. */
    public static String of(Book book, List<Claim.Finding> findings) {
        boolean hasLogs = book.logs().isPresent();
        List<String> head = new ArrayList<>(List.of("where", "claim"));
        boolean isOneColumn = book.settings().size() == 1;
        book.settings().forEach(settings -> head.add(isOneColumn ? "verdict" : settings.words()));
        if (hasLogs) {
            head.add("their logs");
        }
        StringBuilder table = new StringBuilder(row(head));
        table.append("|---".repeat(head.size())).append("|\n");
        for (Claim.Finding finding : findings) {
            List<String> cells = new ArrayList<>();
            cells.add(finding.section() + ", " + finding.claim().source());
            cells.add(finding.claim().text());
            finding.outcomes().forEach(outcome -> cells.add(cell(outcome)));
            if (hasLogs) {
                cells.add(finding.verdictOnLogs().map(Verdict::words).orElse("-"));
            }
            table.append(row(cells));
        }
        return table.toString();
    }

    private static String cell(Outcome outcome) {
        return "**" + outcome.verdict().words() + "**"
                + outcome.detail().map(detail -> ": " + detail).orElse("");
    }

    private static String row(List<String> cells) {
        return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }
}
