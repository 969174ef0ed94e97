package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchNetwork;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code rcc tune}: searches for the best hybrid code of a workload (rcc, 5.1). */
@Command(
        name = "tune",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        sortOptions = false,
        header = "Looks for the hybrid code of a protocol that serves a workload best.",
        description = {
            "",
            "Exhaustive search runs every code that the network's atomicity admits. Cherry-picking runs the two uniform"
                    + " codes and takes for each stage the primitive under which it is faster. Either way the uniform"
                    + " codes run once before, unmeasured, so that the first code is at no disadvantage.",
            ""
        })
final class TuneCommand implements Callable<Integer> {
    private static final Option WARMUP = Option.decimal(
            "--warmup", 0.5, 0, 86_400, "seconds", "How long to run each code before measuring; 0.002 on sim.");
    private static final Option SECONDS = Option.decimal(
            "--seconds", 1, 0.001, 86_400, "seconds", "How long to measure each code; 0.01 on sim, virtual.");
    private static final Option METHOD = Option.choice(
            "--method", TuneMethod.EXHAUSTIVE.label(), TuneMethod.labels(), "How to look for the best code.");

    /** The options of a benchmark, except the code and the options that make several runs of one. */
    static final OptionTable TABLE = new OptionTable(
            "",
            List.of(
                    BenchOptions.PROTOCOL,
                    METHOD,
                    BenchOptions.WORKLOAD,
                    BenchOptions.FABRIC,
                    BenchOptions.FABRIC_OPTIONS,
                    BenchOptions.QPS_PER_PEER,
                    BenchOptions.CLUSTER,
                    BenchOptions.PROFILE,
                    BenchOptions.ATOMICITY,
                    BenchOptions.NODES,
                    BenchOptions.WORKERS,
                    BenchOptions.COROUTINES,
                    BenchOptions.REPLICAS,
                    WARMUP,
                    SECONDS,
                    BenchOptions.SEED,
                    BenchOptions.JSON));

    private final Rcc.Bench bench;

    @Spec
    private CommandSpec spec;

    private TuneCommand(Rcc.Bench bench) {
        this.bench = bench;
    }

    static CommandLine commandLine(Rcc.Bench bench) {
        return CommandOptions.workloadCommand(
                new TuneCommand(bench),
                TABLE,
                "Example: which code suits a contended YCSB",
                "  rcc tune --protocol nowait --workload ycsb -P hot-access-percent=90");
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        ParseResult parsed = spec.commandLine().getParseResult();
        List<BenchConfig> configs;
        TuneMethod method;
        Optional<Path> json;
        try {
            Map<String, String> given = CommandOptions.given(parsed, TABLE);
            configs = configs(given, CommandOptions.properties(parsed), CommandOptions.protocolOptions(parsed));
            method = TuneMethod.byLabel(TABLE.parse(given).text(METHOD));
            json = OutputFiles.of(given, BenchOptions.JSON).file(BenchOptions.JSON);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        List<Tuning> tunings = new ArrayList<>();
        for (BenchConfig config : configs) {
            tunings.add(Tuning.run(bench, config, method, out));
        }
        if (json.isPresent()) {
            Files.writeString(json.get(), TuneReport.toJson(tunings));
        }
        return tunings.stream().allMatch(Tuning::isOk) ? Rcc.OK : Rcc.FAILED;
    }

    /** A configuration for each protocol, with the code left at RPC. */
    static List<BenchConfig> configs(Map<String, String> given, List<String> properties, List<String> protocolOptions) {
        BenchPlan.checkBelong(protocolOptions, BenchPlan.protocols(given));
        List<BenchConfig> configs = new ArrayList<>();
        for (String protocol : BenchPlan.protocols(given)) {
            Map<String, String> options = new LinkedHashMap<>(given);
            options.put(BenchOptions.PROTOCOL.key(), protocol);
            TABLE.parse(options); // refuses options that are not allowed here
            options.remove(METHOD.key());
            if (!BenchNetwork.SIM.equals(options.get(BenchOptions.FABRIC.key()))) {
                options.putIfAbsent(WARMUP.key(), WARMUP.defaultValue());
                options.putIfAbsent(SECONDS.key(), SECONDS.defaultValue());
            }
            options.put(BenchOptions.CODE.key(), "rpc");
            configs.add(BenchOptions.config(BenchOptions.TABLE.parse(options), properties, protocolOptions));
        }
        return configs;
    }
}
