package dev.rcc.bench.cli;

import dev.rcc.bench.agent.FaultRun;
import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchNetwork;
import dev.rcc.bench.option.Option;
import dev.rcc.bench.option.OptionTable;
import dev.rcc.bench.option.OptionValues;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** {@code rcc cluster faults}. */
@Command(
        name = "faults",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Kills, stops or cuts off the nodes of a cluster on this machine, one after the other, and checks that"
                + " nothing is lost.",
        description = {
            "All nodes run SmallBank transfers meanwhile, each with its own clients, which die with it. What the"
                    + " cluster served is gone afterwards."
        })
final class FaultsCommand implements Callable<Integer> {
    private static final Option DIR = Option.text(
            "--dir", "rcc-cluster", "a directory", "The directory of the cluster, which 'rcc cluster up' has started.");
    private static final Option FAULT = Option.choice(
            "--fault",
            "kill",
            List.of("kill", "stop", "cut"),
            "What is done: the process is killed and another one started; or it is stopped for a while; or the node's"
                    + " links are lost for a while (on tcp, in a cluster brought up with --namespaces, or with --delay,"
                    + " be it n0-n1=0ms).");
    private static final Option COUNT = Option.integer("--count", 10, 1, 100_000, "faults", "How often.");
    private static final Option SEED =
            Option.integer("--seed", 1, 0, Long.MAX_VALUE, "seed", "Of which node and when.");
    private static final Option PROTOCOL = BenchOptions.PROTOCOL;
    private static final Option CODE = BenchOptions.CODE;
    private static final Option COROUTINES =
            Option.integer("--coroutines", 4, 1, 100, "coroutines", "Clients of each node.");
    private static final Option ACCOUNTS =
            Option.integer("--accounts", 1_000, 10, 10_000_000, "accounts", "Customers of each node.");
    private static final Option RECOVERY = Option.decimal(
            "--recovery-seconds",
            60,
            0.1,
            3_600,
            "seconds",
            "How long transactions wait for a dead node to be replaced.");
    private static final Option THINK = Option.integer(
            "--think-ms", 5, 0, 60_000, "milliseconds", "How long a client waits between transactions on average.");
    private static final Option STOP_MIN = Option.decimal(
            "--stop-seconds-min", 5, 0, 3_600, "seconds", "How long a process is stopped, or cut off, at least.");
    private static final Option STOP_MAX = Option.decimal(
            "--stop-seconds-max", 30, 0, 3_600, "seconds", "How long a process is stopped, or cut off, at most.");

    static final OptionTable TABLE = new OptionTable(
            "",
            List.of(
                    DIR,
                    FAULT,
                    COUNT,
                    SEED,
                    PROTOCOL,
                    CODE,
                    COROUTINES,
                    ACCOUNTS,
                    RECOVERY,
                    THINK,
                    STOP_MIN,
                    STOP_MAX));

    private static final Duration START = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 20;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ParseResult parsed = spec.commandLine().getParseResult();
        OptionValues values;
        ClusterDirectory directory;
        BenchNetwork.Processes network;
        BenchConfig config;
        try {
            values = TABLE.parse(CommandOptions.given(parsed, TABLE));
            directory = new ClusterDirectory(Path.of(values.text(DIR)));
            network = ClusterDirectory.running(values, DIR);
            config = config(values, network);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        Path notes = Files.createTempDirectory(directory.path(), "acknowledged");
        try {
            FaultRun.Options options = new FaultRun.Options(
                    FaultRun.Fault.valueOf(values.text(FAULT).toUpperCase(Locale.ROOT)),
                    values.intValue(COUNT),
                    values.decimal(RECOVERY),
                    values.intValue(THINK),
                    values.decimal(STOP_MIN),
                    values.decimal(STOP_MAX));
            FaultRun.Result result = new FaultRun(
                            config, network, options, new Processes(directory, network), notes, line -> {
                                out.println(line);
                                out.flush();
                            })
                    .run();
            report(out, values, result);
            return result.isClean() ? Rcc.OK : Rcc.FAILED;
        } catch (IllegalStateException e) {
            out.println("FAILED: " + e.getMessage());
            return Rcc.FAILED;
        } finally {
            try (Stream<Path> files = Files.walk(notes)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    private static BenchConfig config(OptionValues values, BenchNetwork.Processes network) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put(BenchOptions.PROTOCOL.key(), values.text(PROTOCOL));
        options.put(BenchOptions.CODE.key(), values.text(CODE));
        options.put("--workload", "smallbank");
        options.put("--nodes", Integer.toString(network.admins().size()));
        options.put("--coroutines", values.text(COROUTINES));
        options.put("--seed", values.text(SEED));
        options.put("--check", "on");
        // Only what leaves the sum of the money alone: what dead clients have done nobody can tell.
        List<String> properties = List.of(
                "accounts=" + values.text(ACCOUNTS), "deposit-checking=0", "write-check=0", "transact-savings=0");
        return BenchOptions.config(BenchOptions.TABLE.parse(options), properties, List.of());
    }

    private static void report(PrintWriter out, OptionValues values, FaultRun.Result result) {
        out.format(
                Locale.ROOT,
                "%d faults (%s), seed %s, %s: from fault to next commit p50 %d ms, p99 %d ms; back after %d ms on"
                        + " average%n",
                result.outageNanos().size(),
                values.text(FAULT),
                values.text(SEED),
                values.text(PROTOCOL),
                TimeUnit.NANOSECONDS.toMillis(result.outageNanos(50)),
                TimeUnit.NANOSECONDS.toMillis(result.outageNanos(99)),
                TimeUnit.NANOSECONDS.toMillis(result.returnNanosMean()));
        out.format(Locale.ROOT, "%d acknowledged writes looked for%n", result.acknowledged());
        result.violations().forEach(violation -> out.println("VIOLATION: " + violation));
        result.verdict().ifPresent(verdict -> out.print("history of all lives: " + verdict.report()));
        out.println(result.isClean() ? "all invariants hold" : "FAILED");
        out.flush();
    }

    /** The processes of a cluster on this machine. */
    private static final class Processes implements FaultRun.Processes {
        private final ClusterDirectory directory;
        private final List<URI> admins;

        Processes(ClusterDirectory directory, BenchNetwork.Processes network) {
            this.directory = directory;
            this.admins = network.admins();
        }

        @Override
        public List<URI> admins() {
            return admins;
        }

        private ProcessHandle process(int node) {
            return ProcessHandle.of(directory.pid(node))
                    .orElseThrow(() -> new IllegalStateException("node " + node + " has no process any more"));
        }

        @Override
        public void kill(int node) throws InterruptedException {
            ProcessHandle process = process(node);
            process.destroyForcibly();
            process.onExit().join();
        }

        @Override
        public URI start(int node) throws IOException, InterruptedException {
            Files.deleteIfExists(directory.state(node));
            Process process = ClusterProcesses.start(
                    directory,
                    node,
                    directory.starter(),
                    ProcessBuilder.Redirect.appendTo(directory.log(node).toFile()));
            long deadline = System.nanoTime() + START.toNanos();
            while (!Files.exists(directory.state(node))) {
                if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException("node " + node + " did not start; see " + directory.log(node));
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
            return directory.admin(node);
        }

        @Override
        public void stop(int node) throws IOException, InterruptedException {
            signal("-STOP", node);
        }

        @Override
        public boolean goOn(int node) throws IOException, InterruptedException {
            boolean isAlive = directory.process(node).isPresent();
            if (isAlive) {
                signal("-CONT", node);
            }
            return isAlive;
        }

        @Override
        public boolean plug(int node, boolean in) throws IOException, InterruptedException {
            Optional<Namespaces> network = directory.namespaces();
            if (network.isPresent()) {
                network.get().plug(node, in);
            }
            return network.isPresent();
        }

        private void signal(String signal, int node) throws IOException, InterruptedException {
            int code = new ProcessBuilder(
                            "kill", signal, Long.toString(process(node).pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill " + signal + " of node " + node + " ended with " + code);
            }
        }
    }
}
