package dev.rcc.server.admin;

import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.StageTimers;
import dev.rcc.core.txn.TransactionMetrics;
import dev.rcc.protocols.Protocols;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.server.NodeHost;
import dev.rcc.server.NodeServer;
import dev.rcc.server.durability.DurabilityCounters;
import dev.rcc.server.node.Measurements;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.CounterSnapshot.CounterDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * A node's counts and times for Prometheus. The workers count for themselves; each scrape adds their counts up once, so that a
 * node that is not scraped pays nothing.
 */
final class NodeMetrics {
    /** Prometheus's text format. */
    static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    /** 1 us to 10 s. */
    private static final long[] BOUNDS_NANOS = bounds();

    private static final Set<FabricCounter> OPERATIONS = Set.of(
            FabricCounter.READS,
            FabricCounter.WRITES,
            FabricCounter.WORD_WRITES,
            FabricCounter.SWAPS,
            FabricCounter.ADDITIONS,
            FabricCounter.CALLS,
            FabricCounter.SERVED_CALLS);

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final NodeHost host;

    NodeMetrics(NodeHost host, int id) {
        this.host = host;
        registry.config().commonTags("node", Integer.toString(id));
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        bindGc();
        gauge(
                "rcc.peers.missing",
                "Nodes that this one is not connected to.",
                node -> node.missing().size());
        gauge("rcc.memory.registered.bytes", "Memory that peers can reach.", NodeServer::registeredBytes);
        gauge("rcc.log.fill", "Share of the fullest log ring here that waits to be replayed.", NodeServer::logFill);
        if (host.serving().durability() != null) {
            bindDurability();
        }
        Labels labels = Labels.of("node", Integer.toString(id));
        registry.getPrometheusRegistry().register((MultiCollector) () -> collect(labels));
    }

    @SuppressWarnings("resource") // as long as the process
    private void bindGc() {
        new JvmGcMetrics().bindTo(registry);
    }

    private void bindDurability() {
        counter(
                "rcc.durability.forces",
                "Batches of the write-ahead log that were forced.",
                DurabilityCounters::forces);
        counter(
                "rcc.durability.force.seconds",
                "Time that forcing took.",
                counters -> counters.forceNanos() / NANOS_PER_SECOND);
        counter("rcc.durability.wal.bytes", "Bytes of the write-ahead log.", DurabilityCounters::walBytes);
        counter("rcc.durability.snapshots", "Snapshots that were completed.", DurabilityCounters::snapshots);
        counter(
                "rcc.durability.snapshots.failed",
                "Snapshots that failed; the log grows.",
                DurabilityCounters::failedSnapshots);
    }

    private void counter(String name, String description, ToDoubleFunction<DurabilityCounters> value) {
        FunctionCounter.builder(
                        name,
                        host,
                        h -> h.node()
                                .flatMap(NodeServer::durability)
                                .map(value::applyAsDouble)
                                .orElse(0.0))
                .description(description)
                .register(registry);
    }

    private void gauge(String name, String description, ToDoubleFunction<NodeServer> value) {
        Gauge.builder(name, host, h -> h.node().map(value::applyAsDouble).orElse(Double.NaN))
                .description(description)
                .register(registry);
    }

    void write(OutputStream out) throws IOException {
        registry.scrape(out, CONTENT_TYPE);
    }

    private MetricSnapshots collect(Labels labels) {
        MetricSnapshots.Builder snapshots = MetricSnapshots.builder();
        host.node().ifPresent(node -> {
            Measurements measured = node.measurements();
            addTransactions(snapshots, labels, measured);
            if (node.catalog().placement().zones().count() > 1) {
                CrossingSnapshots.add(snapshots, labels, measured);
            }
            addNetwork(snapshots, labels, node.networkCounters());
            addOverflow(snapshots, labels, node);
            node.lockMeasurements().ifPresent(locks -> addLocks(snapshots, labels, locks));
        });
        return snapshots.build();
    }

    /** Operations of the network are one metric, by kind; each of its other counters is a metric of its own. */
    private static void addNetwork(MetricSnapshots.Builder to, Labels labels, Map<FabricCounter, Long> counters) {
        CounterSnapshot.Builder operations = CounterSnapshot.builder()
                .name("rcc_fabric_operations")
                .help("What workers have posted to the network, and calls they were asked to serve, by kind.");
        counters.forEach((counter, value) -> {
            String name = counter.name().toLowerCase(Locale.ROOT);
            if (OPERATIONS.contains(counter)) {
                operations.dataPoint(counter(labels.add("kind", name.replace('_', '-')), value));
            } else {
                to.metricSnapshot(CounterSnapshot.builder()
                        .name("rcc_fabric_" + name)
                        .help("Counted by the network; not all networks do.")
                        .dataPoint(counter(labels, value))
                        .build());
            }
        });
        to.metricSnapshot(operations.build());
    }

    private static void addOverflow(MetricSnapshots.Builder to, Labels labels, NodeServer node) {
        GaugeSnapshot.Builder overflow = GaugeSnapshot.builder()
                .name("rcc_table_overflow_segments")
                .help("Overflow segments that are in use, of the partition of each table that uses the most here.");
        for (int id = 0; id < node.catalog().tables(); id++) {
            Table table = node.catalog().table(id);
            overflow.dataPoint(GaugeDataPointSnapshot.builder()
                    .labels(labels.add("table", table.toString()))
                    .value(node.overflow(table))
                    .build());
        }
        to.metricSnapshot(overflow.build());
    }

    private static void addLocks(MetricSnapshots.Builder to, Labels labels, NodeServer.LockMeasurements measured) {
        LockCounters counters = measured.counters();
        to.metricSnapshot(lockCounter(labels, "granted", "Locks that clients here were granted.", counters.grants));
        to.metricSnapshot(lockCounter(labels, "waited", "Those of them that were waited for.", counters.waits));
        to.metricSnapshot(lockCounter(
                labels, "timed_out", "Requests for locks that were not granted in time.", counters.timeouts));
        to.metricSnapshot(lockCounter(
                labels,
                "lost",
                "Locks whose lease ended or whose node was replaced, and places in queues that were lost.",
                counters.lost));
        to.metricSnapshot(lockCounter(
                labels, "resets", "Queues that were moved on past holders that seemed dead.", counters.resets));
        GaugeSnapshot.Builder names = GaugeSnapshot.builder()
                .name("rcc_locks_names")
                .help("Names of locks that are at home here, or were, by namespace.");
        measured.names()
                .forEach((namespace, count) -> names.dataPoint(GaugeDataPointSnapshot.builder()
                        .labels(labels.add("namespace", namespace))
                        .value(count)
                        .build()));
        to.metricSnapshot(names.build());
    }

    private static CounterSnapshot lockCounter(Labels labels, String name, String help, long value) {
        return CounterSnapshot.builder()
                .name("rcc_locks_" + name)
                .help(help)
                .dataPoint(counter(labels, value))
                .build();
    }

    private static void addTransactions(MetricSnapshots.Builder to, Labels labels, Measurements measured) {
        TransactionMetrics metrics = measured.metrics();
        StageTimers timers = measured.timers();
        CounterSnapshot.Builder aborts =
                CounterSnapshot.builder().name("rcc_aborts").help("Attempts that aborted, by reason.");
        for (AbortReason reason : Protocols.abortReasons().all()) {
            String label = reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
            aborts.dataPoint(counter(labels.add("reason", label), metrics.aborts(reason)));
        }
        HistogramSnapshot.Builder stages = HistogramSnapshot.builder()
                .name("rcc_stage_seconds")
                .help("Time of those passages through a stage that were timed, by stage.");
        CounterSnapshot.Builder passages =
                CounterSnapshot.builder().name("rcc_stage_passages").help("Passages through a stage, by stage.");
        for (int i = 0; i < timers.stages().size(); i++) {
            Labels stage = labels.add("stage", timers.stages().get(i));
            stages.dataPoint(histogram(stage, timers.histogram(i)));
            passages.dataPoint(counter(stage, timers.passages(i)));
        }
        to.metricSnapshot(CounterSnapshot.builder()
                        .name("rcc_commits")
                        .help("Transactions that committed.")
                        .dataPoint(counter(labels, metrics.committed()))
                        .build())
                .metricSnapshot(CounterSnapshot.builder()
                        .name("rcc_attempts")
                        .help("Attempts, committed or not.")
                        .dataPoint(counter(labels, metrics.attempted()))
                        .build())
                .metricSnapshot(CounterSnapshot.builder()
                        .name("rcc_round_trips")
                        .help("Sequential round trips of all attempts.")
                        .dataPoint(counter(labels, metrics.roundTrips()))
                        .build())
                .metricSnapshot(aborts.build())
                .metricSnapshot(HistogramSnapshot.builder()
                        .name("rcc_transaction_seconds")
                        .help("From a committed transaction's first attempt to its end.")
                        .dataPoint(histogram(labels, metrics.latency()))
                        .build())
                .metricSnapshot(stages.build())
                .metricSnapshot(passages.build());
    }

    static CounterDataPointSnapshot counter(Labels labels, long value) {
        return CounterDataPointSnapshot.builder()
                .labels(labels)
                .value((double) value)
                .build();
    }

    private static HistogramDataPointSnapshot histogram(Labels labels, Histogram nanos) {
        double[] bounds = new double[BOUNDS_NANOS.length + 1];
        long[] counts = new long[bounds.length];
        long below = 0;
        for (int i = 0; i < BOUNDS_NANOS.length; i++) {
            bounds[i] = BOUNDS_NANOS[i] / NANOS_PER_SECOND;
            long upTo = nanos.getCountBetweenValues(0, BOUNDS_NANOS[i]);
            counts[i] = upTo - below;
            below = upTo;
        }
        bounds[BOUNDS_NANOS.length] = Double.POSITIVE_INFINITY;
        counts[BOUNDS_NANOS.length] = nanos.getTotalCount() - below;
        return HistogramDataPointSnapshot.builder()
                .labels(labels)
                .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, counts))
                .sum(nanos.getMean() * nanos.getTotalCount() / NANOS_PER_SECOND)
                .build();
    }

    private static long[] bounds() {
        long[] bounds = new long[22];
        long decade = TimeUnit.MICROSECONDS.toNanos(1);
        for (int i = 0; i < bounds.length; i += 3) {
            bounds[i] = decade;
            if (i + 2 < bounds.length) {
                bounds[i + 1] = 2 * decade;
                bounds[i + 2] = 5 * decade;
            }
            decade *= 10;
        }
        return bounds;
    }
}
