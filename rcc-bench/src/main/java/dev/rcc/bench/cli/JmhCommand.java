package dev.rcc.bench.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.Main;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormat;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code rcc jmh}: runs the microbenchmarks of {@code dev.rcc.bench.jmh}. */
@Command(
        name = "jmh",
        header = "Runs the JMH benchmarks; the arguments are JMH's own, 'rcc jmh -h' explains them.",
        description = {
            "",
            "  rcc jmh -l                                   lists the benchmarks",
            "  rcc jmh TransactionBenchmark -prof gc        with the allocation per transaction",
            "",
            "The first benchmark that fails ends the command with exit code 1. With -foe false the other benchmarks follow, and"
                    + " the exit code is 0."
        })
final class JmhCommand implements Callable<Integer> {
    @Parameters(arity = "0..*", paramLabel = "<jmh argument>", description = "Arguments of JMH's main class.")
    private List<String> arguments = new ArrayList<>();

    @Spec
    private CommandSpec spec;

    /** The command, which passes all options except {@code --help} to JMH. */
    static CommandLine commandLine() {
        CommandLine command = new CommandLine(new JmhCommand()).setUnmatchedOptionsArePositionalParams(true);
        command.getCommandSpec()
                .addOption(OptionSpec.builder("--help")
                        .usageHelp(true)
                        .description("Show this help message and exit.")
                        .build());
        return command;
    }

    @Override
    public Integer call() throws IOException, RunnerException {
        try {
            CommandLineOptions given = new CommandLineOptions(arguments.toArray(String[]::new));
            if (isQuestion(given)) {
                Main.main(arguments.toArray(String[]::new));
                return Rcc.OK;
            }
            checkIncludes(given);
            boolean endsWithFailure = given.shouldFailOnError().orElse(true);
            new Runner(new OptionsBuilder()
                            .parent(given)
                            .shouldFailOnError(endsWithFailure)
                            .build())
                    .run();
            return Rcc.OK;
        } catch (CommandLineOptionException e) {
            throw new ParameterException(
                    spec.commandLine(),
                    "<jmh argument>: got '" + String.join(" ", arguments) + "', allowed: what 'rcc jmh -h' lists ("
                            + e.getMessage() + ")",
                    e);
        }
    }

    /** Whether JMH only prints something. */
    private static boolean isQuestion(CommandLineOptions given) {
        return given.shouldHelp()
                || given.shouldList()
                || given.shouldListWithParams()
                || given.shouldListProfilers()
                || given.shouldListResultFormats();
    }

    private void checkIncludes(CommandLineOptions given) {
        OutputFormat silent = OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT);
        if (BenchmarkList.defaultList()
                .find(silent, given.getIncludes(), given.getExcludes())
                .isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "<jmh argument>: got '" + String.join(" ", arguments)
                            + "', which names no benchmark, allowed: those that 'rcc jmh -l' lists");
        }
    }
}
