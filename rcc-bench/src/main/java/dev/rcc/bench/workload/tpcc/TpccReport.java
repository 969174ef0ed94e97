package dev.rcc.bench.workload.tpcc;

import dev.rcc.bench.workload.KindMeasurements;
import dev.rcc.bench.workload.ReportLine;
import dev.rcc.bench.workload.WorkloadRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** TPC-C's lines in the report of a run: tpmC, response times, and whether the inputs meet the standard. */
final class TpccReport {
    /** The most that a warehouse's terminals reach with the standard's waiting times. */
    static final double MAX_TPMC_PER_WAREHOUSE = 12.86;

    private static final double SECONDS_PER_MINUTE = 60;
    private static final double PERCENT = 100;
    /** The share of the transactions of a kind that must be in time (5.2.5.3). */
    private static final double SHARE_IN_TIME = 0.9;

    private TpccReport() {}

    /**
     * The report of a run.
     *
     * @param scale the scale of the tables
     * @param waits whether terminals wait as the standard requires
     */
    static List<ReportLine> of(WorkloadRun run, TpccScale scale, boolean waits) {
        KindMeasurements newOrder = run.kinds().get(Kind.NEW_ORDER.number());
        List<ReportLine> lines = new ArrayList<>();
        double tpmc = newOrder.committed() / run.seconds() * SECONDS_PER_MINUTE;
        lines.add(new ReportLine("tpmc", "tpmC", tpmc, remark(tpmc, scale, waits)));
        List<KindMeasurements> ran =
                run.kinds().stream().filter(TpccReport::hasRun).toList();
        lines.add(new ReportLine(
                "response_times_within_limits",
                "in time",
                ran.stream().filter(TpccReport::isInTime).count(),
                "of " + ran.size()
                        + " kinds that ran have 90 % of their response times within the limits of 5.2.5.3"
                        + late(ran)));
        Map<String, Long> counts = run.counts();
        lines.add(new ReportLine(
                "rollback_percent",
                "rolled back",
                share(newOrder.refused(), newOrder.refused() + newOrder.committed()),
                "% of NewOrders"));
        lines.add(new ReportLine(
                "remote_line_percent",
                "remote lines",
                share(counts.get(TpccTally.REMOTE_LINES), counts.get(TpccTally.LINES)),
                "% of order lines"));
        lines.add(new ReportLine(
                "remote_payment_percent",
                "remote paid",
                share(counts.get(TpccTally.REMOTE_PAYMENTS), counts.get(TpccTally.PAYMENTS)),
                "% of payments"));
        lines.add(new ReportLine(
                "skipped_deliveries",
                "skipped",
                counts.get(TpccTally.SKIPPED),
                "districts in which Delivery found no new order"));
        long looks = counts.getOrDefault(TpccTally.LOOKS, 0L);
        long violations = Look.CONDITIONS.stream()
                .mapToLong(condition -> TpccTally.violations(counts, condition))
                .sum();
        lines.add(new ReportLine(
                "looks",
                "checks",
                looks,
                "of conditions 1, 2, 3, 5, 6, 7 and 12 of a district while clients ran; " + violations + " violated"));
        return lines;
    }

    private static String remark(double tpmc, TpccScale scale, boolean waits) {
        String text = "NewOrders a minute, on " + scale.warehouses() + " warehouses";
        if (!scale.isStandard()) {
            text += "; NOT TPC-C's scale: " + scale.districts() + " districts, " + scale.customers() + " customers, "
                    + scale.items() + " items";
        }
        if (!waits) {
            return text + "; no waiting times, so no result of TPC-C";
        }
        double each = tpmc / scale.warehouses();
        return text
                + String.format(
                        Locale.ROOT,
                        "; %.2f for each, of %.2f at most%s",
                        each,
                        MAX_TPMC_PER_WAREHOUSE,
                        each > MAX_TPMC_PER_WAREHOUSE ? ": TOO MANY" : "");
    }

    private static boolean hasRun(KindMeasurements kind) {
        return kind.committed() + kind.notInTime() > 0;
    }

    /** Whether enough transactions were in time. Those that could not commit in time have no response time, and are late. */
    private static boolean isInTime(KindMeasurements kind) {
        long limitNanos = TimeUnit.SECONDS.toNanos(Kind.ofLabel(kind.name()).limitSeconds());
        return kind.latency().getCountBetweenValues(0, limitNanos - 1)
                >= SHARE_IN_TIME * (kind.committed() + kind.notInTime());
    }

    private static String late(List<KindMeasurements> kinds) {
        List<String> late = kinds.stream()
                .filter(kind -> !isInTime(kind))
                .map(KindMeasurements::name)
                .toList();
        return late.isEmpty() ? "" : "; LATE: " + String.join(", ", late);
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : PERCENT * part / whole;
    }
}
