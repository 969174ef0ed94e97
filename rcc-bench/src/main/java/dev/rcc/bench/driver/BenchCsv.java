package dev.rcc.bench.driver;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.core.txn.CrossingMetrics;
import dev.rcc.core.txn.CrossingTally;
import dev.rcc.core.worker.Crossings.Measure;
import dev.rcc.transport.sim.SimOptions;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/**
 * Results as CSV (RFC 4180): a header, then a line for each run. Times are in microseconds, rates are shares from 0 to 1.
 * The options of the workload and of the protocol and the mean times of the stages have a column each, empty where a run has none. The counts
 * between data centres have columns, too, if a run has several data centres, and the costs of the hardware, if a run is simulated.
 */
public final class BenchCsv {
    private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

    private final Set<String> options = new LinkedHashSet<>();
    private final Set<String> protocolOptions = new LinkedHashSet<>();
    private final Set<String> settings = new TreeSet<>();
    private final Set<String> stages = new LinkedHashSet<>();
    /** The costs that some run changed in its profile. */
    private final Set<String> costs = new TreeSet<>();

    private boolean hasDatacenters;
    private boolean hasSimulation;
    private final boolean hasRounds;

    private BenchCsv(BenchTable table) {
        hasRounds = table.rows().stream().anyMatch(row -> row.estimate().hasInterval());
        for (BenchResult result : table.results()) {
            options.addAll(result.config().workload().options().keySet());
            protocolOptions.addAll(result.config().protocolOptions().keySet());
            settings.addAll(result.config().settings().keySet());
            stages.addAll(result.timers().stages());
            Optional<SimOptions> simulation = result.config().simulation();
            hasSimulation |= simulation.isPresent();
            simulation.ifPresent(each -> costs.addAll(each.costs().changes().keySet()));
            hasDatacenters |= result.crossings().isPresent();
        }
    }

    /** The CSV text of a table: row by row, a line for each run. */
    public static String toText(BenchTable table) {
        BenchCsv csv = new BenchCsv(table);
        List<String> lines = new ArrayList<>();
        lines.add(line(csv.header()));
        for (BenchTable.Row row : table.rows()) {
            row.results().forEach(result -> lines.add(line(csv.fields(row, result))));
        }
        return String.join("", lines);
    }

    private List<String> header() {
        List<String> header = new ArrayList<>(List.of(
                "protocol",
                "code",
                "workload",
                "fabric",
                "nodes",
                "workers",
                "coroutines",
                "replicas",
                "replication",
                "datacenters",
                "through",
                "clients",
                "connections",
                "seed",
                "measured_seconds",
                "committed",
                "attempted",
                "committed_per_s",
                "cpu_s",
                "committed_per_cpu_s",
                "client_cpu_s",
                "abort_rate",
                "round_trips_per_txn",
                "latency_mean_us",
                "latency_p50_us",
                "latency_p99_us",
                "latency_p999_us",
                "invariants",
                "warmup_seconds",
                "warmup_end",
                "processor_missing_share"));
        options.forEach(option -> header.add("option_" + option));
        stages.forEach(stage -> header.add("stage_" + stage + "_mean_us"));
        if (hasRounds) {
            header.addAll(List.of(
                    "row_median_per_s", "row_low_95_per_s", "row_high_95_per_s", "row_best_rank", "row_worst_rank"));
        }
        if (hasDatacenters) {
            addCrossingsHeader(header, "between_datacenters_");
            stages.forEach(stage -> addCrossingsHeader(header, "stage_" + stage + "_between_datacenters_"));
        }
        protocolOptions.forEach(option -> header.add("protocol_option_" + option));
        if (hasSimulation) {
            header.addAll(List.of("profile", "atomicity"));
            costs.forEach(cost -> header.add("cost_" + cost));
        }
        settings.forEach(setting -> header.add("setting_" + setting));
        return header;
    }

    private List<String> fields(BenchTable.Row row, BenchResult result) {
        BenchConfig config = result.config();
        Histogram latency = result.latency();
        List<String> fields = new ArrayList<>(List.of(
                config.protocol().name(),
                config.code().digits(),
                config.workload().name(),
                config.fabric(),
                Integer.toString(config.nodes()),
                Integer.toString(config.workers()),
                Integer.toString(config.coroutines()),
                Integer.toString(config.replicas()),
                config.replication(),
                config.zones().areNamed() ? config.zones().toString().replace(',', ' ') : "",
                BenchJson.through(config),
                config.load().map(load -> Integer.toString(load.clients())).orElse(""),
                config.load()
                        .map(load -> Integer.toString(load.options().connections()))
                        .orElse(""),
                Long.toString(config.seed()),
                number(result.measuredSeconds()),
                Long.toString(result.committed()),
                Long.toString(result.metrics().attempted()),
                number(result.committedPerSecond()),
                number(result.cpuSeconds()),
                number(result.committedPerCpuSecond()),
                number(result.clients().map(ClientMeasurements::cpuSeconds).orElse(OptionalDouble.empty())),
                number(result.abortRate()),
                number(result.roundTripsPerTransaction()),
                number(latency.getMean() / NANOS_PER_MICRO),
                number(latency.getValueAtPercentile(50) / NANOS_PER_MICRO),
                number(latency.getValueAtPercentile(99) / NANOS_PER_MICRO),
                number(latency.getValueAtPercentile(99.9) / NANOS_PER_MICRO),
                verdict(result),
                number(result.conditions().warmupSeconds()),
                result.conditions().warmupEnd().label(),
                result.conditions()
                        .processor()
                        .map(processor -> number(processor.missingShare()))
                        .orElse("")));
        options.forEach(option -> fields.add(config.workload().options().getOrDefault(option, "")));
        stages.forEach(stage -> fields.add(stageMean(result, stage)));
        if (hasRounds) {
            Estimate estimate = row.estimate();
            fields.addAll(List.of(
                    number(estimate.median()),
                    number(estimate.low()),
                    number(estimate.high()),
                    Integer.toString(row.bestRank()),
                    Integer.toString(row.worstRank())));
        }
        if (hasDatacenters) {
            addCrossings(fields, result, result.crossings().map(CrossingMetrics::transactions));
            stages.forEach(stage -> addCrossings(fields, result, ofStage(result, stage)));
        }
        protocolOptions.forEach(option -> fields.add(config.protocolOptions().getOrDefault(option, "")));
        if (hasSimulation) {
            Optional<SimOptions> simulation = config.simulation();
            fields.add(simulation.map(each -> each.costs().name()).orElse(""));
            fields.add(simulation.map(BenchJson::atomicity).orElse(""));
            costs.forEach(cost -> fields.add(simulation
                    .map(each -> each.costs().changes().getOrDefault(cost, ""))
                    .orElse("")));
        }
        settings.forEach(setting ->
                fields.add(config.settings().getOrDefault(setting, "").replace(',', ' ')));
        return fields;
    }

    private static void addCrossingsHeader(List<String> header, String prefix) {
        for (Measure measure : Measure.values()) {
            header.add(prefix + BenchJson.key(measure) + "_mean");
            header.add(prefix + BenchJson.key(measure) + "_max");
        }
    }

    private static Optional<CrossingTally> ofStage(BenchResult result, String stage) {
        int i = result.timers().stages().indexOf(stage);
        return i < 0 ? Optional.empty() : result.crossings().map(crossings -> crossings.stage(i));
    }

    private static void addCrossings(List<String> fields, BenchResult result, Optional<CrossingTally> tally) {
        for (Measure measure : Measure.values()) {
            fields.add(tally.map(each -> number(result.crossings().orElseThrow().mean(each, measure)))
                    .orElse(""));
            fields.add(tally.map(each -> Long.toString(each.max(measure))).orElse(""));
        }
    }

    /** {@code ok}, or what is wrong with the data and with the history. */
    private static String verdict(BenchResult result) {
        if (result.isOk()) {
            return "ok";
        }
        List<String> wrong = new ArrayList<>(result.violations());
        if (!result.history().map(CheckResult::isClean).orElse(true)) {
            wrong.add("the history is not serializable");
        }
        return String.join("; ", wrong);
    }

    private static String stageMean(BenchResult result, String stage) {
        int i = result.timers().stages().indexOf(stage);
        return i < 0 ? "" : number(result.timers().histogram(i).getMean() / NANOS_PER_MICRO);
    }

    private static String number(OptionalDouble value) {
        return value.isPresent() ? number(value.getAsDouble()) : "";
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.6g", value);
    }

    private static String line(List<String> fields) {
        return fields.stream().map(BenchCsv::quoted).collect(Collectors.joining(",", "", "\r\n"));
    }

    private static String quoted(String field) {
        boolean needsQuotes = field.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return needsQuotes ? '"' + field.replace("\"", "\"\"") + '"' : field;
    }
}
