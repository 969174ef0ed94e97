package dev.rcc.bench.cli;

import dev.rcc.bench.agent.NodeLost;
import dev.rcc.bench.agent.ProcessBench;
import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchNetwork;
import dev.rcc.bench.driver.BenchResult;
import dev.rcc.bench.driver.BenchRunner;
import dev.rcc.bench.driver.Manifest;
import dev.rcc.bench.verbs.VerbsRig;
import dev.rcc.bench.verify.Trial;
import dev.rcc.core.worker.VirtualThreads;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code rcc} command. */
@Command(
        name = "rcc",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        header = "Distributed serializable transactions over RDMA.",
        description = {"", "Start with 'rcc demo'. Each command explains itself with --help.", ""},
        commandListHeading = "%nCommands:%n",
        footer = {
            "",
            "Exit codes: 0 all is well; 1 a run failed or an invariant is violated; 2 bad input; "
                    + "a command with other exit codes lists them in its help."
        })
public final class Rcc implements Runnable {
    /** The exit code of success. */
    public static final int OK = 0;
    /** The exit code if a run failed, or an invariant is violated. */
    public static final int FAILED = 1;
    /** The exit code for bad input. */
    public static final int BAD_INPUT = 2;

    static final int HELP_COLUMNS = 100;

    /** The system property with the level from which RCC logs; the user may set it. */
    static final String LOG_LEVEL = "rcc.log";

    /** The system property of the JDK with the number of threads that carry virtual threads; the user may set it. */
    private static final String CARRIERS = "jdk.virtualThreadScheduler.parallelism";

    private static final String SERVER = "server";
    private static final String BENCH = "bench";

    @Spec
    private CommandSpec spec;

    Rcc() {}

    /** Runs benchmarks; tests replace it. */
    @FunctionalInterface
    interface Bench {
        /** Runs a benchmark. */
        BenchResult run(BenchConfig config) throws InterruptedException;
    }

    /** Prints the version and the commit. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            Manifest manifest = Manifest.here();
            return new String[] {"rcc " + manifest.version() + " (commit " + manifest.commit() + ")", manifest.jvm()};
        }
    }

    /** Runs the command and ends the JVM. */
    public static void main(String[] args) {
        if (System.getProperty(LOG_LEVEL) == null) {
            System.setProperty(LOG_LEVEL, logLevel(args)); // before anything logs
        }
        if (is(BENCH, args) && System.getProperty(CARRIERS) == null) {
            int carriers = carriers(Runtime.getRuntime().availableProcessors());
            System.setProperty(CARRIERS, Integer.toString(carriers)); // before any virtual thread starts
        }
        boolean _ = VirtualThreads.canSchedule(); // before any virtual thread starts; logs why it cannot
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        System.exit(execute(out, err, args));
    }

    /** The level from which a command logs: a server tells operators of events that are no warnings, too. */
    static String logLevel(String... args) {
        return is(SERVER, args) ? "INFO" : "WARN";
    }

    private static boolean is(String command, String... args) {
        return args.length > 0 && args[0].equals(command);
    }

    /**
     * The number of threads that carry a benchmark's clients, which are virtual threads. One processor is left to the event loop of their
     * connections. Otherwise these threads outnumber the processors, and carriers go to sleep and are woken with each answer.
     */
    static int carriers(int processors) {
        return Math.max(1, processors - 1);
    }

    /** Runs the command in this JVM, and returns its exit code. */
    public static int execute(PrintWriter out, PrintWriter err, String... args) {
        return run(out, err, config -> bench(config, err), args);
    }

    private static BenchResult bench(BenchConfig config, PrintWriter err) throws InterruptedException {
        if (config.network() instanceof BenchNetwork.Processes processes) {
            return new ProcessBench(config, processes).run();
        }
        LoadProgress progress = LoadProgress.on(err);
        return new BenchRunner(config).onLoad(progress, progress::end).run();
    }

    /** Runs the command. Returns its exit code. */
    static int run(PrintWriter out, PrintWriter err, Bench bench, String... args) {
        CommandLine command = commandLine(bench, args);
        command.setOut(out)
                .setErr(err)
                .setUsageHelpWidth(HELP_COLUMNS)
                .setParameterExceptionHandler((e, given) -> {
                    err.println(BadInput.oneLine(e));
                    return BAD_INPUT;
                })
                .setExecutionExceptionHandler((e, failed, parsed) -> {
                    err.println(failed.getCommandSpec().qualifiedName() + ": the run failed: " + reason(e));
                    return FAILED;
                });
        try {
            return command.execute(args);
        } catch (OutOfMemoryError e) {
            err.println("rcc: the run failed: not enough memory for it (" + e.getMessage()
                    + "); make it smaller, or set RCC_JAVA_OPTS=-Xmx... to allow for more");
            return FAILED;
        } finally {
            out.flush();
            err.flush();
        }
    }

    /** The command, with the subcommands that may be needed for {@code args}. */
    static CommandLine commandLine(Bench bench, String... args) {
        CommandLine command = new CommandLine(new Rcc());
        addSubcommands(command, subcommands(bench), args);
        return command;
    }

    /** The subcommands, in the order in which the help shows them. */
    private static Map<String, Supplier<?>> subcommands(Bench bench) {
        Map<String, Supplier<?>> subcommands = new LinkedHashMap<>();
        subcommands.put("demo", () -> new DemoCommand(bench));
        subcommands.put("bench", () -> BenchCommand.commandLine(bench));
        subcommands.put("tune", () -> TuneCommand.commandLine(bench));
        subcommands.put("verify", () -> VerifyCommand.commandLine(Trial::run));
        subcommands.put("check", CheckCommand::commandLine);
        subcommands.put("paper", () -> PaperCommand.commandLine(bench));
        subcommands.put(SERVER, ServerCommand::commandLine);
        subcommands.put("cluster", ClusterCommand::commandLine);
        subcommands.put("client", ClientCommand::commandLine);
        subcommands.put("token", TokenCommand::new);
        subcommands.put("ycsb", YcsbCommand::commandLine);
        subcommands.put("doctor", DoctorCommand::commandLine);
        subcommands.put("speed", () -> new SpeedCommand(bench));
        subcommands.put("bench-locks", BenchLocksCommand::commandLine);
        subcommands.put("bench-verbs", () -> BenchVerbsCommand.commandLine(VerbsRig.here()));
        subcommands.put("jmh", JmhCommand::commandLine);
        subcommands.put("lab", LabCommand::commandLine);
        return subcommands;
    }

    /** Builds only the subcommand that is asked for; all if it is unknown. Building all takes longer than many of them run. */
    private static void addSubcommands(CommandLine command, Map<String, Supplier<?>> subcommands, String... args) {
        if (args.length > 0 && subcommands.containsKey(args[0])) {
            command.addSubcommand(args[0], subcommands.get(args[0]).get());
        } else {
            subcommands.forEach((name, subcommand) -> command.addSubcommand(name, subcommand.get()));
        }
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static String reason(Throwable e) {
        if (e instanceof NodeLost) {
            return e.getMessage();
        }
        StringBuilder reason = new StringBuilder(e.toString());
        for (Throwable cause = e.getCause(); cause != null; cause = cause.getCause()) {
            if (reason.indexOf(cause.toString()) < 0) { // a wrapper often repeats its cause
                reason.append(", caused by ").append(cause);
            }
        }
        return reason.toString().replace('\n', ' ');
    }
}
