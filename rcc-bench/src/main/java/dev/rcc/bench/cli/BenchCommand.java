package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchCsv;
import dev.rcc.bench.driver.BenchJson;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.driver.BenchRunner;
import dev.rcc.bench.driver.BenchTable;
import dev.rcc.server.process.TableMemory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code rcc bench}: runs a workload on a cluster in this JVM or of processes, measures it, and checks the invariants. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        sortOptions = false,
        header =
                "Runs and measures a workload on a cluster in this JVM or of processes, and checks the data afterwards.",
        description = {
            "",
            "Every coroutine of every worker of every node is a client that runs one transaction after the other: first"
                    + " to warm up, then measured. When they have ended, the invariants are checked. Several protocols,"
                    + " codes or values of --sweep make several runs, one after the other, and one table; --repeat has"
                    + " them run in turn, several times, and says which differences exceed chance.",
            ""
        })
final class BenchCommand implements Callable<Integer> {
    private final Rcc.Bench bench;

    @Spec
    private CommandSpec spec;

    private BenchCommand(Rcc.Bench bench) {
        this.bench = bench;
    }

    static CommandLine commandLine(Rcc.Bench bench) {
        return CommandOptions.workloadCommand(
                new BenchCommand(bench),
                BenchOptions.TABLE,
                "Example: a contended cluster of 5 nodes, mixed communication, the result also as JSON",
                "  rcc bench --nodes 5 --code 1011 -P hot-probability=90 -P hot-accounts=100 --json result.json",
                "Example: all protocols in one table, each by RPC, one-sided, and mixed as their stages recommend",
                "  rcc bench --protocol all --code rpc,one-sided,hybrid",
                "Example: how throughput grows with the coroutines, for a plot",
                "  rcc bench --sweep coroutines=1,3,5,7,9,11 --csv coroutines.csv",
                "Example: which of two protocols is faster here, if one is",
                "  rcc bench --protocol nowait,waitdie --code one-sided --repeat 5");
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        ParseResult parsed = spec.commandLine().getParseResult();
        BenchPlan plan;
        Optional<Path> json;
        Optional<Path> csv;
        Optional<Path> history;
        try {
            Map<String, String> given = CommandOptions.given(parsed, BenchOptions.TABLE);
            plan = BenchPlan.of(
                    BenchOptions.TABLE,
                    given,
                    CommandOptions.properties(parsed),
                    CommandOptions.protocolOptions(parsed));
            for (BenchPlan.Run run : plan.runs()) {
                TableMemory.checkFull(BenchRunner.clusterConfig(run.config()), TableMemory.ofMachine());
            }
            OutputFiles files = OutputFiles.of(given, BenchOptions.JSON, BenchOptions.CSV, BenchOptions.HISTORY);
            json = files.file(BenchOptions.JSON);
            csv = files.file(BenchOptions.CSV);
            history = files.file(BenchOptions.HISTORY);
            boolean isChecked =
                    plan.isSingle() && plan.runs().getFirst().config().history().isChecked();
            if (history.isPresent() && !isChecked) {
                throw new IllegalArgumentException(BenchOptions.HISTORY + ": got '" + history.get()
                        + (plan.isSingle() ? "' without --check" : "' for several runs") + ", allowed: "
                        + BenchOptions.HISTORY.allowed());
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        Series series = new Series(bench, plan, spec.commandLine().getOut());
        BenchTable table = plan.isSingle()
                ? BenchTable.of(runOne(withHistory(plan.runs().getFirst().config(), history)))
                : series.run();
        if (json.isPresent()) {
            Files.writeString(json.get(), toJson(plan, table));
        }
        if (csv.isPresent()) {
            Files.writeString(csv.get(), BenchCsv.toText(table));
        }
        boolean isOk = series.arePilotsOk() && table.rows().stream().allMatch(BenchTable.Row::isOk);
        return isOk ? Rcc.OK : Rcc.FAILED;
    }

    private static BenchConfig withHistory(BenchConfig config, Optional<Path> file) {
        return file.map(config::withHistoryFile).orElse(config);
    }

    private BenchResult runOne(BenchConfig config) throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        out.print(Report.header(config));
        out.flush();
        BenchResult result = bench.run(config);
        out.print(Report.body(result));
        out.flush();
        return result;
    }

    private static String toJson(BenchPlan plan, BenchTable table) {
        return plan.isSingle()
                ? BenchJson.toText(table.results().getFirst())
                : BenchJson.toText(table, json -> json.put("sweep", plan.sweep().key()));
    }
}
