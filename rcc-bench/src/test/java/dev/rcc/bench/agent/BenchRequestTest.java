package dev.rcc.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.ClientLoad;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.client.ClientOptions;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.CrossingMetrics;
import dev.rcc.core.worker.Crossings.Measure;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.node.Measurements;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Messages between driver and agents arrive as they were sent. */
class BenchRequestTest {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    @Test
    void shouldArriveAsItWasSentWithoutTheDefaults() {
        var protocol = Protocols.byName("waitdie");
        BenchConfig config = BenchConfig.local(
                protocol,
                HybridCode.parse(protocol, "1011"),
                Workloads.create("smallbank", Map.of("accounts", "500")),
                new BenchConfig.Shape(3, 2, 4, 2),
                new BenchConfig.Times(0, 1),
                -7);
        BenchRequest sent = BenchRequest.of(config, Optional.of(new BenchRequest.Faults(1.5, 7, "notes")), 12345);
        assertThat(BenchRequest.parse(sent.toJson())).isEqualTo(sent);
        assertThat(sent.properties()).containsExactly("accounts=500");
        assertThat(sent.options())
                .containsEntry("--protocol", "waitdie")
                .containsEntry("--code", "1011")
                .containsEntry("--workers", "2")
                .containsEntry("--seed", "-7")
                .containsEntry("--seconds", "1.0")
                .doesNotContainKey("--check")
                .doesNotContainKey("--through");
    }

    @Test
    void shouldPassTheClientLoadAsOptions() {
        var protocol = Protocols.byName("nowait");
        ClientOptions access = ClientOptions.DEFAULT.withConnections(3, Duration.ofSeconds(1));
        BenchConfig config = BenchConfig.local(
                        protocol,
                        HybridCode.parse(protocol, "rpc"),
                        Workloads.create("ycsb", Map.of()),
                        new BenchConfig.Shape(3, 1, 1, 1),
                        new BenchConfig.Times(0, 1),
                        0)
                .withLoad(new ClientLoad(ClientLoad.Mode.PROCEDURES, 7, access));
        assertThat(BenchRequest.of(config, Optional.empty(), 0).options())
                .containsEntry("--through", "procedures")
                .containsEntry("--clients", "7")
                .containsEntry("--connections", "3");
    }

    @Test
    void shouldCarryMeasurementsWhole() {
        var protocol = Protocols.byName("nowait");
        Measurements sent = Measurements.none(protocol);
        Histogram times = new Histogram(1, 60_000_000_000L, 3);
        for (int i = 1; i < 1_000; i++) {
            times.recordValue(i * 1_000L);
        }
        sent.metrics()
                .add(999, 1_004, 2, 3_000, 700, Map.of(AbortReason.LOCK_CONFLICT, 4L, AbortReason.LOG_FULL, 1L), times);
        sent.timers().add(2, 77, times);
        CrossingMetrics crossings = sent.metrics().crossings();
        crossings.addCommitted(500);
        crossings.transactions().add(Measure.MESSAGES, 2_000, 12);
        crossings.stage(1).add(Measure.ROUND_TRIPS, 500, 2);
        crossings.aborted().add(Measure.BYTES, 77);
        crossings.shared().add(Measure.MESSAGES, 33);
        ObjectNode json = MAPPER.createObjectNode();
        MeasurementsJson.write(sent, json);
        Measurements got = MeasurementsJson.read(MAPPER.readTree(json.toString()), protocol);
        assertThat(got.metrics().committed()).isEqualTo(999);
        assertThat(got.metrics().attempted()).isEqualTo(1_004);
        assertThat(got.metrics().gaveUp()).isEqualTo(2);
        assertThat(got.metrics().roundTrips()).isEqualTo(3_000);
        assertThat(got.metrics().committedByParticipants()).isEqualTo(700);
        assertThat(got.metrics().aborts(AbortReason.LOCK_CONFLICT)).isEqualTo(4);
        assertThat(got.metrics().aborts(AbortReason.LOG_FULL)).isEqualTo(1);
        assertThat(got.metrics().latency()).isEqualTo(sent.metrics().latency());
        CrossingMetrics gotCrossings = got.metrics().crossings();
        assertThat(gotCrossings.committed()).isEqualTo(500);
        assertThat(gotCrossings.transactions().sum(Measure.MESSAGES)).isEqualTo(2_000);
        assertThat(gotCrossings.transactions().max(Measure.MESSAGES)).isEqualTo(12);
        assertThat(gotCrossings.stage(1).sum(Measure.ROUND_TRIPS)).isEqualTo(500);
        assertThat(gotCrossings.stage(1).max(Measure.ROUND_TRIPS)).isEqualTo(2);
        assertThat(gotCrossings.aborted().count(Measure.BYTES)).isEqualTo(77);
        assertThat(gotCrossings.shared().count(Measure.MESSAGES)).isEqualTo(33);
        assertThat(got.timers().passages(2)).isEqualTo(77);
        assertThat(got.timers().histogram(2)).isEqualTo(sent.timers().histogram(2));
    }
}
