package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.jmh.MemoryBaseline;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.Protocols;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.runner.RunnerException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code rcc speed}: transactions per second in proportion to the speed of the machine's memory. */
@Command(
        name = "speed",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        header = "Measures transactions per second in proportion to the speed of this machine's memory.",
        description = {
            "",
            "Measures, one after the other in this JVM: the plain memory work of locking, reading, writing and unlocking"
                    + " a record of 64 bytes with 2 threads; SmallBank (100,000 customers, uniform, 3 nodes with 12"
                    + " coroutines each, 3 replicas) under NOWAIT by one-sided verbs; the same by RPC, with 20"
                    + " coroutines. Prints the number of memory operations in the time of one transaction. Takes about 40"
                    + " seconds."
        })
final class SpeedCommand implements Callable<Integer> {
    private static final int ONE_SIDED_GOAL = 20;
    private static final int RPC_GOAL = 40;
    private static final double WARMUP_SECONDS = 8;
    private static final double SECONDS = 5;
    /** Of each node: a one-sided transaction waits once, and more coroutines only take more of the cache. */
    private static final int ONE_SIDED_COROUTINES = 12;
    /** Of each node: with half of them on two processors, workers often wait for another one's turn, and transactions by RPC take a sixth longer. */
    private static final int RPC_COROUTINES = 20;

    private static final long SEED = 42;

    private final Rcc.Bench bench;

    @Spec
    private CommandSpec spec;

    SpeedCommand(Rcc.Bench bench) {
        this.bench = bench;
    }

    @Override
    public Integer call() throws InterruptedException, RunnerException {
        PrintWriter out = spec.commandLine().getOut();
        out.format(Locale.ROOT, "  %-24s %14s   %s%n", "", "per second", "memory operations for one");
        out.flush();
        double baseline = MemoryBaseline.operationsPerSecond();
        out.format(Locale.ROOT, "  %-24s %,14.0f%n", "memory, 2 threads", baseline);
        out.flush();
        BenchResult oneSided = run(Primitive.ONE_SIDED, ONE_SIDED_COROUTINES);
        ratio(out, "nowait, one-sided", baseline, oneSided, ONE_SIDED_GOAL);
        out.flush();
        BenchResult rpc = run(Primitive.RPC, RPC_COROUTINES);
        ratio(out, "nowait, rpc", baseline, rpc, RPC_GOAL);
        boolean isOk = true;
        for (BenchResult result : new BenchResult[] {oneSided, rpc}) {
            if (!result.isOk()) {
                isOk = false;
                out.print(Report.verdict(result));
            }
        }
        return isOk ? Rcc.OK : Rcc.FAILED;
    }

    private BenchResult run(Primitive primitive, int coroutines) throws InterruptedException {
        Protocol protocol = Protocols.byName("nowait");
        return bench.run(BenchConfig.local(
                protocol,
                HybridCode.uniform(protocol, primitive),
                Workloads.create("smallbank", Map.of("accounts", "100000", "hot-probability", "0")),
                new BenchConfig.Shape(3, 1, coroutines, 3),
                new BenchConfig.Times(WARMUP_SECONDS, SECONDS),
                SEED));
    }

    private static void ratio(PrintWriter out, String what, double baseline, BenchResult result, int goal) {
        double ratio = baseline / result.committedPerSecond();
        out.format(
                Locale.ROOT,
                "  %-24s %,14.0f   %5.1f  (goal: at most %d, %s)%n",
                what,
                result.committedPerSecond(),
                ratio,
                goal,
                ratio <= goal ? "met" : "missed");
    }
}
