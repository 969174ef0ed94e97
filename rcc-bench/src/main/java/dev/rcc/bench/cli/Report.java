package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.driver.ClientLoad;
import dev.rcc.bench.driver.ClientMeasurements;
import dev.rcc.bench.driver.Manifest;
import dev.rcc.bench.driver.ProcessorTime;
import dev.rcc.bench.driver.RunConditions;
import dev.rcc.bench.driver.WarmUp;
import dev.rcc.bench.workload.KindMeasurements;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.StageTimers;
import dev.rcc.protocols.Protocols;
import java.util.Formatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** Results as text. */
final class Report {
    private static final double NANOS_PER_MICRO = TimeUnit.MICROSECONDS.toNanos(1);

    private Report() {}

    /** The run to come; printed before it starts. */
    static String header(BenchConfig config) {
        Manifest manifest = Manifest.here();
        Formatter text = new Formatter(Locale.ROOT);
        text.format(
                "RCC %s (%s)  %s, %s, %s on %s%n",
                manifest.version(),
                shortCommit(manifest.commit()),
                config.protocol().name(),
                BenchOptions.describe(config.code()),
                config.workload().name(),
                network(config));
        environment(text, config);
        return text.toString();
    }

    /** The settings that a series of runs has in common, except the swept option; printed before it starts. */
    static String seriesHeader(BenchConfig config, int runs, int rounds, Sweep sweep) {
        Manifest manifest = Manifest.here();
        Formatter text = new Formatter(Locale.ROOT);
        text.format(
                "RCC %s (%s)  %s%s of %s on %s%s%n",
                manifest.version(),
                shortCommit(manifest.commit()),
                count(runs, "run"),
                rounds == 1 ? "" : " in " + rounds + " rounds",
                config.workload().name(),
                network(config),
                sweep.isNone() ? "" : ", " + sweep.key() + "=" + String.join(",", sweep.values()));
        environment(text, config);
        return text.toString();
    }

    /** The settings that all tried codes have in common. */
    static String tuneHeader(BenchConfig config) {
        Manifest manifest = Manifest.here();
        Formatter text = new Formatter(Locale.ROOT);
        text.format(
                "RCC %s (%s)  %s, %s on %s%n",
                manifest.version(),
                shortCommit(manifest.commit()),
                config.protocol().name(),
                config.workload().name(),
                network(config));
        environment(text, config);
        return text.toString();
    }

    /** The network; for a simulated network, also that all figures are modelled. */
    private static String network(BenchConfig config) {
        return config.simulation()
                .map(simulation -> "sim, MODELLED as " + simulation.costs().describe()
                        + (simulation.atomicity() == Atomicity.DEVICE ? " with device atomicity" : ""))
                .orElse(config.fabric());
    }

    private static void environment(Formatter text, BenchConfig config) {
        Manifest manifest = Manifest.here();
        text.format("%s", shape(config));
        text.format("%s, %s%n", manifest.jvm(), count(manifest.cores(), "core"));
        config.load()
                .ifPresent(load -> text.format(
                        "%s of the client library, %s, %s%n",
                        count(load.clients(), "client"),
                        load.mode() == ClientLoad.Mode.CLIENT ? "interactively" : "by stored procedures",
                        connections(load.options().connections())));
        String options = changedOptions(config);
        if (!options.isEmpty()) {
            text.format("%s%n", options);
        }
        text.format("%n");
    }

    private static String connections(int toEachGateway) {
        return toEachGateway == 0
                ? "a connection to each worker"
                : count(toEachGateway, "connection") + " to each gateway";
    }

    private static String shape(BenchConfig config) {
        return String.format(
                Locale.ROOT,
                "%s%s x %s x %s, %s by %s, seed %d, %s s warm-up, %s s measured%n",
                count(config.nodes(), "node"),
                config.zones().areNamed() ? " in " + config.zones() : "",
                count(config.workers(), "worker"),
                count(config.coroutines(), "coroutine"),
                count(config.replicas(), "replica"),
                config.replication(),
                config.seed(),
                warmup(config.times()),
                plain(config.times().seconds()));
    }

    private static String warmup(BenchConfig.Times times) {
        return plain(times.warmupSeconds()) + (times.isWarmupFixed() ? "" : " to " + plain(times.warmupMaxSeconds()));
    }

    /** The conditions that a reader must know before trusting the figures, in lines; empty if there are none. */
    static String conditions(BenchResult result) {
        RunConditions conditions = result.conditions();
        Formatter text = new Formatter(Locale.ROOT);
        if (result.committed() == 0) {
            text.format(
                    "    - nothing committed in the %s s that were measured: measure for longer (--seconds)%n",
                    result.measuredSeconds());
        }
        String notWarm = switch (conditions.warmupEnd()) {
            case NOT_STEADY -> "throughput was not steady";
            case COMPILING -> "the JIT compilers were still at work";
            case FIXED, STEADY -> "";
        };
        if (!notWarm.isEmpty()) {
            text.format("    - not warm: %s after %.1f s (--warmup-max)%n", notWarm, conditions.warmupSeconds());
        }
        if (conditions.lacksProcessor()) {
            ProcessorTime processor = conditions.processor().orElseThrow();
            text.format(
                    "    - short of processors: its threads waited for one in %s %% of the time in which they were ready to run;"
                            + " %s on %s%n",
                    percent(processor.missingShare()),
                    count(result.config().nodes() * result.config().workers(), "worker"),
                    count(result.manifest().cores(), "core"));
        }
        return text.toString();
    }

    /** The measurements, and whether the invariants hold. */
    static String body(BenchResult result) {
        Formatter text = new Formatter(Locale.ROOT);
        text.format(
                "  committed     %,12.0f /s   %,d in %.2f s%n",
                result.committedPerSecond(), result.committed(), result.measuredSeconds());
        result.committedPerCpuSecond()
                .ifPresent(perCpu -> text.format(
                        "  per CPU       %,12.0f /s   in %.2f s of all processors%n",
                        perCpu, result.cpuSeconds().orElseThrow()));
        if (result.conditions().warmupEnd() == WarmUp.End.STEADY) {
            text.format(
                    "  warm          %12.1f s    until throughput was steady and the code compiled%n",
                    result.conditions().warmupSeconds());
        }
        text.format("%s", conditions(result));
        result.clients().ifPresent(clients -> clients(text, result, clients));
        text.format(
                "  aborted       %12s %%    of %,d attempts%s%n",
                percent(result.abortRate()), result.metrics().attempted(), reasons(result));
        text.format("  round trips   %12.2f      per committed transaction%n", result.roundTripsPerTransaction());
        execution(text, result);
        Histogram latency = result.latency();
        text.format(
                "  latency       %12s us   mean; p50 %s, p90 %s, p99 %s, p99.9 %s, max %s%n",
                micros(latency.getMean()),
                micros(latency, 50),
                micros(latency, 90),
                micros(latency, 99),
                micros(latency, 99.9),
                micros(latency, 100));
        result.workloadReport()
                .forEach(line -> text.format("  %-13s %,12.2f      %s%n", line.label(), line.value(), line.remark()));
        text.format("%n");
        kinds(text, result);
        stages(text, result);
        text.format("%s", CrossingsReport.of(result));
        text.format("%n");
        text.format("%s", verdict(result));
        return text.toString();
    }

    /** Where transactions ran; only for a protocol that has a choice. */
    private static void execution(Formatter text, BenchResult result) {
        if (result.config().protocol().executesFragments()) {
            text.format(
                    "  executed      %,12d      by all nodes that hold what they write, %,d by their coordinators alone%n",
                    result.committedByParticipants(), result.committedByCoordinators());
        }
    }

    private static void clients(Formatter text, BenchResult result, ClientMeasurements clients) {
        clients.cpuSeconds()
                .ifPresent(seconds -> text.format(
                        "  CPU           %12.2f s    of the clients, %.2f s of the servers%n",
                        seconds, result.cpuSeconds().orElseThrow() - seconds));
        text.format(
                "  clients       %,12d      retries, %,d gave up (%,d not in time, %,d because a table was full); the figures"
                        + " below, except latencies, are the servers'%n",
                clients.triedAgain(),
                clients.gaveUp(),
                clients.all().notInTime(),
                clients.all().tableFull());
    }

    /** Whether the invariants hold, and the violations if not. */
    static String verdict(BenchResult result) {
        Formatter text = new Formatter(Locale.ROOT);
        if (result.violations().isEmpty()) {
            text.format(
                    "  invariants: ok  (%s; index and tuples agree; no lock left behind; backups equal primaries)%n",
                    result.config().workload().promise());
        } else {
            text.format("  invariants: VIOLATED%n");
            result.violations().forEach(violation -> text.format("    - %s%n", violation));
        }
        text.format("%s", history(result));
        return text.toString();
    }

    /** One short phrase: whether the data and the history are as they must be. */
    static String state(BenchResult result) {
        if (!result.violations().isEmpty()) {
            return "VIOLATED";
        }
        return result.isOk() ? result.history().isPresent() ? "ok, serializable" : "ok" : "NOT SERIALIZABLE";
    }

    /** The troubles, in lines; empty if there are none. */
    static String troubles(BenchResult result) {
        StringBuilder text = new StringBuilder();
        result.violations()
                .forEach(violation -> text.append("    - ").append(violation).append('\n'));
        if (!result.isOk()) {
            text.append(history(result));
        }
        return text.toString();
    }

    /** The troubles of a run whose figures do not count. */
    static String unmeasured(BenchResult result) {
        return String.format(
                Locale.ROOT,
                "  unmeasured run of %s, %s: %s%n%s",
                result.config().protocol().name(),
                BenchOptions.shortName(result.config().code()),
                state(result),
                troubles(result));
    }

    /** The checker's report of the history, if the history was recorded. */
    static String history(BenchResult result) {
        return result.history()
                .map(verdict -> "  history: " + verdict.report().stripTrailing().replace("\n", "\n  ") + "\n")
                .orElse("");
    }

    /** Nanoseconds as microseconds with a sensible number of digits. */
    static String micros(double nanos) {
        double micros = nanos / NANOS_PER_MICRO;
        return String.format(Locale.ROOT, micros < 9.995 ? "%.2f" : micros < 99.95 ? "%.1f" : "%,.0f", micros);
    }

    /** A percentile of nanoseconds, as {@link #micros(double)}. */
    static String micros(Histogram nanos, double percentile) {
        return micros((double) nanos.getValueAtPercentile(percentile));
    }

    /** A share from 0 to 1 in percent, without the sign. */
    static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f", share * 100);
    }

    private static void kinds(Formatter text, BenchResult result) {
        if (result.kinds().isEmpty()) {
            return;
        }
        text.format(
                "  %-12s %12s %10s %10s %10s %10s %10s   %s%n",
                "transaction", "committed", "p50 us", "p90 us", "p95 us", "p99 us", "gave up", "aborted attempts");
        for (KindMeasurements kind : result.kinds()) {
            text.format(
                    "  %-12s %,12d %10s %10s %10s %10s %,10d   %s%n",
                    kind.name(),
                    kind.committed(),
                    micros(kind.latency(), 50),
                    micros(kind.latency(), 90),
                    micros(kind.latency(), 95),
                    micros(kind.latency(), 99),
                    kind.gaveUp(),
                    conflicts(kind));
        }
        text.format("%n");
    }

    /** The aborted attempts of a kind, except the attempts that gave up. */
    private static String conflicts(KindMeasurements kind) {
        return kind.aborts().entrySet().stream()
                .filter(each -> each.getKey() != AbortReason.USER_ABORT)
                .map(each -> String.format(Locale.ROOT, "%s %,d", BenchResult.label(each.getKey()), each.getValue()))
                .sorted()
                .collect(Collectors.joining(", "));
    }

    private static void stages(Formatter text, BenchResult result) {
        StageTimers timers = result.timers();
        text.format("  %-12s %-10s %13s %12s %12s%n", "stage", "by", "count", "mean us", "p99 us");
        for (int i = 0; i < timers.stages().size(); i++) {
            Histogram nanos = timers.histogram(i);
            text.format(
                    "  %-12s %-10s %,13d %12s %12s%n",
                    timers.stages().get(i),
                    result.config().code().primitive(i).label(),
                    timers.passages(i),
                    micros(nanos.getMean()),
                    micros(nanos, 99));
        }
    }

    private static String reasons(BenchResult result) {
        String reasons = Protocols.abortReasons().all().stream()
                .filter(reason -> result.metrics().aborts(reason) > 0)
                .map(reason -> String.format(
                        Locale.ROOT,
                        "%s %s %%",
                        BenchResult.label(reason),
                        percent((double) result.metrics().aborts(reason)
                                / result.metrics().attempted())))
                .collect(Collectors.joining(", "));
        return reasons.isEmpty() ? "" : ": " + reasons;
    }

    /** The workload's options and the protocol's options that differ from their defaults. */
    private static String changedOptions(BenchConfig config) {
        return Stream.concat(changedWorkloadOptions(config), changedProtocolOptions(config))
                .collect(Collectors.joining(" "));
    }

    private static Stream<String> changedProtocolOptions(BenchConfig config) {
        Map<String, String> byKey = new LinkedHashMap<>();
        config.protocolOptions()
                .forEach((name, value) -> byKey.put(config.protocol().name() + "." + name, value));
        return ProtocolOptions.TABLE.changed(byKey).stream();
    }

    private static Stream<String> changedWorkloadOptions(BenchConfig config) {
        return Workloads.byName(config.workload().name())
                .options()
                .changed(config.workload().options())
                .stream();
    }

    private static String shortCommit(String commit) {
        return commit.replaceFirst("^([0-9a-f]{10})[0-9a-f]+", "$1");
    }

    private static String count(int number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : Double.toString(number);
    }
}
