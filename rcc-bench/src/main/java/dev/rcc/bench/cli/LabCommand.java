package dev.rcc.bench.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code rcc lab}: reports that there is a lab. The launcher {@code ./rcc} of a source tree runs the lab, by a script of
 * {@code rcc-it/lab}, before any Java. A user who reaches this command started the jar without the launcher.
 */
@Command(
        name = "lab",
        header = "Runs a command beside an RDMA device, on a machine that has none.",
        description = {
            "",
            "A virtual machine with this machine's kernel and files gets a Soft-RoCE device, and runs the command. It is"
                    + " for the launcher of a source tree: './rcc lab --help' explains it, docs/rdma.md every step of it.",
            "",
            "  ./rcc lab ibv_devinfo",
            "  ./rcc lab ./rcc demo",
        })
final class LabCommand implements Callable<Integer> {
    @Parameters(arity = "0..*", paramLabel = "<argument>", description = "Options of the lab, then the command.")
    private List<String> arguments = new ArrayList<>();

    @Spec
    private CommandSpec spec;

    static CommandLine commandLine() {
        CommandLine command = new CommandLine(new LabCommand()).setUnmatchedOptionsArePositionalParams(true);
        command.getCommandSpec().mixinStandardHelpOptions(true);
        return command;
    }

    @Override
    public Integer call() {
        spec.commandLine()
                .getErr()
                .println("rcc lab " + String.join(" ", arguments)
                        + ": only the launcher of a source tree, ./rcc, can run the lab; this is the jar by itself");
        return Rcc.BAD_INPUT;
    }
}
