package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.driver.BenchTable;
import dev.rcc.bench.driver.HybridChoice;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs a {@link BenchPlan} of several runs, and prints them as one table. A single round prints a line as each run ends; several rounds, at the end.
 *
 * <p>The rounds are interleaved, and each round begins one run later in the plan than the round before. Any change while the process gets
 * older, of the compiler or of the machine, affects all rows alike.
 */
final class Series {
    private final Rcc.Bench bench;
    private final BenchPlan plan;
    private final PrintWriter out;
    /** The code of each run that chooses one, once it has chosen. */
    private final HybridCode[] chosen;
    /** The results, by run of the plan, and then in the order of the rounds. */
    private final List<List<BenchResult>> results = new ArrayList<>();
    /** Whether the data was correct after each run that was only made to choose a code. */
    private boolean arePilotsOk = true;

    Series(Rcc.Bench bench, BenchPlan plan, PrintWriter out) {
        this.bench = bench;
        this.plan = plan;
        this.out = out;
        this.chosen = new HybridCode[plan.runs().size()];
        plan.runs().forEach(run -> results.add(new ArrayList<>()));
    }

    /** Runs all rounds of all runs. */
    BenchTable run() throws InterruptedException {
        print(SeriesReport.header(plan));
        int runs = plan.runs().size();
        for (int round = 0; round < plan.rounds(); round++) {
            for (int i = 0; i < runs; i++) {
                runOne((round + i) % runs, round);
            }
        }
        BenchTable table = BenchTable.of(
                plan.runs().stream().map(BenchPlan.Run::sweepValue).toList(), results);
        if (plan.rounds() > 1) {
            print(SeriesReport.table(plan, table));
        }
        print(SeriesReport.footer(plan, table));
        return table;
    }

    private void runOne(int i, int round) throws InterruptedException {
        BenchPlan.Run run = plan.runs().get(i);
        BenchConfig config = run.config().withSeed(run.config().seed() + round);
        if (run.isHybrid()) {
            if (chosen[i] == null) {
                chosen[i] = choose(config);
            }
            config = config.withCode(chosen[i]);
        }
        BenchResult result = bench.run(config);
        results.get(i).add(result);
        print(
                plan.rounds() > 1
                        ? SeriesReport.progress(plan, run, result, round)
                        : SeriesReport.row(plan, run, result));
    }

    private void print(String text) {
        out.print(text);
        out.flush();
    }

    /** Chooses a hybrid code by the stage latencies of the two uniform codes, which may have run already. */
    private HybridCode choose(BenchConfig config) throws InterruptedException {
        return HybridChoice.cherryPick(uniform(config, Primitive.RPC), uniform(config, Primitive.ONE_SIDED));
    }

    private BenchResult uniform(BenchConfig config, Primitive primitive) throws InterruptedException {
        BenchConfig wanted = config.withCode(HybridCode.uniform(config.protocol(), primitive));
        for (List<BenchResult> each : results) {
            for (BenchResult result : each) {
                if (isSame(result.config(), wanted)) {
                    return result;
                }
            }
        }
        BenchResult pilot = bench.run(wanted);
        if (!pilot.isOk()) {
            arePilotsOk = false;
            print(Report.unmeasured(pilot));
        }
        return pilot;
    }

    /** Whether the data was correct after each run that is in no row of the table. */
    boolean arePilotsOk() {
        return arePilotsOk;
    }

    private static boolean isSame(BenchConfig a, BenchConfig b) {
        return a.protocol().name().equals(b.protocol().name())
                && a.protocolOptions().equals(b.protocolOptions())
                && a.code().digits().equals(b.code().digits())
                && a.workload().options().equals(b.workload().options())
                && a.shape().equals(b.shape());
    }
}
