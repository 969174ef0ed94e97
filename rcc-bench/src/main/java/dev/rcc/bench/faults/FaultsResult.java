package dev.rcc.bench.faults;

import dev.rcc.bench.history.History;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The result of a run with faults at random. */
public final class FaultsResult {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final List<RandomFaults.Outage> outages;
    private final int planned;
    private final String whyNoFurther;
    private final long committed;
    private final long stuckKeys;
    private final long unreadKeys;
    private final AcknowledgedWork work;
    private final List<String> violations;
    private final List<String> remarks;

    FaultsResult(
            List<RandomFaults.Outage> outages,
            int planned,
            String whyNoFurther,
            long committed,
            long stuckKeys,
            long unreadKeys,
            AcknowledgedWork work,
            List<String> violations,
            List<String> remarks) {
        this.outages = outages;
        this.planned = planned;
        this.whyNoFurther = whyNoFurther;
        this.committed = committed;
        this.stuckKeys = stuckKeys;
        this.unreadKeys = unreadKeys;
        this.work = work;
        this.violations = violations;
        this.remarks = remarks;
    }

    /** Whether there is no violation and no anomaly. */
    public boolean isClean() {
        return violations.isEmpty() && work.checked().isClean();
    }

    /** Writes the history of all attempts of all clients, as {@code rcc check} reads it. */
    public void writeHistory(Path file) throws IOException {
        History history = work.history();
        history.write(file);
    }

    /** The result for people: a table of faults by kind, counts, and all violations. */
    public String report() {
        Formatter text = new Formatter(Locale.ROOT);
        text.format(
                "%n%-12s %5s   %-29s   %-29s   %s%n",
                "", "", "longest gap between commits", "the same on its return", "whole again");
        text.format(
                "%-12s %5s   %8s %8s %8s ms   %8s %8s %8s ms   %8s %8s ms%n",
                "fault", "count", "p50", "p99", "max", "p50", "p99", "max", "p50", "max");
        for (FaultKind kind : FaultKind.values()) {
            row(
                    text,
                    kind.label(),
                    outages.stream()
                            .filter(outage -> outage.fault().kind() == kind)
                            .toList());
        }
        row(text, "all", outages);
        text.format(
                "%n%,d of %,d faults%s, %,d transactions and %,d writes acknowledged, %,d commits of unknown outcome, asked for again (%,d unanswered)%n",
                outages.size(),
                planned,
                whyNoFurther.isEmpty() ? "" : " (no further: " + whyNoFurther + ")",
                committed,
                work.acknowledged(),
                work.unknown(),
                work.unanswered());
        text.format(
                "lost %,d, untruthful %,d, half %,d, keys stuck %,d; history: %s",
                work.lost(),
                work.untruthful(),
                work.halves(),
                stuckKeys,
                work.checked().report());
        if (unreadKeys > 0) {
            text.format(
                    "%,d keys could not be read at the end: it is unknown whether the writes to them are there%n",
                    unreadKeys);
        }
        remarks.forEach(remark -> text.format("note: %s%n", remark));
        violations.forEach(
                violation -> text.format("%s%s%n", violation.startsWith(" ") ? "" : "VIOLATION: ", violation));
        return text.toString();
    }

    private static void row(Formatter text, String name, List<RandomFaults.Outage> some) {
        if (!some.isEmpty()) {
            text.format(
                    "%-12s %5d   %8d %8d %8d      %8d %8d %8d      %8d %8d%n",
                    name,
                    some.size(),
                    RandomFaults.Outage.millis(some, 50, RandomFaults.Outage::gapNanos),
                    RandomFaults.Outage.millis(some, 99, RandomFaults.Outage::gapNanos),
                    RandomFaults.Outage.millis(some, 100, RandomFaults.Outage::gapNanos),
                    RandomFaults.Outage.millis(some, 50, RandomFaults.Outage::returnGapNanos),
                    RandomFaults.Outage.millis(some, 99, RandomFaults.Outage::returnGapNanos),
                    RandomFaults.Outage.millis(some, 100, RandomFaults.Outage::returnGapNanos),
                    RandomFaults.Outage.millis(some, 50, RandomFaults.Outage::returnNanos),
                    RandomFaults.Outage.millis(some, 100, RandomFaults.Outage::returnNanos));
        }
    }

    /** The result as JSON, after the fields of {@code json}. */
    public String toJson(ObjectNode json) {
        var faults = json.putArray("faults");
        for (RandomFaults.Outage outage : outages) {
            faults.addObject()
                    .put("number", outage.fault().number())
                    .put("kind", outage.fault().kind().label())
                    .put("what", outage.fault().describe())
                    .put("gap_ms", TimeUnit.NANOSECONDS.toMillis(outage.gapNanos()))
                    .put("return_gap_ms", TimeUnit.NANOSECONDS.toMillis(outage.returnGapNanos()))
                    .put("return_ms", TimeUnit.NANOSECONDS.toMillis(outage.returnNanos()));
        }
        var kinds = json.putObject("kinds");
        for (FaultKind kind : FaultKind.values()) {
            List<RandomFaults.Outage> some = outages.stream()
                    .filter(outage -> outage.fault().kind() == kind)
                    .toList();
            if (!some.isEmpty()) {
                kinds.putObject(kind.label())
                        .put("count", some.size())
                        .put("gap_ms_p50", RandomFaults.Outage.millis(some, 50, RandomFaults.Outage::gapNanos))
                        .put("gap_ms_p99", RandomFaults.Outage.millis(some, 99, RandomFaults.Outage::gapNanos))
                        .put("gap_ms_max", RandomFaults.Outage.millis(some, 100, RandomFaults.Outage::gapNanos));
            }
        }
        if (!whyNoFurther.isEmpty()) {
            json.put("no_further", whyNoFurther);
        }
        json.put("planned", planned)
                .put("committed", committed)
                .put("acknowledged_writes", work.acknowledged())
                .put("unknown", work.unknown())
                .put("unanswered", work.unanswered())
                .put("untruthful", work.untruthful())
                .put("lost", work.lost())
                .put("half", work.halves())
                .put("stuck_keys", stuckKeys)
                .put("unread_keys", unreadKeys)
                .put("anomalies", work.checked().findings().size())
                .put("clean", isClean());
        List<String> lines = new ArrayList<>(violations);
        lines.forEach(json.putArray("violations")::add);
        remarks.forEach(json.putArray("notes")::add);
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json);
    }
}
