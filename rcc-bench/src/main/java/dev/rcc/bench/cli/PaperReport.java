package dev.rcc.bench.cli;

import dev.rcc.bench.driver.Manifest;
import dev.rcc.bench.paper.Book;
import dev.rcc.bench.paper.Claim;
import dev.rcc.bench.paper.Row;
import dev.rcc.bench.paper.Scale;
import dev.rcc.bench.paper.Setup;
import dev.rcc.bench.paper.Verdict;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What papers claim and what was found, for people to read. */
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

    /** What is going to run; printed before it runs. */
    static String header(Book book, Scale scale) {
        Manifest manifest = Manifest.here();
        Formatter text = new Formatter(Locale.ROOT);
        text.format(
                "RCC %s (%s)  the paper %s: %s%n", manifest.version(), manifest.commit(), book.name(), book.title());
        for (Book.Section section : book.sections()) {
            text.format(
                    "  %-6s %s, %s%n",
                    section.number(), section.title(), count(section.claims().size(), "claim"));
        }
        List<Setup> setups = book.setups();
        text.format(
                "%s on %s%n",
                count(setups.size(), "run"),
                setups.stream()
                        .map(setup -> setup.network().describe())
                        .distinct()
                        .collect(Collectors.joining("; ")));
        text.format("%s, seed %d", shapes(setups), scale.seed());
        if (setups.stream().anyMatch(Setup::isScaled)) {
            text.format(", %,d records a node", scale.recordsPerNode());
        }
        text.format("%n");
        List<String> times =
                setups.stream().map(setup -> setup.times(scale)).distinct().toList();
        text.format("%s%n", String.join("; ", times));
        return text.format("%n").toString();
    }

    private static String shapes(List<Setup> setups) {
        List<String> shapes = setups.stream().map(Setup::cluster).distinct().toList();
        return shapes.size() > 1 ? shapes.size() + " shapes of clusters" : String.join("", shapes);
    }

    /** A claim, what was measured, and the verdict. */
    static String describe(Claim.Finding finding) {
        Claim claim = finding.claim();
        Formatter text = new Formatter(Locale.ROOT);
        text.format("%s, %s%n", finding.section(), claim.source());
        text.format(LINE, "the paper", claim.text());
        if (finding.verdict() != Verdict.NOT_TESTED) {
            text.format(LINE, "criterion", finding.reason());
        }
        String what = "measured";
        for (Row.Measured row : finding.rows()) {
            text.format(LINE, what, describe(row));
            what = "";
        }
        text.format(LINE, "verdict", verdict(finding));
        return text.format("%n").toString();
    }

    private static String verdict(Claim.Finding finding) {
        String word = finding.verdict().words().toUpperCase(Locale.ROOT);
        if (finding.verdict() == Verdict.NOT_TESTED) {
            return word + ": " + finding.reason();
        }
        boolean isModelled = finding.claim().readings().stream()
                .anyMatch(reading -> reading.setup().network().isModelled());
        return isModelled ? word + " (MODELLED)" : word;
    }

    private static String describe(Row.Measured row) {
        String values = row.values().stream().map(PaperReport::describe).collect(Collectors.joining(", "));
        return row.label() + ": " + values + (row.unit().isEmpty() ? "" : " " + row.unit());
    }

    private static String describe(Row.Value value) {
        String name = value.name();
        boolean endsInDigit = !name.isEmpty() && Character.isDigit(name.charAt(name.length() - 1));
        String paper = value.paper().isPresent()
                ? " (the paper: " + number(value.paper().getAsDouble()) + ")"
                : "";
        return name + (endsInDigit ? ": " : name.isEmpty() ? "" : " ") + number(value.value()) + paper;
    }

    /** With a sensible number of digits. */
    private static String number(double value) {
        double size = Math.abs(value);
        return String.format(
                Locale.ROOT,
                size >= 1000 ? "%,.0f" : size >= 10 ? "%.1f" : size >= 0.1 || size == 0 ? "%.2f" : "%.4f",
                value);
    }

    /** How many claims held; printed after all. */
    static String summary(List<Claim.Finding> findings, List<Setup> runs) {
        long modelled =
                runs.stream().filter(setup -> setup.network().isModelled()).count();
        return String.format(
                Locale.ROOT,
                "%s: %d held, %d not held, %d not tested; %s%s.%n",
                count(findings.size(), "claim"),
                count(findings, Verdict.HELD),
                count(findings, Verdict.NOT_HELD),
                count(findings, Verdict.NOT_TESTED),
                count(runs.size(), "run"),
                modelled == 0
                        ? ""
                        : modelled == runs.size() ? ", all MODELLED" : ", " + modelled + " of them MODELLED");
    }

    private static long count(List<Claim.Finding> findings, Verdict verdict) {
        return findings.stream().filter(finding -> finding.verdict() == verdict).count();
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }
}
