package dev.rcc.bench.cli;

import dev.rcc.bench.workloads.Workloads;
import dev.rcc.core.cluster.Zones;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.Networks;
import dev.rcc.server.config.Replications;
import dev.rcc.server.process.ClientAccessOptions;
import dev.rcc.server.process.Datacenters;
import dev.rcc.server.process.FabricOptions;
import dev.rcc.server.process.LinkDelays;
import dev.rcc.server.process.ServerOptions;
import dev.rcc.transport.network.FabricProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code rcc cluster}: a cluster of processes on this machine. */
@Command(
        name = "cluster",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        header = "Starts, shows and stops a cluster of processes on this machine.",
        synopsisSubcommandLabel = "COMMAND")
final class ClusterCommand implements Runnable {
    static final Option DIR =
            Option.text("--dir", "rcc-cluster", "a directory", "Directory for configurations, logs and addresses.");
    static final Option NODES = Option.integer("--nodes", 3, 1, 64, "processes", "Nodes, each a process.");
    private static final Option WORKERS = Option.integer("--workers", 1, 1, 512, "threads", "Workers of each node.");
    private static final Option FABRIC =
            Option.choice("--fabric", FabricOptions.DEFAULT, Networks.names(), "Network between the nodes.");
    private static final Option PROTOCOL =
            Option.choice("--protocol", "nowait", Protocols.names(), "Concurrency control protocol of the nodes.");
    private static final Option CODE = Option.text(
            "--code",
            ServerOptions.CODE.defaultValue(),
            ServerOptions.CODE.allowed(),
            "How each stage of the protocol communicates; auto chooses by the network: rpc on tcp, else one-sided.");
    private static final Option REPLICAS =
            Option.integer("--replicas", 3, 1, 64, "copies", "Copies of each partition, at most one a node.");
    private static final Option TABLES = Option.text(
            "--tables",
            FaultsCommand.TABLE_FOR_FAULTS,
            ServerOptions.TABLES.allowed(),
            "The cluster's tables; 'rcc cluster faults --random' uses the table " + FaultsCommand.FAULTS_TABLE + ".");
    private static final Option LOCKS = Option.text(
            "--locks",
            "",
            ServerOptions.LOCKS.allowed(),
            "The namespaces of locks that clients may ask for; 'rcc cluster faults --locks' uses one.");
    private static final Option WORKLOAD = Option.text(
            "--workload",
            "",
            "one of " + String.join(", ", Workloads.names()),
            "In place of --tables: the tables of a workload with its default options, empty, for clients. 'rcc bench --cluster'"
                    + " makes and loads its own.");
    private static final Option PROCEDURES = Option.text(
            "--procedures",
            "",
            ClientAccessOptions.PROCEDURES.allowed(),
            "The stored procedures that clients can call.");
    private static final Option USERS_FILE = Option.text(
            "--users-file",
            "",
            ClientAccessOptions.USERS_FILE.allowed(),
            "The users that may connect, and what each may do; the file may change while the cluster runs. Without it, every client may do everything.");
    private static final Option FAILURE = Option.integer(
            "--failure-ms",
            2_000,
            750,
            3_600_000,
            "milliseconds",
            "Silence after which a node counts as dead. A machine that is slow or busy needs more.");
    private static final Option RECOVERY = Option.decimal(
            "--recovery-seconds",
            10,
            0,
            3_600,
            "seconds",
            "How long transactions wait for a dead node to be replaced; 0: dead nodes are not replaced.");
    private static final Option DATACENTERS = Option.text(
            "--datacenters",
            "",
            Datacenters.ALLOWED,
            "Where the nodes are, as in dc1,dc1,dc2: the copies of a partition lie in different data centres.");
    private static final Option DELAY = Option.text(
            "--delay",
            "",
            LinkDelays.DELAY.allowed(),
            "Extra delay of each message between nodes, in each direction; on tcp, and with --between tcp between data"
                    + " centres.");
    private static final Option NAMESPACES = Option.flag(
            "--namespaces",
            "Each node in a network namespace of its own, whose links can be cut; on tcp, on Linux, for root.");
    private static final Option START =
            Option.integer("--start-seconds", 180, 1, 86_400, "seconds", "How long the nodes may take to come up.");
    private static final Option DURABILITY = Option.choice(
            "--durability",
            "memory",
            List.of("memory", "disk"),
            "Where the nodes keep their data; on disk, in the directory, the next 'cluster up' finds it.");
    private static final Option REPLICATION = Option.choice(
            "--replication",
            Replications.RINGS,
            Replications.names(),
            "How commits get to the backups: rings writes them into the memory of all backups; with raft, a majority of"
                    + " the copies is enough, of 3 or more.");
    private static final Option DETACH = Option.flag(
            "--detach",
            "Return once all nodes accept transactions, and leave the nodes running until 'rcc cluster down'. If a node"
                    + " does not come up, all are ended, and the exit code is 1.");
    private static final Option JSON = Option.flag("--json", "Print JSON.");

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final Duration STOP = Duration.ofSeconds(60);

    @Spec
    private CommandSpec spec;

    private ClusterCommand() {}

    static CommandLine commandLine() {
        return new CommandLine(new ClusterCommand())
                .addSubcommand(CommandOptions.protocolCommand(
                        new Up(),
                        Up.TABLE,
                        "Example: three processes over shared memory, and a benchmark on them",
                        "  rcc cluster up --fabric shm --dir c1 --detach",
                        "  rcc bench --cluster c1 --protocol all",
                        "  rcc cluster down --dir c1"))
                .addSubcommand(CommandOptions.command(new Down(), Down.TABLE))
                .addSubcommand(CommandOptions.command(new Status(), Status.TABLE))
                .addSubcommand(CommandOptions.command(
                        new Restart(),
                        Restart.TABLE,
                        "Example: node 1 ends in order, and another process is started for it",
                        "  rcc cluster restart 1 --dir c1"))
                .addSubcommand(CommandOptions.protocolCommand(
                        new FaultsCommand(),
                        FaultsCommand.TABLE,
                        "Example: 40 faults of all kinds under a load of clients, the same again with the same seed",
                        "  rcc cluster faults --dir c1 --random 7 --count 40",
                        "Example: 50 times, some node's process is killed and started again",
                        "  rcc cluster faults --dir c1 --fault kill --count 50 --seed 7",
                        "Example: nodes are stopped for longer than a lease while clients count under the locks of 'jobs'",
                        "  rcc cluster faults --dir c1 --locks jobs --fault stop --count 20"));
    }

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    private static ClusterDirectory directory(CommandSpec spec, OptionValues values) {
        try {
            ClusterDirectory directory = new ClusterDirectory(Path.of(values.text(DIR)));
            directory.checkIsWhole();
            return directory;
        } catch (InvalidPathException e) {
            throw new ParameterException(
                    spec.commandLine(), DIR + ": got '" + values.text(DIR) + "', allowed: " + DIR.allowed(), e);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static OptionValues values(CommandSpec spec, OptionTable table) {
        ParseResult parsed = spec.commandLine().getParseResult();
        try {
            return table.parse(CommandOptions.given(parsed, table));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /** {@code rcc cluster up}. */
    @Command(
            name = "up",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            header =
                    "Starts a cluster of processes on this machine, and stops it when it is asked to end (Ctrl-C), unless it is"
                            + " detached.")
    static final class Up implements Callable<Integer> {
        static final OptionTable TABLE = new OptionTable(
                "",
                List.of(
                        NODES,
                        FABRIC,
                        BenchOptions.BETWEEN,
                        BenchOptions.FABRIC_OPTIONS,
                        BenchOptions.QPS_PER_PEER,
                        DIR,
                        PROTOCOL,
                        CODE,
                        REPLICAS,
                        DATACENTERS,
                        WORKERS,
                        TABLES,
                        WORKLOAD,
                        LOCKS,
                        PROCEDURES,
                        USERS_FILE,
                        FAILURE,
                        RECOVERY,
                        DELAY,
                        NAMESPACES,
                        REPLICATION,
                        DURABILITY,
                        START,
                        DETACH));

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException, InterruptedException {
            OptionValues values = values(spec, TABLE);
            ClusterDirectory directory = directory(spec, values);
            Map<String, String> settings;
            try {
                settings = settings(
                        values,
                        CommandOptions.protocolOptions(spec.commandLine().getParseResult()));
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), e.getMessage(), e);
            }
            Optional<Namespaces> namespaces = namespaces(values);
            boolean isLeftRunning = false;
            try {
                int result = run(values, settings, directory, namespaces);
                isLeftRunning = values.isGiven(DETACH) && result == Rcc.OK;
                return result;
            } finally {
                if (namespaces.isPresent() && !isLeftRunning) {
                    namespaces.get().remove();
                }
            }
        }

        /**
         * The settings that all nodes have in common.
         *
         * @throws IllegalArgumentException for options that do not go together; {@link ServerConfig} checks the settings
         */
        static Map<String, String> settings(OptionValues values, List<String> protocolOptions) {
            Zones zones = Datacenters.parse(DATACENTERS, values.text(DATACENTERS), values.intValue(NODES));
            int replicas = zones.count() == 1
                    ? Math.min(values.intValue(REPLICAS), zones.nodes())
                    : Datacenters.home(values, REPLICAS, zones).replicas();
            LinkDelays.parse(DELAY, zones, values.text(DELAY), (_, _, _, _) -> {});
            Map<String, String> settings = BenchOptions.fabricOptions(values, values.text(FABRIC));
            FabricProvider _ = FabricOptions.network(
                    Networks.byName(values.text(FABRIC)),
                    values,
                    BenchOptions.BETWEEN,
                    DATACENTERS,
                    FabricOptions.TABLE.parse(settings),
                    zones);
            settings.put(ServerOptions.TABLES.key(), tables(values));
            settings.putAll(ProtocolOptions.parse(protocolOptions, List.of(values.text(PROTOCOL))));
            settings.put(ServerOptions.FABRIC.key(), values.text(FABRIC));
            settings.put(ServerOptions.BETWEEN.key(), values.text(BenchOptions.BETWEEN));
            settings.put(ServerOptions.PROTOCOL.key(), values.text(PROTOCOL));
            settings.put(ServerOptions.CODE.key(), values.text(CODE));
            settings.put(ServerOptions.WORKERS.key(), values.text(WORKERS));
            settings.put(ServerOptions.LOCKS.key(), values.text(LOCKS));
            putPath(settings, ClientAccessOptions.PROCEDURES, values.text(PROCEDURES));
            putPath(settings, ClientAccessOptions.USERS_FILE, values.text(USERS_FILE));
            settings.put(ServerOptions.FAILURE.key(), values.text(FAILURE));
            boolean isOnDisk = values.text(DURABILITY).equals("disk");
            if (values.isGiven(RECOVERY) || !isOnDisk) { // not every cluster on disk replaces nodes
                settings.put(ServerOptions.RECOVERY.key(), values.text(RECOVERY));
            }
            settings.put(Datacenters.OPTION.key(), values.text(DATACENTERS));
            settings.put(LinkDelays.DELAY.key(), values.text(DELAY));
            settings.put(ServerOptions.REPLICATION.key(), values.text(REPLICATION));
            settings.put(ServerOptions.DURABILITY.key(), values.text(DURABILITY));
            settings.put(ServerOptions.REPLICAS.key(), Integer.toString(replicas));
            return settings;
        }

        private static String tables(OptionValues values) {
            if (!values.isGiven(WORKLOAD)) {
                return values.text(TABLES);
            }
            if (values.isGiven(TABLES)) {
                throw values.refuse(TABLES, "nothing with " + WORKLOAD + ", which has tables of its own");
            }
            return ServerOptions.describe(
                    Workloads.create(values.text(WORKLOAD), Map.of()).tables(values.intValue(NODES)));
        }

        private Optional<Namespaces> namespaces(OptionValues values) throws InterruptedException {
            if (!values.isGiven(NAMESPACES)) {
                return Optional.empty();
            }
            try {
                boolean hasHosts =
                        Networks.byName(values.text(FABRIC)).hostOption().isPresent();
                if (!hasHosts || values.intValue(NODES) > Namespaces.MAX_NODES) {
                    throw new IOException("they carry TCP, between " + Namespaces.MAX_NODES + " nodes at most");
                }
                return Optional.of(Namespaces.create(values.intValue(NODES)));
            } catch (IOException e) {
                throw new ParameterException(
                        spec.commandLine(), NAMESPACES + ": not available here: " + e.getMessage(), e);
            }
        }

        private int run(
                OptionValues values,
                Map<String, String> settings,
                ClusterDirectory directory,
                Optional<Namespaces> namespaces)
                throws IOException, InterruptedException {
            PrintWriter out = spec.commandLine().getOut();
            ClusterProcesses processes = new ClusterProcesses(directory, values.intValue(NODES), namespaces, out);
            try {
                processes.configure(node -> node.putAll(settings));
            } catch (IllegalArgumentException e) {
                throw new ParameterException(
                        spec.commandLine(), e.getMessage().lines().findFirst().orElse(""), e);
            }
            Duration start = Duration.ofSeconds(values.integer(START));
            return values.isGiven(DETACH) ? processes.detach(start) : processes.run(start);
        }

        private static void putPath(Map<String, String> settings, Option option, String path) {
            if (!path.isEmpty()) {
                settings.put(option.key(), Path.of(path).toAbsolutePath().toString());
            }
        }
    }

    /** {@code rcc cluster down}. */
    @Command(
            name = "down",
            mixinStandardHelpOptions = true,
            header = "Stops a cluster that was started on this machine.")
    static final class Down implements Callable<Integer> {
        private static final OptionTable TABLE = new OptionTable("", List.of(DIR));

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() throws IOException, InterruptedException {
            ClusterDirectory directory = directory(spec, values(spec, TABLE));
            PrintWriter out = spec.commandLine().getOut();
            directory.harming().ifPresent(OsProcess::kill); // or that process would start nodes again
            Optional<ProcessHandle> starter = directory.starter();
            if (starter.isEmpty() && directory.processes().isEmpty()) {
                out.println("No cluster runs in " + directory.path() + ".");
                directory.end();
                return Rcc.OK;
            }
            if (starter.isPresent()) {
                OsProcess.terminate(starter.get()); // which ends the nodes
                if (!OsProcess.awaitEnd(List.of(starter.get()), System.nanoTime() + STOP.toNanos())
                        .isEmpty()) {
                    out.println("Process " + starter.get().pid()
                            + ", which has started the cluster, has not ended after " + STOP.toSeconds() + " s.");
                    return Rcc.FAILED;
                }
            }
            ClusterProcesses.end(directory); // a starter that was killed has left nodes
            out.println("The cluster in " + directory.path() + " has ended.");
            return Rcc.OK;
        }
    }

    /** {@code rcc cluster restart}. */
    @Command(
            name = "restart",
            mixinStandardHelpOptions = true,
            sortOptions = false,
            header = "Ends a node of a cluster on this machine, if it runs, and starts it again.")
    static final class Restart implements Callable<Integer> {
        private static final Option KILL =
                Option.flag("--kill", "Kill the node's process instead of letting it end in order.");
        private static final OptionTable TABLE = new OptionTable("", List.of(DIR, KILL, START));
        private static final long LOOK_MILLIS = 100;

        @Spec
        private CommandSpec spec;

        @Parameters(arity = "1", paramLabel = "NODE", description = "The node's id.")
        private int node;

        @Override
        public Integer call() throws IOException, InterruptedException {
            OptionValues values = values(spec, TABLE);
            ClusterDirectory directory = directory(spec, values);
            int nodes = directory.nodes().size();
            if (!directory.isUp()) {
                throw new ParameterException(
                        spec.commandLine(),
                        DIR + ": got '" + values.text(DIR) + "', allowed: one in which a cluster runs");
            }
            if (node < 0 || node >= nodes) {
                throw new ParameterException(
                        spec.commandLine(), "NODE: got '" + node + "', allowed: an integer from 0 to " + (nodes - 1));
            }
            try {
                directory.refuseOtherUse(values, DIR);
            } catch (IllegalArgumentException e) {
                throw new ParameterException(spec.commandLine(), e.getMessage(), e);
            }
            NodeProcesses processes = new NodeProcesses(directory, List.of());
            end(processes, values.isGiven(KILL));
            processes.launch(node);
            return await(processes, directory, Duration.ofSeconds(values.integer(START))) ? Rcc.OK : Rcc.FAILED;
        }

        private void end(NodeProcesses processes, boolean kills) throws IOException, InterruptedException {
            if (!processes.isAlive(node)) {
                return;
            }
            if (!kills) {
                processes.terminate(node);
            }
            long deadline = System.nanoTime() + STOP.toNanos();
            while (processes.isAlive(node)) {
                if (kills || System.nanoTime() - deadline > 0) {
                    processes.kill(node);
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        }

        /** Waits until the node takes transactions, or until it lets clients in while too many nodes are gone for it to have a place. */
        private boolean await(NodeProcesses processes, ClusterDirectory directory, Duration start)
                throws InterruptedException {
            PrintWriter out = spec.commandLine().getOut();
            long deadline = System.nanoTime() + start.toNanos();
            while (processes.isAlive(node) && System.nanoTime() - deadline < 0) {
                ClusterDirectory.NodeStatus status = directory.status(node);
                boolean hasPlace = status.takesTransactions();
                if (hasPlace || (status.letsClientsIn() && !directory.mostAnswer())) {
                    out.println("node " + node
                            + (hasPlace ? " runs" : " runs and waits until most nodes do")
                            + ": process " + status.pid() + ", clients at "
                            + status.client().get());
                    return true;
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
            out.println("node " + node + (processes.isAlive(node) ? " takes no transactions yet" : " has ended")
                    + "; see " + directory.log(node));
            return false;
        }
    }

    /** {@code rcc cluster status}. */
    @Command(
            name = "status",
            mixinStandardHelpOptions = true,
            header = "Shows the nodes of a cluster that was started on this machine.")
    static final class Status implements Callable<Integer> {
        private static final OptionTable TABLE = new OptionTable("", List.of(DIR, JSON));

        @Spec
        private CommandSpec spec;

        @Override
        public Integer call() {
            OptionValues values = values(spec, TABLE);
            ClusterDirectory directory = directory(spec, values);
            List<ClusterDirectory.NodeStatus> nodes = directory.nodes();
            PrintWriter out = spec.commandLine().getOut();
            if (values.isGiven(JSON)) {
                out.println(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(json(directory, nodes)));
            } else if (nodes.isEmpty()) {
                out.println("No cluster runs in " + directory.path() + ".");
            } else {
                out.format(
                        Locale.ROOT,
                        "%-6s %-10s %-28s %-28s %-16s %s%n",
                        "node",
                        "pid",
                        "client",
                        "admin",
                        "datacenter",
                        "state");
                nodes.forEach(node -> out.format(
                        Locale.ROOT,
                        "%-6d %-10d %-28s %-28s %-16s %s%n",
                        node.id(),
                        node.pid(),
                        node.client().orElse("-"),
                        node.admin(),
                        node.datacenter().orElse("-"),
                        node.state()));
            }
            boolean isWell = !nodes.isEmpty()
                    && nodes.stream().allMatch(node -> node.state().equals(ClusterDirectory.RUNNING));
            return isWell ? Rcc.OK : Rcc.FAILED;
        }

        private static ObjectNode json(ClusterDirectory directory, List<ClusterDirectory.NodeStatus> nodes) {
            ObjectNode json = MAPPER.createObjectNode();
            json.put("directory", directory.path().toString());
            var array = json.putArray("nodes");
            for (ClusterDirectory.NodeStatus node : nodes) {
                array.addObject()
                        .put("id", node.id())
                        .put("pid", node.pid())
                        .put("client", node.client().orElse(null))
                        .put("admin", node.admin())
                        .put("datacenter", node.datacenter().orElse(null))
                        .put("state", node.state());
            }
            nodes.stream()
                    .flatMap(node -> node.page().filter(page -> page.has("partitions")).stream())
                    .max(Comparator.comparingLong(page -> page.path("epoch").asLong(0)))
                    .ifPresentOrElse(
                            page -> List.of("epoch", "members", "partitions").forEach(name -> {
                                if (page.has(name)) { // where dead nodes are not replaced, there is no epoch
                                    json.set(name, page.get(name));
                                }
                            }),
                            () -> json.putArray("partitions"));
            return json;
        }
    }
}
