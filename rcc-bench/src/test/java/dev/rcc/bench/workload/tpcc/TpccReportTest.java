package dev.rcc.bench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.workload.KindMeasurements;
import dev.rcc.bench.workload.ReportLine;
import dev.rcc.bench.workload.WorkloadRun;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class TpccReportTest {
    private static final TpccScale SCALE =
            new TpccScale(1, TpccScale.MAX_DISTRICTS, TpccScale.MAX_CUSTOMERS, TpccScale.MAX_ITEMS);

    @Test
    void shouldCountOnlyRefusedNewOrdersAsRolledBack() {
        ReportLine line = line("rollback_percent", measured(Kind.NEW_ORDER, 99, 0, 1, 40));
        assertThat(line.value()).isEqualTo(1);
    }

    @Test
    void shouldCountTransactionsThatCouldNotCommitInTimeAsLate() {
        ReportLine line = line(
                "response_times_within_limits",
                measured(Kind.NEW_ORDER, 95, 0, 50, 11),
                measured(Kind.PAYMENT, 95, 0, 0, 5),
                measured(Kind.ORDER_STATUS, 90, 10, 0, 0),
                measured(Kind.DELIVERY, 89, 11, 0, 0),
                measured(Kind.STOCK_LEVEL, 0, 0, 0, 1));
        assertThat(line.value()).isEqualTo(2);
        assertThat(line.remark()).startsWith("of 5 kinds that ran").endsWith("LATE: new-order, delivery, stock-level");
    }

    @Test
    void shouldJudgeOnlyKindsThatRan() {
        ReportLine line = line(
                "response_times_within_limits",
                measured(Kind.NEW_ORDER, 10, 0, 0, 0),
                measured(Kind.PAYMENT, 10, 0, 0, 0));
        assertThat(line.value()).isEqualTo(2);
        assertThat(line.remark()).startsWith("of 2 kinds that ran").doesNotContain("LATE");
    }

    /** A line of the report on these kinds; the others have not run. */
    private static ReportLine line(String key, KindMeasurements... ran) {
        List<KindMeasurements> kinds = Kind.labels().stream()
                .map(label -> List.of(ran).stream()
                        .filter(kind -> kind.name().equals(label))
                        .findFirst()
                        .orElseGet(() -> measured(Kind.ofLabel(label), 0, 0, 0, 0)))
                .toList();
        WorkloadRun run = new WorkloadRun(1, 60, kinds, new TpccTally().counts());
        return TpccReport.of(run, SCALE, false).stream()
                .filter(line -> line.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private static KindMeasurements measured(Kind kind, int inTime, int late, int refused, int notInTime) {
        Histogram latency = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        long limitNanos = TimeUnit.SECONDS.toNanos(kind.limitSeconds());
        latency.recordValueWithCount(limitNanos / 2, inTime);
        latency.recordValueWithCount(limitNanos * 2, late);
        return new KindMeasurements(kind.label(), inTime + late, refused, notInTime, latency, Map.of());
    }
}
