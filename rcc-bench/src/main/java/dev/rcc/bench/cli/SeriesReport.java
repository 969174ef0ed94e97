package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchResult;
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

    /** What is going to run, and the table's head. */
    static String header(BenchPlan plan) {
        Formatter text = new Formatter(Locale.ROOT);
        BenchConfig first = plan.runs().getFirst().config();
        text.format("%s", Report.seriesHeader(first, plan.runs().size(), plan.sweep()));
        text.format("  %-9s %-11s", "protocol", "code");
        if (!plan.sweep().isNone()) {
            text.format(" %" + SWEEP_COLUMN + "s", abbreviated(plan.sweep().key()));
        }
        text.format(
                " %13s %10s %9s %9s %9s  %s%n",
                "committed/s", "aborted %", "trips/txn", "p50 us", "p99 us", "invariants");
        return text.toString();
    }

    /** A run's line, and what is wrong with its data. */
    static String row(BenchPlan plan, BenchPlan.Run run, BenchResult result) {
        Formatter text = new Formatter(Locale.ROOT);
        text.format("  %-9s %-11s", result.config().protocol().name(), codeName(run, result));
        if (!plan.sweep().isNone()) {
            text.format(" %" + SWEEP_COLUMN + "s", run.sweepValue());
        }
        text.format(
                " %,13.0f %10s %9.2f %9s %9s  %s%n",
                result.committedPerSecond(),
                Report.percent(result.abortRate()),
                result.roundTripsPerTransaction(),
                Report.micros(result.latency(), 50),
                Report.micros(result.latency(), 99),
                Report.state(result));
        text.format("%s", Report.troubles(result));
        return text.toString();
    }

    /** Without a sweep: the mean time of every stage, one column a code (rcc, Figure 4). */
    static String footer(BenchPlan plan, List<BenchResult> results) {
        Formatter text = new Formatter(Locale.ROOT);
        if (plan.runs().stream().anyMatch(BenchPlan.Run::isHybrid)) {
            text.format("%n  * chosen by the stage latencies of rpc and one-sided%n");
        }
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
