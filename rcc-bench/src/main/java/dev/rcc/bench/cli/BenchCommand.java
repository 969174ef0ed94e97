package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchJson;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.option.Option;
import dev.rcc.bench.workload.WorkloadType;
import dev.rcc.bench.workload.Workloads;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code rcc bench}: runs a workload on a cluster in this JVM, measures it, and checks the invariants. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        sortOptions = false,
        header = "Runs and measures a workload on a cluster in this JVM, and checks the data afterwards.",
        description = {
            "",
            "Every coroutine of every worker of every node is a client that runs one transaction after the other: first"
                    + " to warm up, then measured. When they have ended, the invariants are checked.",
            ""
        })
final class BenchCommand implements Callable<Integer> {
    private static final int HELP_INDENT = 26;

    private final Rcc.Bench bench;

    @Spec
    private CommandSpec spec;

    private BenchCommand(Rcc.Bench bench) {
        this.bench = bench;
    }

    static CommandLine commandLine(Rcc.Bench bench) {
        CommandLine command = new CommandLine(new BenchCommand(bench));
        CommandSpec spec = command.getCommandSpec();
        for (Option option : BenchOptions.TABLE.options()) {
            spec.addOption(optionSpec(option).type(String.class).build());
        }
        spec.addOption(optionSpec(BenchOptions.PROPERTY)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel("<key=value>")
                .build());
        spec.usageMessage().footer(workloadHelp());
        return command;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Path json = null;
        BenchConfig config;
        ParseResult parsed = spec.commandLine().getParseResult();
        try {
            Map<String, String> given = given(parsed);
            config = BenchOptions.config(
                    BenchOptions.TABLE.parse(given), parsed.matchedOptionValue(BenchOptions.PROPERTY.key(), List.of()));
            if (given.containsKey(BenchOptions.JSON.key())) {
                json = writable(given.get(BenchOptions.JSON.key()));
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return run(config, json);
    }

    private int run(BenchConfig config, Path json) throws InterruptedException, IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.print(Report.header(config));
        out.flush();
        BenchResult result = bench.run(config);
        out.print(Report.body(result));
        out.flush();
        if (json != null) {
            Files.writeString(json, BenchJson.toText(result));
        }
        return result.isOk() ? Rcc.OK : Rcc.FAILED;
    }

    private static Map<String, String> given(ParseResult parsed) {
        Map<String, String> given = new LinkedHashMap<>();
        for (Option option : BenchOptions.TABLE.options()) {
            if (parsed.hasMatchedOption(option.key())) {
                given.put(option.key(), parsed.matchedOptionValue(option.key(), ""));
            }
        }
        return given;
    }

    /** Opens the file for writing, so that a run is not in vain, and leaves everything as it was. */
    private static Path writable(String name) {
        try {
            Path path = Path.of(name);
            boolean isNew = !Files.exists(path);
            Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                    .close();
            if (isNew) {
                Files.delete(path);
            }
            return path;
        } catch (IOException | InvalidPathException e) {
            throw new IllegalArgumentException(
                    BenchOptions.JSON + ": got '" + name + "', allowed: " + BenchOptions.JSON.allowed() + " (" + e
                            + ")",
                    e);
        }
    }

    private static OptionSpec.Builder optionSpec(Option option) {
        String label = option.unit().isEmpty() ? option.key().replaceFirst("^-+", "") : option.unit();
        return OptionSpec.builder(option.key())
                .paramLabel("<" + label + ">")
                .arity("1")
                .userObject(option)
                .description(escape(option.description()), escape(option.limits()));
    }

    private static String[] workloadHelp() {
        List<String> lines = new ArrayList<>();
        for (WorkloadType type : Workloads.types()) {
            lines.add("");
            lines.add(escape("Workload " + type.name() + ": " + type.description()));
            for (Option option : type.options().options()) {
                lines.add(escape(String.format("  -P %-20s %s", option.key() + "=", option.description())));
                lines.add(escape(" ".repeat(HELP_INDENT) + option.limits()));
            }
        }
        lines.add("");
        lines.add("Example: a contended cluster of 5 nodes, mixed communication, the result also as JSON");
        lines.add("  rcc bench --nodes 5 --code 1011 -P hot-probability=90 -P hot-accounts=100 --json result.json");
        return lines.toArray(String[]::new);
    }

    /** Help texts are format strings to picocli. */
    private static String escape(String text) {
        return text.replace("%", "%%");
    }
}
