package dev.rcc.bench.cli;

import dev.rcc.bench.driver.Manifest;
import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.bench.locks.run.LockBenchConfig;
import dev.rcc.bench.locks.run.LockBenchResult;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The output of {@code rcc bench-locks}: printed and written to files. */
final class BenchLocksReport {
    private static final double MICRO = 1e3;

    private BenchLocksReport() {}

    static String header(LockBenchConfig config) {
        return String.format(
                Locale.ROOT,
                "MODELLED on %s, seed %d: trace %s, %d nodes x %d workers x %d coroutines, %d ms%n"
                        + "  %-14s %12s %10s %10s %8s %8s %9s %11s %10s %6s  %s%n",
                config.profile(),
                config.seed(),
                config.trace().name(),
                config.shape().nodes(),
                config.shape().workers(),
                config.shape().coroutines(),
                config.times().measuredNanos() / 1_000_000,
                "manager",
                "txns/s",
                "mean us",
                "p99.9 us",
                "abort %",
                "resets",
                "verbs/lock",
                "overtakings",
                "atomics %",
                "NIC %",
                "");
    }

    static String line(LockBenchResult result) {
        return String.format(
                Locale.ROOT,
                "  %-14s %,12.0f %,10.1f %,10.1f %8.2f %,8d %9.2f %11s %10.1f %6.1f  %s%n",
                result.config().choice().name(),
                result.throughput(),
                result.latencies().mean() / MICRO,
                result.latencies().percentile(99.9) / MICRO,
                100 * result.abortShare(),
                result.counters().resets,
                result.verbsPerLock(),
                result.checked()
                        .map(checked -> Long.toString(checked.overtakings()))
                        .orElse("-"),
                100 * result.share().atomics(),
                100 * result.share().requests(),
                timeout(result));
    }

    private static String timeout(LockBenchResult result) {
        return result.config().choice().rests() == LockSchemes.Rests.ON_LEASES
                ? ""
                : "best time-out " + result.config().terms().timeoutNanos() / 1_000 + " us";
    }

    private static Map<String, Object> figures(LockBenchResult result) {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("manager", result.config().choice().name());
        figures.put("transactions-per-second", result.throughput());
        figures.put("latency-mean-us", result.latencies().mean() / MICRO);
        figures.put("latency-p99.9-us", result.latencies().percentile(99.9) / MICRO);
        figures.put("abort-share", result.abortShare());
        figures.put("resets", result.counters().resets);
        figures.put("zeroings", result.counters().zeroings);
        figures.put("verbs-per-lock", result.verbsPerLock());
        figures.put("atomics-share", result.share().atomics());
        figures.put("nic-share", result.share().requests());
        figures.put("time-out-us", result.config().terms().timeoutNanos() / 1_000);
        result.checked().ifPresent(checked -> {
            figures.put("overtakings", checked.overtakings());
            figures.put("promises-kept", checked.isClean());
        });
        return figures;
    }

    static String json(List<LockBenchResult> results) {
        ObjectNode root = JsonMapper.builder().build().createObjectNode();
        LockBenchConfig config = results.getFirst().config();
        root.put("modelled", true);
        root.put("commit", Manifest.here().commit());
        root.put("profile", config.profile());
        root.put("trace", config.trace().toString());
        root.put("seed", config.seed());
        root.put("nodes", config.shape().nodes());
        root.put("lock-nodes", config.lockNodes());
        root.put("workers", config.shape().workers());
        root.put("coroutines", config.shape().coroutines());
        root.put("duration-ms", config.times().measuredNanos() / 1_000_000);
        root.put("asks", config.clients().asks().label());
        root.put("think-us", config.clients().thinkNanos() / 1_000);
        root.put("pause-us", config.clients().pauseNanos() / 1_000);
        root.put("fail", config.clients().failRate());
        root.put("lease-us", config.terms().leaseNanos() / 1_000);
        ArrayNode runs = root.putArray("runs");
        results.forEach(result -> {
            ObjectNode run = runs.addObject();
            figures(result).forEach((name, value) -> run.putPOJO(name, value));
        });
        return JsonMapper.builder().build().writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    }

    static String csv(List<LockBenchResult> results) {
        StringBuilder text =
                new StringBuilder(String.join(",", figures(results.getFirst()).keySet())).append('\n');
        results.forEach(result -> text.append(
                        figures(result).values().stream().map(String::valueOf).collect(Collectors.joining(",")))
                .append('\n'));
        return text.toString();
    }
}
