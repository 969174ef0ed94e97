package dev.rcc.bench.cli;

import dev.rcc.bench.agent.EndInOrder;
import dev.rcc.bench.shell.ExitCode;
import dev.rcc.bench.ycsb.StatusTally;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.TableDescription;
import dev.rcc.client.ycsb.RccYcsbClient;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import site.ycsb.Client;

/** {@code rcc ycsb}: YCSB's own client, on RCC. */
@Command(
        name = "ycsb",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        header = "Runs YCSB's own client on a cluster, through the client library.",
        synopsisSubcommandLabel = "COMMAND")
final class YcsbCommand implements Runnable {
    private static final Option THREADS =
            Option.integer("-threads", 1, 1, 100_000, "threads", "Threads, each with one operation at a time.");
    private static final Option TARGET = Option.integer(
            "-target", 0, 0, Integer.MAX_VALUE, "operations/s", "Operations a second; 0: as many as possible.");
    private static final Option STATUS = Option.flag("-s", "Print the progress, every few seconds.");
    private static final Option LABEL = Option.text("-l", "", "any text", "Label of the progress lines.");
    private static final OptionTable TABLE = table();
    private static final String FILES = "-P";
    private static final String PROPERTIES = "-p";
    private static final String HOSTS = "rcc.hosts";
    /** How long this process, asked to end, waits for YCSB's, which it has asked to end. */
    private static final Duration END = Duration.ofSeconds(30);

    @Spec
    private CommandSpec spec;

    private YcsbCommand() {}

    private static OptionTable table() {
        List<Option> options = new ArrayList<>(List.of(THREADS, TARGET, STATUS, LABEL));
        options.addAll(ConnectOptions.ALL);
        return new OptionTable("", options);
    }

    static CommandLine commandLine() {
        return new CommandLine(new YcsbCommand())
                .addSubcommand(phase(new Load()))
                .addSubcommand(phase(new Run()));
    }

    private static CommandLine phase(Phase phase) {
        CommandLine line = CommandOptions.command(
                phase,
                TABLE,
                "Exit codes: 0 every operation has ended well; 1 some have not, or none was done; 2 bad input;",
                "3 the cluster cannot be reached.",
                "",
                "Example: workload A on a cluster that has the table",
                "  rcc cluster up --tables usertable:bytes32:1100:10000:ordered       (in another terminal)",
                "  rcc ycsb load -P workloads/workloada",
                "  rcc ycsb run -P workloads/workloada -p operationcount=100000 -threads 16 -s");
        line.getCommandSpec()
                .addOption(list(
                        FILES, "<file>", "File with properties, such as workloads/workloada; several may be given."))
                .addOption(
                        list(PROPERTIES, "<key=value>", "A property: the workload's, YCSB's, or ours (docs/ycsb.md)."));
        return line;
    }

    private static OptionSpec list(String name, String label, String description) {
        return OptionSpec.builder(name)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel(label)
                .description(description)
                .build();
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** {@code rcc ycsb load}. */
    @Command(
            name = "load",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            header = "Inserts the records that a workload begins with.")
    static final class Load extends Phase {
        Load() {
            super("-load");
        }
    }

    /** {@code rcc ycsb run}. */
    @Command(
            name = "run",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            header = "Runs a workload, and prints YCSB's measurements.")
    static final class Run extends Phase {
        Run() {
            super("-t");
        }
    }

    /** A phase of a benchmark: YCSB's client in a process of its own, because it ends its JVM. */
    abstract static class Phase implements Callable<Integer> {
        private final String flag;

        @Spec
        private CommandSpec spec;

        Phase(String flag) {
            this.flag = flag;
        }

        @Override
        public Integer call() throws IOException, InterruptedException {
            ParseResult parsed = spec.commandLine().getParseResult();
            Properties properties;
            try {
                OptionValues values = TABLE.parse(CommandOptions.given(parsed, TABLE));
                properties = properties(parsed);
                connect(values, properties);
                check(properties);
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), e.getMessage(), e);
            } catch (ConnectOptions.NoCluster | RccException e) {
                tell(e.getMessage());
                return ExitCode.UNAVAILABLE.number();
            }
            CompletableFuture<Process> process = new CompletableFuture<>();
            Runnable endProcess = () -> {
                CompletableFuture<Void> _ = process.thenAccept(Process::destroy);
            };
            try (EndInOrder _ = new EndInOrder(endProcess, END)) {
                Path work = Files.createTempDirectory("rcc-ycsb");
                try {
                    return run(properties, work, process);
                } finally {
                    Files.deleteIfExists(tally(work));
                    Files.deleteIfExists(work.resolve("properties"));
                    Files.deleteIfExists(work);
                }
            }
        }

        private void tell(String what) {
            spec.commandLine().getErr().println(spec.qualifiedName() + ": " + what);
        }

        private static Path tally(Path work) {
            return work.resolve("tally");
        }

        /** All given properties: files first, then single properties, then flags. */
        private Properties properties(ParseResult parsed) {
            Properties properties = new Properties();
            for (String file : parsed.matchedOptionValue(FILES, List.<String>of())) {
                try (InputStream in = Files.newInputStream(Path.of(file))) {
                    properties.load(in);
                } catch (IOException | InvalidPathException e) {
                    throw new IllegalArgumentException(
                            FILES + ": got '" + file + "', allowed: a file with properties (" + e + ")", e);
                }
            }
            for (String property : parsed.matchedOptionValue(PROPERTIES, List.<String>of())) {
                int equals = property.indexOf('=');
                if (equals < 1) {
                    throw new IllegalArgumentException(PROPERTIES + ": got '" + property + "', allowed: key=value");
                }
                properties.setProperty(property.substring(0, equals).strip(), property.substring(equals + 1));
            }
            if (properties.getProperty(Client.WORKLOAD_PROPERTY) == null) {
                throw new IllegalArgumentException(FILES
                        + ": no workload, allowed: a file that names one, such as workloads/workloada, or -p"
                        + " workload=CLASS");
            }
            Map<Option, String> flags = new LinkedHashMap<>();
            flags.put(THREADS, Client.THREAD_COUNT_PROPERTY);
            flags.put(TARGET, Client.TARGET_PROPERTY);
            flags.put(LABEL, Client.LABEL_PROPERTY);
            flags.forEach((option, key) -> {
                if (parsed.hasMatchedOption(option.key())) {
                    properties.setProperty(key, parsed.matchedOptionValue(option.key(), ""));
                }
            });
            if (parsed.hasMatchedOption(STATUS.key())) {
                properties.setProperty(Client.STATUS_PROPERTY, "true");
            }
            return properties;
        }

        /** Sets the properties for the connection: flags override properties. */
        private static void connect(OptionValues values, Properties properties) throws ConnectOptions.NoCluster {
            boolean isFlagGiven = values.isGiven(ConnectOptions.HOSTS) || values.isGiven(ConnectOptions.DIR);
            if (isFlagGiven || !properties.containsKey(HOSTS)) {
                properties.setProperty(HOSTS, ConnectOptions.hosts(values));
            }
            Map<Option, String> files = Map.of(
                    ConnectOptions.TOKEN_FILE, "rcc.token.file",
                    ConnectOptions.TLS_TRUST, "rcc.tls.trust",
                    ConnectOptions.TLS_CERTIFICATE, "rcc.tls.certificate",
                    ConnectOptions.TLS_KEY, "rcc.tls.key");
            files.forEach((option, key) -> {
                if (values.isGiven(option)) {
                    properties.setProperty(key, values.text(option));
                }
            });
            if (values.isGiven(ConnectOptions.DEADLINE)) {
                properties.setProperty("rcc.deadline.ms", values.integer(ConnectOptions.DEADLINE) + "000");
            }
        }

        /** Checks that the cluster is there and has the table; without it YCSB would report as many failures as it has operations. */
        private static void check(Properties properties) {
            String table = properties.getProperty("table", "usertable");
            try (RccClient client = RccYcsbClient.connect(properties)) {
                List<TableDescription> tables = client.tables();
                if (tables.stream().noneMatch(each -> each.name().equals(table) && !each.hasLongKeys())) {
                    throw new IllegalArgumentException("table: got '" + table
                            + "', allowed: a table with byte-string keys; start" + " the cluster with --tables " + table
                            + ":bytes32:1100:100000:ordered, for instance");
                }
            }
        }

        /**
         * Runs YCSB's client to its end.
         *
         * @param started receives its process
         */
        private int run(Properties properties, Path work, CompletableFuture<Process> started)
                throws IOException, InterruptedException {
            Path file = work.resolve("properties");
            String exporter = properties.getProperty(Client.EXPORTER_PROPERTY);
            properties.remove(Client.EXPORTER_PROPERTY);
            try (OutputStream out = Files.newOutputStream(file)) {
                properties.store(out, null); // as YCSB reads it: in ISO-8859-1, other characters escaped
            }
            List<String> command = new ArrayList<>();
            command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
            command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
            command.add("-D" + StatusTally.FILE + "=" + tally(work));
            if (exporter != null) {
                command.add("-D" + StatusTally.EXPORTER + "=" + exporter);
            }
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), Client.class.getName(), flag));
            command.addAll(List.of("-db", RccYcsbClient.class.getName()));
            command.addAll(List.of("-P", file.toString()));
            command.addAll(List.of("-p", Client.EXPORTER_PROPERTY + "=" + StatusTally.class.getName()));
            Process process = new ProcessBuilder(command)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .start();
            started.complete(process);
            try {
                Thread errors =
                        copy(process.getErrorStream(), spec.commandLine().getErr());
                copy(process.getInputStream(), spec.commandLine().getOut()).join();
                errors.join();
                return result(process.waitFor(), tally(work));
            } finally {
                process.destroy();
            }
        }

        private static Thread copy(InputStream from, PrintWriter to) {
            return Thread.ofVirtual().start(() -> {
                try (BufferedReader reader = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
                    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                        to.println(line);
                        to.flush();
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }

        private int result(int exitCode, Path tally) throws IOException {
            if (exitCode != 0 || !Files.exists(tally)) {
                tell("YCSB has ended without results, exit code " + exitCode);
                return Rcc.FAILED;
            }
            StatusTally.Result result = StatusTally.Result.read(tally);
            if (!result.failed().isEmpty()) {
                tell(String.join(", ", result.failed()) + "; " + result.well() + " operations have ended well");
                return Rcc.FAILED;
            }
            if (result.well() == 0) {
                tell("no operation was done: are recordcount and operationcount more than 0?");
                return Rcc.FAILED;
            }
            return Rcc.OK;
        }
    }
}
