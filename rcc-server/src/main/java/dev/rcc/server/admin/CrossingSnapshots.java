package dev.rcc.server.admin;

import dev.rcc.core.txn.CrossingMetrics;
import dev.rcc.core.worker.Crossings.Measure;
import dev.rcc.server.node.Measurements;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot.GaugeDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.List;
import java.util.Locale;

/** A node's counts of messages to other data centres, for Prometheus. */
final class CrossingSnapshots {
    private static final String PHASE = "phase";

    private CrossingSnapshots() {}

    static void add(MetricSnapshots.Builder to, Labels labels, Measurements measured) {
        for (Measure measure : Measure.values()) {
            add(to, labels, measured, measure);
        }
    }

    private static void add(MetricSnapshots.Builder to, Labels labels, Measurements measured, Measure measure) {
        CrossingMetrics crossings = measured.metrics().crossings();
        List<String> stages = measured.timers().stages();
        String name = "rcc_datacenter_" + measure.name().toLowerCase(Locale.ROOT);
        CounterSnapshot.Builder sums = CounterSnapshot.builder().name(name).help(help(measure) + ", by phase.");
        GaugeSnapshot.Builder maxima = GaugeSnapshot.builder()
                .name(name + "_max")
                .help(help(measure) + ": the most of one committed transaction, by phase.");
        long outside = crossings.transactions().sum(measure);
        for (int i = 0; i < stages.size(); i++) {
            Labels stage = labels.add(PHASE, stages.get(i));
            sums.dataPoint(NodeMetrics.counter(stage, crossings.stage(i).sum(measure)));
            maxima.dataPoint(gauge(stage, crossings.stage(i).max(measure)));
            outside -= crossings.stage(i).sum(measure);
        }
        sums.dataPoint(NodeMetrics.counter(labels.add(PHASE, "outside"), outside));
        sums.dataPoint(NodeMetrics.counter(
                labels.add(PHASE, "aborted"), crossings.aborted().count(measure)));
        sums.dataPoint(NodeMetrics.counter(
                labels.add(PHASE, "shared"), crossings.shared().count(measure)));
        maxima.dataPoint(
                gauge(labels.add(PHASE, "all"), crossings.transactions().max(measure)));
        to.metricSnapshot(sums.build()).metricSnapshot(maxima.build());
    }

    private static String help(Measure measure) {
        return switch (measure) {
            case ROUND_TRIPS -> "Waits of transactions for messages from other data centres";
            case MESSAGES -> "Messages between data centres, one way, that this node has requested";
            case BYTES -> "Payload of the messages between data centres that this node has requested";
        };
    }

    private static GaugeDataPointSnapshot gauge(Labels labels, long value) {
        return GaugeDataPointSnapshot.builder()
                .labels(labels)
                .value((double) value)
                .build();
    }
}
