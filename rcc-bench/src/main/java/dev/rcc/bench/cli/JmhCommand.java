package dev.rcc.bench.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.openjdk.jmh.Main;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;

/** {@code rcc jmh}: runs the microbenchmarks of {@code dev.rcc.bench.jmh}. */
@Command(
        name = "jmh",
        header = "Runs the JMH benchmarks; the arguments are JMH's own, 'rcc jmh -h' explains them.",
        description = {
            "",
            "  rcc jmh -l                                   lists the benchmarks",
            "  rcc jmh TransactionBenchmark -prof gc        with the allocation per transaction"
        })
final class JmhCommand implements Callable<Integer> {
    @Parameters(arity = "0..*", paramLabel = "<jmh argument>", description = "Arguments of JMH's main class.")
    private List<String> arguments = new ArrayList<>();

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
    public Integer call() throws IOException {
        Main.main(arguments.toArray(String[]::new));
        return Rcc.OK;
    }
}
