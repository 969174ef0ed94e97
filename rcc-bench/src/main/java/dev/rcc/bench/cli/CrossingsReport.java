package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.core.txn.CrossingMetrics;
import dev.rcc.core.txn.CrossingTally;
import dev.rcc.core.worker.Crossings;
import dev.rcc.core.worker.Crossings.Measure;
import dev.rcc.server.config.Replications;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;

/** Messages between data centres (redt, table 2), as text. */
final class CrossingsReport {
    private CrossingsReport() {}

    /** The crossings of one run: of each stage, and of the whole transaction; empty if there is only one data centre. */
    static String of(BenchResult result) {
        return result.crossings()
                .map(crossings -> ofStages(crossings, result.timers().stages()) + uncounted(result.config()))
                .orElse("");
    }

    private static String uncounted(BenchConfig config) {
        return config.replication().equals(Replications.RAFT)
                ? "    - not counted: messages of Raft's groups, which many transactions share; log takes a round trip more"
                        + " where a leader needs another data centre for its majority"
                        + System.lineSeparator()
                : "";
    }

    private static String ofStages(CrossingMetrics crossings, List<String> stages) {
        Formatter text = new Formatter(Locale.ROOT);
        head(text);
        for (int i = 0; i < stages.size(); i++) {
            tally(text, stages.get(i), crossings, crossings.stage(i));
        }
        tally(text, "all", crossings, crossings.transactions());
        perTransaction(text, "aborted attempts", crossings, crossings.aborted());
        perTransaction(text, "shared", crossings, crossings.shared());
        return text.toString();
    }

    /**
     * The crossings of several runs, for the whole transaction of each; empty if there is only one data centre.
     *
     * @param names the name of each run
     */
    static String of(List<String> names, List<BenchResult> results) {
        Formatter text = new Formatter(Locale.ROOT);
        for (int i = 0; i < results.size(); i++) {
            String name = names.get(i);
            if (i == 0 && results.get(i).crossings().isPresent()) {
                head(text);
            }
            results.get(i).crossings().ifPresent(crossings -> tally(text, name, crossings, crossings.transactions()));
        }
        return text.toString();
    }

    private static void head(Formatter text) {
        text.format(
                "%n  %-23s %21s %21s %21s%n",
                "between data centres,", "round trips", "messages one way", "payload bytes");
        text.format("  %-23s", "of committed txns");
        for (int i = 0; i < Measure.COUNT; i++) {
            text.format(" %10s %10s", "mean", "max");
        }
        text.format("%n");
    }

    private static void tally(Formatter text, String name, CrossingMetrics crossings, CrossingTally tally) {
        text.format("  %-23s", name);
        for (Measure measure : Measure.values()) {
            text.format(" %,10.2f %,10d", crossings.mean(tally, measure), tally.max(measure));
        }
        text.format("%n");
    }

    private static void perTransaction(Formatter text, String name, CrossingMetrics crossings, Crossings counted) {
        text.format("  %-23s", name);
        for (Measure measure : Measure.values()) {
            text.format(" %,10.2f %10s", crossings.perTransaction(counted.count(measure)), "");
        }
        text.format("%n");
    }
}
