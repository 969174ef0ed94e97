package dev.rcc.bench.cli;

import dev.rcc.bench.driver.Manifest;
import dev.rcc.bench.verbs.Comparison;
import dev.rcc.bench.verbs.VerbsBenchConfig;
import dev.rcc.bench.verbs.VerbsTest.Measure;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The report of {@code rcc bench-verbs}, as a table and as JSON. */
final class BenchVerbsReport {
    private BenchVerbsReport() {}

    /** The lines above the table. */
    static String header(VerbsBenchConfig config) {
        return String.format(
                Locale.ROOT,
                "device %s, two processes each, polling; median of %d, in turn; queue depth %d in rate tests%n"
                        + "  %-14s %6s %8s %14s %14s %7s%n",
                config.device(),
                config.repetitions(),
                VerbsBenchConfig.QUEUE_DEPTH,
                "",
                "bytes",
                "messages",
                "perftest",
                "rcc",
                "ratio");
    }

    /** One line of the table. */
    static String line(Comparison comparison) {
        Measure measure = comparison.test().measure();
        return String.format(
                Locale.ROOT,
                "  %-14s %,6d %,8d %14s %14s %7.2f   (goal: at %s %.2f, %s)%n",
                comparison.test().program(),
                comparison.bytes(),
                comparison.iterations(),
                figure(measure, comparison.perftestMedian()),
                figure(measure, comparison.rccMedian()),
                comparison.ratio(),
                measure == Measure.LATENCY ? "most" : "least",
                measure.goal(),
                comparison.isGoalMet() ? "met" : "missed");
    }

    /** The lines below the table. */
    static String footer(List<Comparison> comparisons) {
        long met = comparisons.stream().filter(Comparison::isGoalMet).count();
        return String.format(Locale.ROOT, "goals: %d of %d met%n", met, comparisons.size());
    }

    /** The whole report as one JSON object, indented, with a line feed at its end. */
    static String json(VerbsBenchConfig config, List<Comparison> comparisons, Manifest manifest) {
        JsonMapper mapper = JsonMapper.builder().build();
        ObjectNode json = mapper.createObjectNode();
        json.put("device", config.device());
        json.put("repetitions", config.repetitions());
        json.put("queue_depth", VerbsBenchConfig.QUEUE_DEPTH);
        json.put("receive_depth", VerbsBenchConfig.RECEIVE_DEPTH);
        json.put("messages_per_completion", VerbsBenchConfig.MESSAGES_PER_COMPLETION);
        json.put("outstanding_reads", VerbsBenchConfig.OUTSTANDING_READS);
        json.put("goals_met", comparisons.stream().allMatch(Comparison::isGoalMet));
        for (Comparison comparison : comparisons) {
            ObjectNode test = json.withArray("tests").addObject();
            Measure measure = comparison.test().measure();
            test.put("test", comparison.test().program());
            test.put("bytes", comparison.bytes());
            test.put("messages", comparison.iterations());
            test.put("unit", measure == Measure.LATENCY ? "us" : "1/s");
            test.put("perftest", comparison.perftestMedian());
            test.put("rcc", comparison.rccMedian());
            test.put("ratio", comparison.ratio());
            test.put("goal", measure.goal());
            test.put("goal_met", comparison.isGoalMet());
            comparison.perftest().forEach(test.putArray("perftest_all")::add);
            comparison.rcc().forEach(test.putArray("rcc_all")::add);
        }
        ObjectNode origin = json.putObject("manifest");
        origin.put("version", manifest.version());
        origin.put("commit", manifest.commit());
        origin.put("jvm", manifest.jvm());
        origin.put("cores", manifest.cores());
        origin.put("os", manifest.os());
        origin.put("measured_at", manifest.measuredAt());
        return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
    }

    private static String figure(Measure measure, double figure) {
        return measure == Measure.LATENCY
                ? String.format(Locale.ROOT, "%,.2f %s", figure, measure.unit())
                : String.format(Locale.ROOT, "%,.0f %s", figure, measure.unit());
    }
}
