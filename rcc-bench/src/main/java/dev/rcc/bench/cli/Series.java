package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.driver.HybridChoice;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Runs a {@link BenchPlan} of several runs, and prints a line of one table as each run ends. */
final class Series {
    private final Rcc.Bench bench;
    private final BenchPlan plan;
    private final PrintWriter out;
    private final List<BenchResult> results = new ArrayList<>();

    Series(Rcc.Bench bench, BenchPlan plan, PrintWriter out) {
        this.bench = bench;
        this.plan = plan;
        this.out = out;
    }

    /** Runs all runs, and returns their results in the plan's order. */
    List<BenchResult> run() throws InterruptedException {
        out.print(SeriesReport.header(plan));
        out.flush();
        for (BenchPlan.Run run : plan.runs()) {
            BenchResult result = run.isHybrid() ? runHybrid(run.config()) : bench.run(run.config());
            results.add(result);
            out.print(SeriesReport.row(plan, run, result));
            out.flush();
        }
        out.print(SeriesReport.footer(plan, results));
        out.flush();
        return results;
    }

    /** Chooses a hybrid code by the stage latencies of the two uniform codes, which may have run already. */
    private BenchResult runHybrid(BenchConfig config) throws InterruptedException {
        HybridCode code = HybridChoice.cherryPick(uniform(config, Primitive.RPC), uniform(config, Primitive.ONE_SIDED));
        return bench.run(config.withCode(code));
    }

    private BenchResult uniform(BenchConfig config, Primitive primitive) throws InterruptedException {
        BenchConfig wanted = config.withCode(HybridCode.uniform(config.protocol(), primitive));
        for (BenchResult result : results) {
            if (isSame(result.config(), wanted)) {
                return result;
            }
        }
        return bench.run(wanted);
    }

    private static boolean isSame(BenchConfig a, BenchConfig b) {
        return a.protocol().name().equals(b.protocol().name())
                && a.protocolOptions().equals(b.protocolOptions())
                && a.code().digits().equals(b.code().digits())
                && a.workload().options().equals(b.workload().options())
                && a.shape().equals(b.shape());
    }
}
