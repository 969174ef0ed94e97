package dev.rcc.bench.cli;

import dev.rcc.bench.shell.ExitCode;
import dev.rcc.bench.shell.Shell;
import dev.rcc.bench.shell.ShellTerminal;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.GatewayStatus;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code rcc client}: a shell. */
@Command(
        name = "client",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        sortOptions = false,
        header = "Reads and writes a cluster's records: a shell, or a script on standard input.",
        description = {
            "",
            "Commands: begin, commit, abort, outcome, get, put, insert, delete, scan, tables, status, usage, sessions,"
                    + " disconnect, lock, unlock, locks, timing, format, help, exit. In the shell, 'help' explains"
                    + " them, and Tab completes commands and tables.",
            ""
        })
final class ClientCommand implements Callable<Integer> {
    private static final Option EXECUTE =
            Option.text("-e", "", "commands, separated by ;", "Run these commands instead of a shell or a script.");
    private static final Option KEEP_GOING = Option.flag(
            "--keep-going", "Go on after a command that fails; the exit code is still the first failure's.");
    private static final Option FORMAT = Option.choice(
            "--format", "text", List.of("text", "json"), "Output: for people, or a JSON object a command.");
    private static final Option TIMING = Option.flag("--timing", "Show how long each command took.");
    private static final Option HISTORY = Option.text(
            "--history",
            Path.of(System.getProperty("user.home"), ".rcc_history").toString(),
            "a file that can be written",
            "File that keeps the commands typed in the shell.");
    private static final OptionTable TABLE = table();

    private final InputStream in;
    private final boolean isTerminal;

    @Spec
    private CommandSpec spec;

    private ClientCommand(InputStream in, boolean isTerminal) {
        this.in = in;
        this.isTerminal = isTerminal;
    }

    private static OptionTable table() {
        List<Option> options = new ArrayList<>(ConnectOptions.ALL);
        options.addAll(List.of(EXECUTE, KEEP_GOING, FORMAT, TIMING, HISTORY));
        return new OptionTable("", options);
    }

    /** The command, with the standard input of this process. */
    @SuppressWarnings("SystemConsoleNull") // it does return null, in JDK 25, where there is no terminal
    static CommandLine commandLine() {
        Console console = System.console();
        return commandLine(System.in, console != null && console.isTerminal());
    }

    static CommandLine commandLine(InputStream in, boolean isTerminal) {
        return CommandOptions.command(
                new ClientCommand(in, isTerminal),
                TABLE,
                "Exit codes: 0 all went well; 1 a command failed; 2 bad input; 3 the cluster, or a part that was",
                "needed, cannot be reached; 4 it is unknown whether a commit has taken effect; 5 a conflict,",
                "nothing has happened, begin again.",
                "",
                "Example: a cluster with a table, and a shell",
                "  rcc cluster up --tables accounts:long:32:1000:ordered     (in another terminal)",
                "  rcc client",
                "Example: from a script",
                "  rcc client -e 'begin; put accounts 1 \"Ada\"; put accounts 2 \"Grace\"; commit'",
                "  rcc client --format json < script.rcc");
    }

    @Override
    public Integer call() throws IOException {
        OptionValues values;
        ClientOptions options;
        String hosts;
        try {
            Map<String, String> given = CommandOptions.given(spec.commandLine().getParseResult(), TABLE);
            values = TABLE.parse(given);
            OutputFiles.of(given, HISTORY);
            options = ConnectOptions.client(values, "rcc client");
            hosts = ConnectOptions.hosts(values);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        } catch (ConnectOptions.NoCluster e) {
            return unavailable(e);
        }
        RccClient connected;
        try {
            connected = RccClient.connect(hosts, options);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), ConnectOptions.HOSTS + ": " + e.getMessage(), e);
        } catch (RccException e) {
            return unavailable(e);
        }
        try (RccClient client = connected) {
            return run(client, values).number();
        }
    }

    private int unavailable(Exception e) {
        spec.commandLine().getErr().println("rcc client: " + e.getMessage());
        return ExitCode.UNAVAILABLE.number();
    }

    private ExitCode run(RccClient client, OptionValues values) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        boolean isInteractive = isTerminal && !values.isGiven(EXECUTE);
        try (Shell shell = new Shell(client, out, err, isInteractive)) {
            shell.printJson(values.text(FORMAT).equals("json"));
            shell.printTimes(values.isGiven(TIMING));
            if (values.isGiven(EXECUTE)) {
                ExitCode code = shell.execute(values.text(EXECUTE), "-e", values.isGiven(KEEP_GOING));
                ExitCode end = shell.end("-e");
                return code == ExitCode.OK ? end : code;
            }
            if (!isInteractive) {
                return shell.run(
                        new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)),
                        values.isGiven(KEEP_GOING));
            }
            List<GatewayStatus> gateways = client.gateways();
            out.println("Connected: "
                    + gateways.stream().filter(GatewayStatus::isReachable).count() + " of "
                    + gateways.size() + " gateways answer, " + client.tables().size()
                    + " tables. 'help' lists the commands, Ctrl-D or 'exit' ends.");
            out.flush();
            ShellTerminal.run(shell, Path.of(values.text(HISTORY)));
            return ExitCode.OK;
        }
    }
}
