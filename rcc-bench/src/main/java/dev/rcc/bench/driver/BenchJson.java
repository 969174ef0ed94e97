package dev.rcc.bench.driver;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.workload.KindMeasurements;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.CrossingMetrics;
import dev.rcc.core.txn.CrossingTally;
import dev.rcc.core.txn.StageTimers;
import dev.rcc.core.worker.Crossings;
import dev.rcc.core.worker.Crossings.Measure;
import dev.rcc.protocols.Protocols;
import dev.rcc.transport.sim.SimOptions;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A result as one JSON object: the run, its measurements, the verdict of the invariants, and the manifest. Times are in
 * microseconds, rates are shares from 0 to 1.
 */
public final class BenchJson {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private BenchJson() {}

    /** The JSON text, indented, with a line feed at its end. */
    public static String toText(BenchResult result) {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(toNode(result)) + "\n";
    }

    /**
     * Several results as one JSON object, indented, with a line feed at its end: {@code runs} is an array of the objects that
     * {@link #toText(BenchResult)} writes. The fields that {@code more} adds come before it.
     */
    public static String toText(List<BenchResult> results, Consumer<ObjectNode> more) {
        ObjectNode json = MAPPER.createObjectNode();
        more.accept(json);
        ArrayNode runs = json.putArray("runs");
        results.forEach(result -> runs.add(toNode(result)));
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json) + "\n";
    }

    /**
     * A table as one JSON object: {@code rows} are its rows, and {@code runs} the objects that {@link #toText(BenchResult)} writes, row by row.
     * The fields that {@code more} adds come before them.
     */
    public static String toText(BenchTable table, Consumer<ObjectNode> more) {
        return toText(table.results(), json -> {
            more.accept(json);
            ArrayNode rows = json.putArray("rows");
            table.rows().forEach(row -> addRow(rows.addObject(), row));
        });
    }

    private static void addRow(ObjectNode json, BenchTable.Row row) {
        BenchConfig config = row.results().getFirst().config();
        Estimate estimate = row.estimate();
        json.put("protocol", config.protocol().name());
        json.put("code", config.code().digits());
        json.put("sweep_value", row.group());
        json.put("runs", estimate.runs());
        ObjectNode throughput = json.putObject("committed_per_s");
        throughput.put("median", estimate.median());
        throughput.put("min", estimate.min());
        throughput.put("max", estimate.max());
        if (estimate.hasInterval()) {
            throughput.putArray("interval_95").add(estimate.low()).add(estimate.high());
            json.putObject("rank").put("best", row.bestRank()).put("worst", row.worstRank());
        }
        json.put("invariants", row.isOk() ? "ok" : "violated");
    }

    static ObjectNode toNode(BenchResult result) {
        BenchConfig config = result.config();
        ObjectNode json = MAPPER.createObjectNode();
        json.put("protocol", config.protocol().name());
        ObjectNode protocolOptions = json.putObject("protocol_options");
        config.protocolOptions().forEach(protocolOptions::put);
        json.put("code", config.code().digits());
        addCodeStages(json.putObject("code_stages"), config.protocol().stages(), config.code());
        json.put("workload", config.workload().name());
        ObjectNode options = json.putObject("workload_options");
        config.workload().options().forEach(options::put);
        json.put("fabric", config.fabric());
        config.simulation().ifPresent(simulation -> addSimulation(json.putObject("modelled"), simulation));
        json.put("nodes", config.nodes());
        json.put("workers", config.workers());
        json.put("coroutines", config.coroutines());
        json.put("replicas", config.replicas());
        json.put("replication", config.replication());
        ObjectNode settings = json.putObject("settings");
        new TreeMap<>(config.settings()).forEach(settings::put);
        ArrayNode datacenters = json.putArray("datacenters");
        if (config.zones().areNamed()) {
            IntStream.range(0, config.nodes()).mapToObj(config.zones()::nameOf).forEach(datacenters::add);
        }
        json.put("through", through(config));
        config.load().ifPresent(load -> {
            json.put("clients", load.clients());
            json.put("connections", load.options().connections());
        });
        json.put("warmup_seconds", config.times().warmupSeconds());
        json.put("warmup_max_seconds", config.times().warmupMaxSeconds());
        RunConditions conditions = result.conditions();
        json.putObject("warmup")
                .put("seconds", conditions.warmupSeconds())
                .put("end", conditions.warmupEnd().label());
        conditions
                .processor()
                .ifPresent(processor -> json.putObject("processor")
                        .put("run_s", processor.runNanos() / NANOS_PER_SECOND)
                        .put("wait_s", processor.waitNanos() / NANOS_PER_SECOND)
                        .put("is_short", conditions.lacksProcessor()));
        json.put("seconds", config.times().seconds());
        json.put("measured_seconds", result.measuredSeconds());
        json.put("seed", config.seed());
        json.put("committed", result.committed());
        json.put("attempted", result.metrics().attempted());
        json.put("committed_per_s", result.committedPerSecond());
        result.cpuSeconds().ifPresent(cpu -> json.put("cpu_s", cpu));
        result.committedPerCpuSecond().ifPresent(perCpu -> json.put("committed_per_cpu_s", perCpu));
        result.clients().ifPresent(clients -> {
            clients.cpuSeconds().ifPresent(cpu -> json.put("client_cpu_s", cpu));
            json.put("began_again", clients.triedAgain());
            json.put("gave_up", clients.gaveUp());
            json.put("not_in_time", clients.all().notInTime());
            json.put("table_full", clients.all().tableFull());
        });
        json.put("abort_rate", result.abortRate());
        ObjectNode aborts = json.putObject("aborts");
        for (AbortReason reason : Protocols.abortReasons().all()) {
            aborts.put(BenchResult.label(reason), result.metrics().aborts(reason));
        }
        addLatency(json.putObject("latency_us"), result.latency());
        if (!result.kinds().isEmpty()) {
            ObjectNode kinds = json.putObject("kinds");
            result.kinds().forEach(kind -> addKind(kinds.putObject(kind.name()), kind));
        }
        if (!result.workloadReport().isEmpty()) {
            ObjectNode report = json.putObject("workload_report");
            result.workloadReport().forEach(line -> report.put(line.key(), line.value()));
        }
        addStages(json.putObject("stages"), result.timers());
        json.put("round_trips_per_txn", result.roundTripsPerTransaction());
        result.crossings()
                .ifPresent(crossings -> addCrossings(
                        json.putObject("between_datacenters"),
                        crossings,
                        result.timers().stages()));
        if (config.protocol().executesFragments()) {
            json.putObject("executed_by")
                    .put("participants", result.committedByParticipants())
                    .put("coordinator", result.committedByCoordinators());
        }
        if (result.violations().isEmpty()) {
            json.put("invariants", "ok");
        } else {
            result.violations().forEach(json.putArray("invariants")::add);
        }
        result.history().ifPresent(checked -> addHistory(json.putObject("history"), checked));
        addManifest(json.putObject("manifest"), result.manifest());
        return json;
    }

    /** The executors of the transactions: the clients' mode, or {@code nodes}. */
    static String through(BenchConfig config) {
        return config.load().map(load -> load.mode().label()).orElse("nodes");
    }

    private static void addSimulation(ObjectNode json, SimOptions simulation) {
        json.put("profile", simulation.costs().name());
        simulation.costs().changes().forEach(json.putObject("changed_costs")::put);
        json.put("atomicity", atomicity(simulation));
        json.put("emulated_nodes", simulation.emulatedNodes());
    }

    /** The name of a simulated NIC's atomicity in JSON and CSV. */
    static String atomicity(SimOptions simulation) {
        return simulation.atomicity().name().toLowerCase(Locale.ROOT);
    }

    private static void addHistory(ObjectNode json, CheckResult checked) {
        json.put("model", checked.model().label());
        json.put("transactions", checked.transactions());
        json.put("edges", checked.edges());
        json.put("clean", checked.isClean());
        json.put("report", checked.report());
    }

    private static void addCodeStages(ObjectNode json, List<String> stages, HybridCode code) {
        for (int i = 0; i < stages.size(); i++) {
            json.put(stages.get(i), code.primitive(i).label());
        }
    }

    private static void addKind(ObjectNode json, KindMeasurements kind) {
        json.put("committed", kind.committed());
        json.put("gave_up", kind.gaveUp());
        json.put("not_in_time", kind.notInTime());
        ObjectNode aborts = json.putObject("aborts");
        kind.aborts().forEach((reason, count) -> aborts.put(BenchResult.label(reason), count));
        addLatency(json.putObject("latency_us"), kind.latency());
    }

    private static void addLatency(ObjectNode json, Histogram nanos) {
        json.put("p50", percentileMicros(nanos, 50));
        json.put("p90", percentileMicros(nanos, 90));
        json.put("p95", percentileMicros(nanos, 95));
        json.put("p99", percentileMicros(nanos, 99));
        json.put("p999", percentileMicros(nanos, 99.9));
        json.put("max", nanos.getMaxValue() / NANOS_PER_MICRO);
        json.put("mean", nanos.getMean() / NANOS_PER_MICRO);
    }

    private static void addStages(ObjectNode json, StageTimers timers) {
        for (int i = 0; i < timers.stages().size(); i++) {
            Histogram nanos = timers.histogram(i);
            ObjectNode stage = json.putObject(timers.stages().get(i));
            stage.put("count", timers.passages(i));
            stage.put("mean_us", nanos.getMean() / NANOS_PER_MICRO);
            stage.put("p99_us", percentileMicros(nanos, 99));
        }
    }

    /** Adds the mean and maximum of committed transactions. All other counts are added as sums, divided by the number of committed transactions. */
    private static void addCrossings(ObjectNode json, CrossingMetrics crossings, List<String> stages) {
        addTally(json.putObject("transaction"), crossings, crossings.transactions());
        ObjectNode byStage = json.putObject("stages");
        for (int i = 0; i < stages.size(); i++) {
            addTally(byStage.putObject(stages.get(i)), crossings, crossings.stage(i));
        }
        addPerTransaction(json.putObject("aborted"), crossings, crossings.aborted());
        addPerTransaction(json.putObject("shared"), crossings, crossings.shared());
    }

    private static void addTally(ObjectNode json, CrossingMetrics crossings, CrossingTally tally) {
        for (Measure measure : Measure.values()) {
            json.putObject(key(measure))
                    .put("mean", crossings.mean(tally, measure))
                    .put("max", tally.max(measure));
        }
    }

    private static void addPerTransaction(ObjectNode json, CrossingMetrics crossings, Crossings counted) {
        for (Measure measure : Measure.values()) {
            json.put(key(measure), crossings.perTransaction(counted.count(measure)));
        }
    }

    /** The name of a count between data centres in JSON and CSV. */
    static String key(Measure measure) {
        return measure.name().toLowerCase(Locale.ROOT);
    }

    private static void addManifest(ObjectNode json, Manifest manifest) {
        json.put("version", manifest.version());
        json.put("commit", manifest.commit());
        json.put("jvm", manifest.jvm());
        json.put("cores", manifest.cores());
        json.put("os", manifest.os());
        manifest.flags().forEach(json.putArray("flags")::add);
        json.put("max_heap_bytes", manifest.maxHeapBytes());
        json.put("measured_at", manifest.measuredAt());
    }

    private static double percentileMicros(Histogram nanos, double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MICRO;
    }
}
