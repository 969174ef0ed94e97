package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.driver.BenchTable;
import dev.rcc.bench.driver.Estimate;
import dev.rcc.core.txn.StageTimers;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The results of several runs as one table, and where the time of the stages goes. */
final class SeriesReport {
    private static final int SWEEP_COLUMN = 12;

    private SeriesReport() {}

    /** The runs to come, and the table's head. */
    static String header(BenchPlan plan) {
        Formatter text = new Formatter(Locale.ROOT);
        BenchConfig first = plan.runs().getFirst().config();
        text.format("%s", Report.seriesHeader(first, plan.runs().size(), plan.rounds(), plan.sweep()));
        if (plan.rounds() == 1) {
            columns(text, plan);
            text.format(
                    " %13s %10s %9s %9s %9s  %s%n",
                    "committed/s", "aborted %", "trips/txn", "p50 us", "p99 us", "invariants");
        }
        return text.toString();
    }

    /** The head of the columns that identify a line's run. */
    private static void columns(Formatter text, BenchPlan plan) {
        text.format("  %-9s %-11s", "protocol", "code");
        if (!plan.sweep().isNone()) {
            text.format(" %" + SWEEP_COLUMN + "s", abbreviated(plan.sweep().key()));
        }
    }

    /** The columns that identify a line's run. */
    private static void name(Formatter text, BenchPlan plan, BenchPlan.Run run, BenchResult result) {
        text.format("  %-9s %-11s", result.config().protocol().name(), codeName(run, result));
        if (!plan.sweep().isNone()) {
            text.format(" %" + SWEEP_COLUMN + "s", run.sweepValue());
        }
    }

    /** The line for one of several rounds of a run, which has ended. */
    static String progress(BenchPlan plan, BenchPlan.Run run, BenchResult result, int round) {
        Formatter text = new Formatter(Locale.ROOT);
        name(text, plan, run, result);
        text.format(
                " %,13.0f /s   round %d of %d%s%n",
                result.committedPerSecond(),
                round + 1,
                plan.rounds(),
                result.isOk() ? "" : ", " + Report.state(result));
        text.format("%s%s", Report.troubles(result), Report.conditions(result));
        return text.toString();
    }

    /** The rows, when all rounds are over: the throughput over all rounds, the other figures of the median run. */
    static String table(BenchPlan plan, BenchTable table) {
        Formatter text = new Formatter(Locale.ROOT);
        text.format("%n");
        columns(text, plan);
        text.format(
                " %11s %8s %23s %7s %10s %9s %9s %9s  %s%n",
                "median/s",
                "spread %",
                "95 % of means/s",
                "rank",
                "aborted %",
                "trips/txn",
                "p50 us",
                "p99 us",
                "invariants");
        for (int i = 0; i < plan.runs().size(); i++) {
            BenchTable.Row row = table.rows().get(i);
            BenchResult median = row.median();
            Estimate estimate = row.estimate();
            name(text, plan, plan.runs().get(i), median);
            text.format(
                    " %,11.0f %8s %,11.0f-%,11.0f %7s %10s %9.2f %9s %9s  %s%n",
                    estimate.median(),
                    Report.percent(estimate.spread()),
                    Math.max(0, estimate.low()),
                    estimate.high(),
                    rank(row),
                    Report.percent(median.abortRate()),
                    median.roundTripsPerTransaction(),
                    Report.micros(median.latency(), 50),
                    Report.micros(median.latency(), 99),
                    row.results().stream()
                            .filter(result -> !result.isOk())
                            .findFirst()
                            .map(Report::state)
                            .orElseGet(() -> Report.state(median)));
        }
        if (table.rows().stream().anyMatch(row -> !row.isRanked())) {
            text.format("%n  a rank such as 1-3: intervals overlap, so it is not known which of these places it has%n");
        }
        return text.toString();
    }

    private static String rank(BenchTable.Row row) {
        return row.isRanked() ? Integer.toString(row.bestRank()) : row.bestRank() + "-" + row.worstRank();
    }

    /** A run's line, and the troubles of its data. */
    static String row(BenchPlan plan, BenchPlan.Run run, BenchResult result) {
        Formatter text = new Formatter(Locale.ROOT);
        name(text, plan, run, result);
        text.format(
                " %,13.0f %10s %9.2f %9s %9s  %s%n",
                result.committedPerSecond(),
                Report.percent(result.abortRate()),
                result.roundTripsPerTransaction(),
                Report.micros(result.latency(), 50),
                Report.micros(result.latency(), 99),
                Report.state(result));
        text.format("%s%s", Report.troubles(result), Report.conditions(result));
        return text.toString();
    }

    /** Messages between data centres; without a sweep also the mean time of every stage, one column a code (rcc, Figure 4). */
    static String footer(BenchPlan plan, BenchTable table) {
        Formatter text = new Formatter(Locale.ROOT);
        List<BenchResult> results =
                table.rows().stream().map(BenchTable.Row::median).toList();
        if (plan.rounds() == 1) {
            text.format("%n  one run each: differences may be chance; use --repeat to find out%n");
        }
        if (plan.runs().stream().anyMatch(BenchPlan.Run::isHybrid)) {
            text.format("%n  * chosen by the stage latencies of rpc and one-sided%n");
        }
        text.format("%s", CrossingsReport.of(names(plan, results), results));
        if (!plan.sweep().isNone()) {
            return text.toString();
        }
        Map<String, List<Integer>> byProtocol = new LinkedHashMap<>();
        for (int i = 0; i < results.size(); i++) {
            String protocol = results.get(i).config().protocol().name();
            byProtocol.computeIfAbsent(protocol, name -> new ArrayList<>()).add(i);
        }
        text.format("%n  mean time of a stage in us, of those that passed through it%n");
        byProtocol.values().forEach(runs -> stages(text, plan, results, runs));
        return text.toString();
    }

    private static List<String> names(BenchPlan plan, List<BenchResult> results) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            BenchPlan.Run run = plan.runs().get(i);
            BenchResult result = results.get(i);
            names.add(
                    (result.config().protocol().name() + " " + codeName(run, result) + " " + run.sweepValue()).strip());
        }
        return names;
    }

    private static void stages(Formatter text, BenchPlan plan, List<BenchResult> results, List<Integer> runs) {
        BenchConfig config = results.get(runs.getFirst()).config();
        text.format("  %-9s %-11s", config.protocol().name(), "stage");
        runs.forEach(run -> text.format(" %13s", codeName(plan.runs().get(run), results.get(run))));
        text.format("%n");
        for (int stage = 0; stage < config.protocol().stages().size(); stage++) {
            text.format("  %-9s %-11s", "", config.protocol().stages().get(stage));
            for (int run : runs) {
                StageTimers timers = results.get(run).timers();
                text.format(
                        " %13s",
                        timers.passages(stage) == 0
                                ? "-"
                                : Report.micros(timers.histogram(stage).getMean()));
            }
            text.format("%n");
        }
    }

    private static String codeName(BenchPlan.Run run, BenchResult result) {
        return run.isHybrid()
                ? result.config().code().digits() + " *"
                : BenchOptions.shortName(result.config().code());
    }

    private static String abbreviated(String key) {
        return key.length() <= SWEEP_COLUMN ? key : key.substring(0, SWEEP_COLUMN - 1) + ".";
    }
}
