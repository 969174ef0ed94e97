package dev.rcc.bench.driver;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.workload.KindMeasurements;
import dev.rcc.bench.workload.ReportLine;
import dev.rcc.bench.workload.WorkloadRun;
import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.CrossingMetrics;
import dev.rcc.core.txn.StageTimers;
import dev.rcc.core.txn.TransactionMetrics;
import dev.rcc.protocols.Protocols;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * The measurements of a benchmark, and whether the invariants held.
 *
 * @param config the benchmark
 * @param measuredSeconds how long the measured part really took
 * @param cpuSeconds processor time of all processes in that time; empty if the time was virtual
 * @param metrics counts and latencies of all coroutines in that time
 * @param timers times of all stages in that time
 * @param network the network's counts at all nodes in that time; empty if they were not read
 * @param violations the violations, each a sentence; empty when all invariants hold
 * @param history the checker's result, if the history was recorded
 * @param manifest the software and the machine of the run
 * @param conditions the warm-up, and the processor time that the run lacked
 * @param counts the clients' counts, by the workload's names, from the very start of the run
 * @param clients the measurements of clients of the client library in that time, if they ran the workload
 */
public record BenchResult(
        BenchConfig config,
        double measuredSeconds,
        OptionalDouble cpuSeconds,
        TransactionMetrics metrics,
        StageTimers timers,
        Map<FabricCounter, Long> network,
        List<String> violations,
        Optional<CheckResult> history,
        Manifest manifest,
        RunConditions conditions,
        Map<String, Long> counts,
        Optional<ClientMeasurements> clients) {
    /** Takes copies of the list and the map. */
    public BenchResult {
        network = Map.copyOf(network);
        violations = List.copyOf(violations);
        counts = Map.copyOf(counts);
    }

    /** Whether all invariants hold, and the history, if it was checked, has no anomaly. */
    public boolean isOk() {
        return violations.isEmpty() && history.map(CheckResult::isClean).orElse(true);
    }

    /** Committed transactions, as counted by the clients that ran the workload. */
    public long committed() {
        return clients.map(ClientMeasurements::committed).orElseGet(metrics::committed);
    }

    /** Nanoseconds of committed transactions with all their attempts, as measured by the clients that ran the workload. */
    public Histogram latency() {
        return clients.map(ClientMeasurements::latency).orElseGet(metrics::latency);
    }

    /** The measurements of each kind of transactions, by the clients that ran them; empty if the workload does not distinguish kinds. */
    public List<KindMeasurements> kinds() {
        List<String> names = config.workload().kinds();
        List<KindMeasurements> kinds = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            int kind = i;
            kinds.add(clients.map(each -> each.ofKind(kind, names.get(kind)))
                    .orElseGet(() -> ofKind(names.get(kind), metrics.ofKind(kind))));
        }
        return kinds;
    }

    private static KindMeasurements ofKind(String name, TransactionMetrics metrics) {
        Map<AbortReason, Long> aborts = new LinkedHashMap<>();
        for (AbortReason reason : Protocols.abortReasons().all()) {
            if (metrics.aborts(reason) > 0) {
                aborts.put(reason, metrics.aborts(reason));
            }
        }
        return new KindMeasurements(
                name,
                metrics.committed(),
                metrics.aborts(AbortReason.USER_ABORT),
                metrics.gaveUp(),
                metrics.latency(),
                aborts);
    }

    /** The workload's lines in the report. */
    public List<ReportLine> workloadReport() {
        return config.workload().report(new WorkloadRun(config.nodes(), measuredSeconds, kinds(), counts));
    }

    /** Committed transactions per second. */
    public double committedPerSecond() {
        return committed() / measuredSeconds;
    }

    /** Committed transactions for each second of processor time of all processes; empty if the time was virtual. */
    public OptionalDouble committedPerCpuSecond() {
        return cpuSeconds.isEmpty() || cpuSeconds.getAsDouble() == 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(committed() / cpuSeconds.getAsDouble());
    }

    /** Attempts that aborted. */
    public long aborted() {
        return metrics.aborted();
    }

    /** The share of the attempts that aborted, 0 to 1. */
    public double abortRate() {
        return metrics.attempted() == 0 ? 0 : (double) aborted() / metrics.attempted();
    }

    /** Committed transactions that were executed by every node that holds a record they wrote. */
    public long committedByParticipants() {
        return metrics.committedByParticipants();
    }

    /** Committed transactions that were executed by their coordinators alone. */
    public long committedByCoordinators() {
        return metrics.committed() - metrics.committedByParticipants();
    }

    /** Sequential round trips, including those of aborted attempts, for each committed transaction. */
    public double roundTripsPerTransaction() {
        return committed() == 0 ? 0 : (double) metrics.roundTrips() / committed();
    }

    /** Messages between data centres; empty if all nodes are in one. */
    public Optional<CrossingMetrics> crossings() {
        return config.zones().count() > 1 ? Optional.of(metrics.crossings()) : Optional.empty();
    }

    /** The form of an abort reason in reports, as in {@code lock-conflict}. */
    public static String label(AbortReason reason) {
        return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
