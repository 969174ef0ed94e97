package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchJson;
import dev.rcc.bench.driver.BenchResult;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.node.ObjectNode;

/** The results of {@code rcc tune}, as text and as JSON. */
final class TuneReport {
    private TuneReport() {}

    /** The search to come. */
    static String header(BenchConfig config, TuneMethod method, int admissible) {
        Formatter text = new Formatter(Locale.ROOT);
        text.format("%s", Report.tuneHeader(config));
        text.format(
                "%s: %s of %d admissible codes for the stages %s%n%n",
                config.protocol().name(),
                method == TuneMethod.EXHAUSTIVE ? "exhaustive search" : "cherry-picking",
                admissible,
                String.join(", ", config.protocol().stages()));
        return text.toString();
    }

    /** The codes, the best first, and the best hybrid against the better uniform code. */
    static String ranking(Tuning tuning) {
        Formatter text = new Formatter(Locale.ROOT);
        text.format(
                "  %4s  %-10s %13s %10s %10s  %s%n",
                "rank", "code", "committed/s", "p99 us", "aborted %", "invariants");
        int rank = 1;
        for (BenchResult result : tuning.results()) {
            Histogram latency = result.metrics().latency();
            text.format(
                    "  %4d  %-10s %,13.0f %10s %10s  %s%n",
                    rank++,
                    BenchOptions.shortName(result.config().code()),
                    result.committedPerSecond(),
                    Report.micros(latency, 99),
                    Report.percent(result.abortRate()),
                    Report.state(result));
            text.format("%s", Report.troubles(result));
        }
        tuning.unmeasured().forEach(result -> text.format("%s", Report.unmeasured(result)));
        text.format("%n  %s%n%n", verdict(tuning));
        return text.toString();
    }

    /** All searches as one JSON object. */
    static String toJson(List<Tuning> tunings) {
        List<BenchResult> runs =
                tunings.stream().flatMap(tuning -> tuning.results().stream()).toList();
        return BenchJson.toText(runs, json -> {
            var array = json.putArray("tunings");
            tunings.forEach(tuning -> addTuning(array.addObject(), tuning));
        });
    }

    private static void addTuning(ObjectNode json, Tuning tuning) {
        BenchResult best = tuning.results().getFirst();
        json.put("protocol", best.config().protocol().name());
        json.put("method", tuning.method().label());
        if (best.committed() == 0) {
            return;
        }
        json.put("best_code", best.config().code().digits());
        tuning.bestHybrid()
                .ifPresent(result ->
                        json.put("best_hybrid_code", result.config().code().digits()));
        tuning.betterUniform()
                .ifPresent(result ->
                        json.put("better_uniform_code", result.config().code().digits()));
        ratio(tuning).ifPresent(ratio -> json.put("hybrid_to_uniform", ratio));
    }

    private static String verdict(Tuning tuning) {
        if (tuning.results().getFirst().committed() == 0) {
            return "With no code did a transaction commit, so none is the best: measure for longer (--seconds).";
        }
        Optional<BenchResult> hybrid = tuning.bestHybrid();
        Optional<BenchResult> uniform = tuning.betterUniform();
        if (hybrid.isEmpty() || uniform.isEmpty()) {
            return "The best code is "
                    + BenchOptions.shortName(
                            tuning.results().getFirst().config().code())
                    + "; there is no " + (hybrid.isEmpty() ? "mixed" : "uniform") + " one to compare it with.";
        }
        OptionalDouble ratio = ratio(tuning);
        return String.format(
                Locale.ROOT,
                "The best hybrid, %s, commits %s the better uniform code, %s.",
                hybrid.get().config().code().describe(),
                ratio.isPresent()
                        ? String.format(Locale.ROOT, "%.2f times as much as", ratio.getAsDouble())
                        : "transactions, unlike",
                BenchOptions.shortName(uniform.get().config().code()));
    }

    /** The throughput of the best hybrid to that of the better uniform code; empty if one is missing, or the latter committed nothing. */
    private static OptionalDouble ratio(Tuning tuning) {
        Optional<BenchResult> hybrid = tuning.bestHybrid();
        Optional<BenchResult> uniform = tuning.betterUniform().filter(result -> result.committed() > 0);
        return hybrid.isPresent() && uniform.isPresent()
                ? OptionalDouble.of(
                        hybrid.get().committedPerSecond() / uniform.get().committedPerSecond())
                : OptionalDouble.empty();
    }
}
