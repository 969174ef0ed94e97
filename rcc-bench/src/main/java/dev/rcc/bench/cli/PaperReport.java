package dev.rcc.bench.cli;

import dev.rcc.bench.driver.Manifest;
import dev.rcc.bench.paper.Assumption;
import dev.rcc.bench.paper.Book;
import dev.rcc.bench.paper.Claim;
import dev.rcc.bench.paper.Condition;
import dev.rcc.bench.paper.Outcome;
import dev.rcc.bench.paper.Row;
import dev.rcc.bench.paper.Scale;
import dev.rcc.bench.paper.Settings;
import dev.rcc.bench.paper.Setup;
import dev.rcc.bench.paper.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Papers' claims and their findings, as text. */
final class PaperReport {
    private static final String LINE = "  %-10s %s%n";

    private PaperReport() {}

    /** The papers and their sections. */
    static String list(List<Book> books) {
        Formatter text = new Formatter(Locale.ROOT);
        for (Book book : books) {
            text.format("%s  %s%n", book.name(), book.title());
            for (Book.Section section : book.sections()) {
                text.format(
                        "  %-6s %s, %s%n",
                        section.number(),
                        section.title(),
                        count(section.claims().size(), "claim"));
            }
        }
        return text.toString();
    }

    /** The runs to come; printed before they start. */
    static String header(Book book, Scale scale, List<Condition> conditions) {
        Manifest manifest = Manifest.here();
        Formatter text = new Formatter(Locale.ROOT);
        text.format(
                "RCC %s (%s)  the paper %s: %s%n", manifest.version(), manifest.commit(), book.name(), book.title());
        for (Book.Section section : book.sections()) {
            text.format(
                    "  %-6s %s, %s%n",
                    section.number(), section.title(), count(section.claims().size(), "claim"));
        }
        for (Settings settings : book.settings()) {
            text.format("%s: %s, seeds %s%n", settings.name(), settings.words(), seeds(conditions, settings));
        }
        for (Assumption assumption : book.assumptions()) {
            text.format("%s: %s, seed %d%n", assumption.name(), costs(assumption), scale.seed());
        }
        List<Setup> setups = book.setups();
        text.format(
                "%s under each of %s, on %s%n",
                count(setups.size(), "run"),
                count(conditions.size(), "condition"),
                setups.stream()
                        .map(setup -> setup.network().describe())
                        .distinct()
                        .collect(Collectors.joining("; ")));
        text.format("%s", shapes(setups));
        if (setups.stream().anyMatch(Setup::isScaled)) {
            text.format(", %,d records a node", scale.recordsPerNode());
        }
        text.format("%n");
        List<String> times =
                setups.stream().map(setup -> setup.times(scale)).distinct().toList();
        text.format("%s%n", String.join("; ", times));
        return text.format("%n").toString();
    }

    private static String seeds(List<Condition> conditions, Settings settings) {
        return conditions.stream()
                .filter(each -> each.settings().equals(settings) && !each.isAssumed())
                .map(each -> Long.toString(each.seed()))
                .collect(Collectors.joining(", "));
    }

    private static String costs(Assumption assumption) {
        return assumption.costs().entrySet().stream()
                .map(cost -> cost.getKey() + " = " + cost.getValue())
                .collect(Collectors.joining(", "));
    }

    /** The line that reports the runs made under a condition. */
    static String ran(Condition condition, int runs) {
        return String.format(Locale.ROOT, "%s: %s%n", condition.describe(), count(runs, "run"));
    }

    private static String shapes(List<Setup> setups) {
        List<String> shapes = setups.stream().map(Setup::cluster).distinct().toList();
        return shapes.size() > 1 ? shapes.size() + " shapes of clusters" : String.join("", shapes);
    }

    /** A claim, its measurements, and the verdicts. */
    static String describe(Claim.Finding finding) {
        Claim claim = finding.claim();
        Formatter text = new Formatter(Locale.ROOT);
        text.format("%s, %s%n", finding.section(), claim.source());
        text.format(LINE, "the paper", claim.text());
        if (claim.criterion().isPresent()) {
            text.format(LINE, "criterion", claim.words());
        }
        for (Outcome outcome : finding.outcomes()) {
            String what = outcome.settings();
            for (Row.Measured row : outcome.rows()) {
                text.format(LINE, what, describe(row));
                what = "";
            }
            text.format(LINE, "verdict", verdict(claim, outcome));
        }
        finding.verdictOnLogs().ifPresent(verdict -> text.format(LINE, "their logs", upperCase(verdict)));
        return text.format("%n").toString();
    }

    private static String verdict(Claim claim, Outcome outcome) {
        if (outcome.verdict() == Verdict.NOT_TESTED) {
            return upperCase(outcome.verdict()) + ": " + outcome.reason();
        }
        boolean isModelled = claim.readings().stream()
                .anyMatch(reading -> reading.setup().network().isModelled());
        return upperCase(outcome.verdict())
                + (isModelled ? " (MODELLED)" : "")
                + outcome.detail().map(detail -> ": " + detail).orElse("");
    }

    private static String upperCase(Verdict verdict) {
        return verdict.words().toUpperCase(Locale.ROOT);
    }

    private static String describe(Row.Measured row) {
        String values = row.values().stream().map(PaperReport::describe).collect(Collectors.joining(", "));
        return row.label() + ": " + values + (row.unit().isEmpty() ? "" : " " + row.unit());
    }

    private static String describe(Row.Value value) {
        String name = value.name();
        boolean endsInDigit = !name.isEmpty() && Character.isDigit(name.charAt(name.length() - 1));
        String range = number(value.low()).equals(number(value.high()))
                ? ""
                : " [" + number(value.low()) + " to " + number(value.high()) + "]";
        List<String> others = new ArrayList<>();
        value.paper().ifPresent(paper -> others.add("the paper: " + number(paper)));
        value.logged().ifPresent(logged -> others.add("their logs: " + number(logged) + ", " + percent(value.error())));
        return name
                + (endsInDigit ? ": " : name.isEmpty() ? "" : " ")
                + number(value.value())
                + range
                + (others.isEmpty() ? "" : " (" + String.join("; ", others) + ")");
    }

    private static String percent(OptionalDouble error) {
        return String.format(Locale.ROOT, "%+.0f %%", 100 * error.orElseThrow());
    }

    /** A number with a sensible count of digits. */
    private static String number(double value) {
        double size = Math.abs(value);
        return String.format(
                Locale.ROOT,
                size >= 1000 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 || size == 0 ? "%.2f" : "%.4f",
                value);
    }

    /** The number of claims that held, by settings. */
    static String verdicts(Book book, List<Claim.Finding> findings) {
        Formatter text = new Formatter(Locale.ROOT);
        for (int i = 0; i < book.settings().size(); i++) {
            int settings = i;
            text.format(
                    "%s, %s: %s.%n",
                    count(findings.size(), "claim"),
                    book.settings().get(i).name(),
                    Arrays.stream(Verdict.values())
                            .filter(verdict -> verdict != Verdict.VIOLATED || count(findings, settings, verdict) > 0)
                            .map(verdict -> count(findings, settings, verdict) + " " + verdict.words())
                            .collect(Collectors.joining(", ")));
        }
        long logged = findings.stream()
                .filter(finding -> finding.logged().isPresent())
                .count();
        if (logged > 0) {
            text.format(
                    "The authors' logs have the runs of %d; of their figures %d hold.%n",
                    logged,
                    findings.stream()
                            .filter(finding -> finding.logged().orElse(false))
                            .count());
        }
        return text.toString();
    }

    /** The number of runs that were made. */
    static String runs(List<Setup> runs, int conditions) {
        long modelled =
                runs.stream().filter(setup -> setup.network().isModelled()).count();
        return String.format(
                Locale.ROOT,
                "%s under each of %s%s.%n",
                count(runs.size(), "run"),
                count(conditions, "condition"),
                modelled == 0
                        ? ""
                        : modelled == runs.size() ? ", all MODELLED" : ", " + modelled + " of them MODELLED");
    }

    private static long count(List<Claim.Finding> findings, int settings, Verdict verdict) {
        return findings.stream()
                .filter(finding -> finding.outcomes().get(settings).verdict() == verdict)
                .count();
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
