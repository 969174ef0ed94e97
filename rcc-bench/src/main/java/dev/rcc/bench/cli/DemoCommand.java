package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.txn.StageTimers;
import dev.rcc.protocols.Protocols;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rcc demo}: a guided minute. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        header = "A guided minute: starts 3 nodes in this JVM, runs SmallBank both ways, explains the figures.")
final class DemoCommand implements Callable<Integer> {
    private static final int NODES = 3;
    private static final int COROUTINES = 10;
    private static final int CUSTOMERS = 100_000;
    private static final double WARMUP_SECONDS = 2;
    private static final double SECONDS = 4;
    private static final long SEED = 42;

    private final Rcc.Bench bench;

    @Spec
    private CommandSpec spec;

    DemoCommand(Rcc.Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Protocol protocol = Protocols.byName("nowait");
        out.format(Locale.ROOT, """
                RCC runs serializable transactions on data that is spread over several nodes, and lets you choose how
                the nodes talk: by RPC, which keeps the other node's processor busy, or by one-sided RDMA verbs, which
                read and write its memory directly and leave its processor alone.

                This demo starts a cluster of %d nodes in this JVM, each with a worker thread and %d clients. The data
                is a bank of %,d customers, with three copies of every account. The clients run SmallBank: payments,
                deposits, checks and balance queries, each a transaction, most of them across nodes. NOWAIT, the
                protocol, locks what a transaction uses; a transaction that meets a lock aborts and retries.
                """, NODES, COROUTINES, CUSTOMERS);
        BenchResult rpc = run(out, 1, "every stage by RPC", protocol, Primitive.RPC);
        BenchResult oneSided = run(out, 2, "every stage by one-sided verbs", protocol, Primitive.ONE_SIDED);
        compare(out, protocol, rpc, oneSided);
        return rpc.isOk() && oneSided.isOk() ? Rcc.OK : Rcc.FAILED;
    }

    private BenchResult run(PrintWriter out, int number, String what, Protocol protocol, Primitive primitive)
            throws InterruptedException {
        out.format(
                Locale.ROOT,
                "%nRun %d of 2: %s (%.0f s to warm up, %.0f s measured) ...",
                number,
                what,
                WARMUP_SECONDS,
                SECONDS);
        out.flush();
        BenchResult result = bench.run(BenchConfig.local(
                protocol,
                HybridCode.uniform(protocol, primitive),
                Workloads.create("smallbank", Map.of("accounts", Integer.toString(CUSTOMERS))),
                new BenchConfig.Shape(NODES, 1, COROUTINES, 3),
                new BenchConfig.Times(WARMUP_SECONDS, SECONDS),
                SEED));
        out.format(Locale.ROOT, " %,.0f transactions a second%n", result.committedPerSecond());
        if (!result.isOk()) {
            out.print(Report.verdict(result));
        }
        out.flush();
        return result;
    }

    private static void compare(PrintWriter out, Protocol protocol, BenchResult rpc, BenchResult oneSided) {
        out.format(Locale.ROOT, "%n  %-36s %14s %14s%n", "", "RPC", "one-sided");
        row(out, "committed transactions per second", perSecond(rpc), perSecond(oneSided));
        row(out, "aborted attempts, %", Report.percent(rpc.abortRate()), Report.percent(oneSided.abortRate()));
        row(out, "round trips per transaction", roundTrips(rpc), roundTrips(oneSided));
        row(out, "latency, median, us", percentile(rpc, 50), percentile(oneSided, 50));
        row(out, "latency, 99th percentile, us", percentile(rpc, 99), percentile(oneSided, 99));
        StageTimers timers = rpc.timers();
        List<String> stages = protocol.stages();
        for (int i = 0; i < stages.size(); i++) {
            row(
                    out,
                    "stage " + stages.get(i) + ", mean, us",
                    Report.micros(timers.histogram(i).getMean()),
                    Report.micros(oneSided.timers().histogram(i).getMean()));
        }
        row(out, "invariants", verdict(rpc), verdict(oneSided));
        if (rpc.isOk() && oneSided.isOk()) {
            out.format(Locale.ROOT, """

                    What you see: the same protocol and the same clients; only the way the nodes talk differs.%n\
                    The numbers are real, but the network is this machine's memory: no cable, so no real round trip.

                    "invariants ok" means that after each run every cent was still there: all balances together are
                    what the bank began with plus what the committed deposits and withdrawals made. And no lock was
                    left behind, the index agrees with the data, and every copy of an account is the same.
                    """);
        } else {
            out.format(
                    Locale.ROOT,
                    "%nAn invariant is violated: the data is wrong. This is a bug; the line above says what was found.%n");
        }
        out.format(Locale.ROOT, """

                Next:
                  ./rcc bench --code 1011                       choose the way for each stage: here, log by RPC
                  ./rcc bench -P hot-accounts=100 -P hot-probability=90
                                                                let the clients fight over 100 customers
                  ./rcc bench --workload ycsb --json ycsb.json  another workload, the result also as JSON
                  ./rcc speed                                   transactions against this machine's plain memory
                  ./rcc bench --help                            every option with its default, range and unit
                """);
    }

    private static String perSecond(BenchResult result) {
        return String.format(Locale.ROOT, "%,.0f", result.committedPerSecond());
    }

    private static String roundTrips(BenchResult result) {
        return String.format(Locale.ROOT, "%.2f", result.roundTripsPerTransaction());
    }

    private static String percentile(BenchResult result, double percentile) {
        return Report.micros(result.metrics().latency(), percentile);
    }

    private static String verdict(BenchResult result) {
        return result.isOk() ? "ok" : "VIOLATED";
    }

    private static void row(PrintWriter out, String what, String rpc, String oneSided) {
        out.format(Locale.ROOT, "  %-36s %14s %14s%n", what, rpc, oneSided);
    }
}
