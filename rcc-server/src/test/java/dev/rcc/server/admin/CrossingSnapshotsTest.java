package dev.rcc.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.txn.CrossingMetrics;
import dev.rcc.core.txn.StageTimers;
import dev.rcc.core.txn.TransactionMetrics;
import dev.rcc.core.worker.Crossings.Measure;
import dev.rcc.server.node.Measurements;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class CrossingSnapshotsTest {
    @Test
    void shouldListCrossDatacenterTrafficByPhase() throws IOException {
        Measurements measured = new Measurements(new TransactionMetrics(), new StageTimers(List.of("lock", "log")));
        CrossingMetrics crossings = measured.metrics().crossings();
        crossings.transactions().add(Measure.MESSAGES, 100, 8);
        crossings.stage(0).add(Measure.MESSAGES, 30, 2);
        crossings.stage(1).add(Measure.MESSAGES, 60, 6);
        crossings.aborted().add(Measure.MESSAGES, 5);
        crossings.shared().add(Measure.MESSAGES, 7);
        MetricSnapshots.Builder snapshots = MetricSnapshots.builder();
        CrossingSnapshots.add(snapshots, Labels.of("node", "1"), measured);
        ByteArrayOutputStream page = new ByteArrayOutputStream();
        PrometheusTextFormatWriter.create().write(page, snapshots.build());
        assertThat(page.toString(StandardCharsets.UTF_8).lines())
                .contains(
                        "rcc_datacenter_messages_total{node=\"1\",phase=\"lock\"} 30.0",
                        "rcc_datacenter_messages_total{node=\"1\",phase=\"log\"} 60.0",
                        "rcc_datacenter_messages_total{node=\"1\",phase=\"outside\"} 10.0",
                        "rcc_datacenter_messages_total{node=\"1\",phase=\"aborted\"} 5.0",
                        "rcc_datacenter_messages_total{node=\"1\",phase=\"shared\"} 7.0",
                        "rcc_datacenter_messages_max{node=\"1\",phase=\"log\"} 6.0",
                        "rcc_datacenter_messages_max{node=\"1\",phase=\"all\"} 8.0",
                        "rcc_datacenter_round_trips_total{node=\"1\",phase=\"log\"} 0.0",
                        "rcc_datacenter_bytes_max{node=\"1\",phase=\"all\"} 0.0");
    }
}
