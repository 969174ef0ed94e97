package dev.rcc.bench.cli;

import dev.rcc.bench.agent.EndInOrder;
import dev.rcc.bench.agent.FaultRun;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchNetwork;
import dev.rcc.bench.faults.ClusterShape;
import dev.rcc.bench.faults.FaultKind;
import dev.rcc.bench.faults.FaultSchedule;
import dev.rcc.bench.faults.FaultsResult;
import dev.rcc.bench.faults.LockFaults;
import dev.rcc.bench.faults.PlannedFault;
import dev.rcc.bench.faults.RandomFaults;
import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.store.KeyKind;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.config.LockNamespace;
import dev.rcc.server.process.ClientAccessOptions;
import dev.rcc.server.process.ServerConfig;
import dev.rcc.server.process.ServerOptions;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code rcc cluster faults}. */
@Command(
        name = "faults",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        header = "Kills, stops or cuts off the nodes of a cluster on this machine, and checks that nothing is lost.",
        description = {
            "With --random, clients read and write a table of the cluster meanwhile, and faults of all kinds that the"
                    + " cluster survives are drawn from a seed. All acknowledged writes must be there at the end, the"
                    + " outcomes given for commits whose answer was lost must be true, the history must be"
                    + " serializable, and the cluster must come back after each fault.",
            "With --locks, clients count under locks meanwhile, each in two transactions that their token fences, while"
                    + " nodes are killed or stopped for longer than a lease. No count may be lost, and writes of late"
                    + " holders must be refused.",
            "Without both, faults of one kind hit one node after the other. All nodes run SmallBank transfers, or"
                    + " TPC-C, meanwhile, each with its own clients, which die with it. The data that the cluster"
                    + " served is gone afterwards."
        })
final class FaultsCommand implements Callable<Integer> {
    /** The table that clusters have for fault drills, unless they were given other tables. */
    static final String FAULTS_TABLE = "faults";
    /** The same table as an option of commands that bring a cluster up. */
    static final String TABLE_FOR_FAULTS = FAULTS_TABLE + ":long:256:1000";

    private static final int RECORD_BYTES_MIN = 16;
    /** Longer than a drill takes to end: it bounds its waits itself. */
    private static final Duration DRILL_END = Duration.ofHours(1);

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private static final Option DIR = Option.text(
            "--dir", "rcc-cluster", "a directory", "The directory of the cluster, which 'rcc cluster up' has started.");
    private static final Option FAULT = Option.choice(
            "--fault",
            "kill",
            List.of("kill", "datacenter", "stop", "cut", "split"),
            "The fault: 'kill' kills the node's process and starts another one; 'datacenter' does so for all nodes of"
                    + " its data centre; 'stop' stops the process for a while; 'cut' cuts the node's links for a while"
                    + " (on tcp, in a cluster brought up with --namespaces, or with --delay, for example n0-n1=0ms);"
                    + " 'split' cuts the links between its data centre and another one (with --delay).");
    private static final Option COUNT = Option.integer("--count", 10, 1, 100_000, "faults", "Number of faults.");
    private static final Option SEED =
            Option.integer("--seed", 1, 0, Long.MAX_VALUE, "seed", "Seed of the nodes and times of the faults.");
    private static final Option RANDOM = Option.integer(
                    "--random",
                    1,
                    0,
                    Long.MAX_VALUE,
                    "seed",
                    "Faults of all kinds that the cluster survives, drawn from this seed, under a load of clients. The"
                            + " drawn faults are printed first; the same seed draws the same faults again.")
            .withDefault("");
    private static final Option KINDS = Option.text(
            "--kinds",
            "",
            "some, with commas, of " + String.join(", ", FaultKind.labels()),
            "With --random, the kinds of faults that are drawn; by default all that the cluster survives.");
    private static final Option TABLE_NAME = Option.text(
            "--table",
            FAULTS_TABLE,
            "a table of the cluster with long keys and records of 16 bytes or more",
            "With --random and --locks, the table that the clients read and write, from key 0 on.");
    private static final Option LOCKS = Option.text(
            "--locks",
            "",
            "a namespace of locks of the cluster, as brought up with --locks",
            "Clients count under these locks meanwhile, in the table of --table: no count may be lost, and no late"
                    + " holder may write. With --fault kill or stop; the cluster goes on serving.");
    private static final Option KEYS = Option.integer(
            "--keys", 200, 10, 1_000_000, "records", "With --random, the number of records that the clients use.");
    private static final Option CLIENTS =
            Option.integer("--clients", 8, 1, 500, "clients", "With --random and --locks, the number of clients.");
    private static final Option PATIENCE = Option.integer(
            "--patience-seconds",
            120,
            1,
            3_600,
            "seconds",
            "With --random and --locks, how long the cluster may take to be whole again after a fault; after that it"
                    + " counts as stuck.");
    private static final Option JSON =
            Option.text("--json", "", "a file that can be written", "With --random, file for the result as JSON.");
    private static final Option PROTOCOL = Option.text(
            "--protocol",
            "",
            "one of " + String.join(", ", Protocols.names()),
            "Concurrency control protocol; by default the cluster's.");
    private static final Option CODE = Option.text(
            "--code",
            "",
            "rpc, one-sided, or a digit for each stage of the protocol, 0 (rpc) or 1 (one-sided)",
            "How each stage of the protocol communicates; by default as in the cluster, or one-sided if --protocol is"
                    + " given, and rpc where the network has no remote atomics.");
    private static final Option COROUTINES =
            Option.integer("--coroutines", 4, 1, 100, "coroutines", "Clients of each node.");
    private static final Option WORKLOAD = Option.choice(
            "--workload",
            "smallbank",
            List.of("smallbank", "tpcc"),
            "Workload during the faults: transfers of SmallBank, or all transactions of TPC-C, with a warehouse on each"
                    + " node.");
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
            "--stop-seconds-min",
            5,
            0,
            3_600,
            "seconds",
            "How long a process is stopped, or cut off, or data centres are split, at least.");
    private static final Option STOP_MAX = Option.decimal(
            "--stop-seconds-max",
            30,
            0,
            3_600,
            "seconds",
            "How long a process is stopped, or cut off, or data centres are split, at most.");

    static final OptionTable TABLE = new OptionTable(
            "",
            List.of(
                    DIR,
                    RANDOM,
                    KINDS,
                    LOCKS,
                    TABLE_NAME,
                    KEYS,
                    CLIENTS,
                    PATIENCE,
                    JSON,
                    FAULT,
                    COUNT,
                    SEED,
                    PROTOCOL,
                    CODE,
                    COROUTINES,
                    WORKLOAD,
                    ACCOUNTS,
                    RECOVERY,
                    THINK,
                    STOP_MIN,
                    STOP_MAX));

    private static final List<Option> ONLY_RANDOM = List.of(KINDS, TABLE_NAME, KEYS, CLIENTS, PATIENCE, JSON);
    private static final List<Option> NOT_RANDOM =
            List.of(FAULT, SEED, PROTOCOL, CODE, COROUTINES, WORKLOAD, ACCOUNTS, RECOVERY, STOP_MIN, STOP_MAX, LOCKS);
    private static final List<Option> NOT_WITH_LOCKS = List.of(
            RANDOM, KINDS, KEYS, JSON, PROTOCOL, CODE, COROUTINES, WORKLOAD, ACCOUNTS, RECOVERY, STOP_MIN, STOP_MAX);

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        ParseResult parsed = spec.commandLine().getParseResult();
        try {
            Map<String, String> given = CommandOptions.given(parsed, TABLE);
            List<String> protocolOptions = CommandOptions.protocolOptions(parsed);
            OptionValues values = values(given, protocolOptions);
            ClusterDirectory directory = new ClusterDirectory(Path.of(values.text(DIR)));
            if (values.isGiven(LOCKS)) {
                return underLocks(values, directory);
            }
            boolean isRandom = values.isGiven(RANDOM);
            Optional<Path> json = OutputFiles.of(given, JSON).file(JSON);
            if (directory.nodes().isEmpty()) {
                throw values.refuse(DIR, DIR.allowed() + "; no cluster runs there");
            }
            directory.beginFaults(values, DIR);
            try {
                return isRandom ? atRandom(values, json, directory) : ofOneKind(values, protocolOptions, directory);
            } finally {
                directory.endFaults();
            }
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * The options that were given.
     *
     * @throws IllegalArgumentException for options that do not go together
     */
    static OptionValues values(Map<String, String> given, List<String> protocolOptions) {
        OptionValues values = TABLE.parse(given);
        if (values.isGiven(LOCKS)) {
            refuseWithLocks(values, protocolOptions);
            return values;
        }
        boolean isRandom = values.isGiven(RANDOM);
        if (isRandom && !protocolOptions.isEmpty()) {
            throw new IllegalArgumentException(BenchOptions.PROTOCOL_OPTION + ": got '" + protocolOptions.getFirst()
                    + "', allowed: nothing with " + RANDOM + ", whose clients use the cluster's own protocol");
        }
        values.refuseGiven(isRandom ? NOT_RANDOM : ONLY_RANDOM, (isRandom ? "nothing with " : "it with ") + RANDOM);
        if (values.decimal(STOP_MIN) > values.decimal(STOP_MAX)) {
            throw values.refuse(STOP_MIN, "at most " + STOP_MAX + ", " + values.text(STOP_MAX));
        }
        return values;
    }

    private static void refuseWithLocks(OptionValues values, List<String> protocolOptions) {
        values.refuseGiven(NOT_WITH_LOCKS, "nothing with " + LOCKS);
        if (!protocolOptions.isEmpty()) {
            throw new IllegalArgumentException(BenchOptions.PROTOCOL_OPTION + ": got '" + protocolOptions.getFirst()
                    + "', allowed: nothing with " + LOCKS);
        }
        if (!List.of("kill", "stop").contains(values.text(FAULT))) {
            throw values.refuse(FAULT, "kill or stop with " + LOCKS);
        }
    }

    private void print(String line) {
        spec.commandLine().getOut().println(line);
        spec.commandLine().getOut().flush();
    }

    // ---- faults of all kinds, with clients -----------------------------------------------------------------------

    private int atRandom(OptionValues values, Optional<Path> json, ClusterDirectory directory)
            throws IOException, InterruptedException {
        List<ServerConfig> configs = configs(values, directory);
        ServerConfig config = configs.getFirst();
        ClusterShape shape = shape(config);
        List<FaultKind> kinds = kinds(values, shape);
        RandomFaults.Options options = new RandomFaults.Options(
                gateways(configs),
                values.text(TABLE_NAME),
                recordBytes(values, config),
                values.intValue(KEYS),
                values.intValue(CLIENTS),
                values.intValue(THINK),
                values.integer(RANDOM),
                values.intValue(PATIENCE),
                config.network().fencesByKilling(),
                model(config));
        List<PlannedFault> schedule = FaultSchedule.draw(values.integer(RANDOM), values.intValue(COUNT), shape, kinds);
        String what = String.format(
                Locale.ROOT,
                "%s %s on %s, %d nodes, %d copies, %s",
                config.cluster().protocol().name(),
                config.cluster().code().digits(),
                config.network().name(),
                shape.nodes(),
                shape.copies(),
                shape.onDisk() ? "disk" : "memory");
        print("%d faults from seed %s: %s; %s clients, %s records"
                .formatted(schedule.size(), values.text(RANDOM), what, values.text(CLIENTS), values.text(KEYS)));
        schedule.forEach(fault -> print("  " + fault.number() + ": " + fault.describe()));
        RandomFaults faults = new RandomFaults(options, shape, new NodeProcesses(directory, List.of()), this::print);
        try (EndInOrder _ = endingInOrder(faults::endEarly)) {
            FaultsResult result = faults.run(schedule);
            report(values, directory, result);
            if (json.isPresent()) {
                ObjectNode begin = MAPPER.createObjectNode();
                begin.put("seed", values.integer(RANDOM)).put("cluster", what);
                Files.writeString(json.get(), result.toJson(begin));
            }
            return result.isClean() ? Rcc.OK : Rcc.FAILED;
        }
    }

    /** When this process is asked to end, the faults so far are judged, and no node stays dead, stopped or cut off. */
    private EndInOrder endingInOrder(Runnable endEarly) {
        Runnable ask = () -> {
            print("asked to end: no further faults");
            endEarly.run();
        };
        return new EndInOrder(ask, DRILL_END);
    }

    /** Prints the result, and keeps the history of a run that has failed. */
    private void report(OptionValues values, ClusterDirectory directory, FaultsResult result) throws IOException {
        print(result.report());
        if (result.isClean()) {
            print("all invariants hold");
            return;
        }
        Path history = directory.path().resolve("faults-" + values.text(RANDOM) + "-history.json.gz");
        result.writeHistory(history);
        print("FAILED; the clients' history is in " + history + "; to repeat: rcc cluster faults --dir "
                + values.text(DIR) + " --random " + values.text(RANDOM) + " --count " + values.text(COUNT)
                + (values.isGiven(KINDS) ? " --kinds " + values.text(KINDS) : ""));
    }

    /** The configurations of the nodes, which must admit clients without credentials. */
    private static List<ServerConfig> configs(OptionValues values, ClusterDirectory directory) {
        List<ServerConfig> configs = directory.nodes().stream()
                .map(node -> ServerConfig.of(YamlFile.read(directory.config(node.id()))))
                .toList();
        if (configs.stream()
                .map(each -> each.gateway().access())
                .anyMatch(access -> !access.users().isOpen() || access.tls() != null)) {
            throw values.refuse(DIR, "a cluster without users and client.tls: the drill's clients have no credentials");
        }
        return configs;
    }

    private static String gateways(List<ServerConfig> configs) {
        return configs.stream()
                .map(each -> each.values().text(ClientAccessOptions.CLIENT))
                .collect(Collectors.joining(","));
    }

    private static ClusterShape shape(ServerConfig config) {
        return new ClusterShape(
                config.cluster().nodes(),
                config.cluster().replicas(),
                config.cluster().raft() != null,
                config.cluster().durability() != null,
                config.cluster().waits().recoveryNanos() > 0,
                config.values().intValue(ServerOptions.FAILURE));
    }

    /** The kinds that may be drawn: those that were asked for, all of which the cluster must survive, or all kinds that it survives. */
    private static List<FaultKind> kinds(OptionValues values, ClusterShape shape) {
        List<FaultKind> survived = Stream.of(FaultKind.values())
                .filter(kind -> kind.isSurvivedBy(shape))
                .toList();
        if (survived.isEmpty()) {
            throw values.refuse(
                    RANDOM, "it in a cluster on disk, or with 2 copies or more where dead nodes are replaced");
        }
        if (!values.isGiven(KINDS)) {
            return survived;
        }
        String allowed = "some of " + survived.stream().map(FaultKind::label).collect(Collectors.joining(", "))
                + ", which this cluster survives";
        List<String> labels = List.of(values.text(KINDS).split(",", -1));
        if (!survived.stream().map(FaultKind::label).toList().containsAll(labels)) {
            throw values.refuse(KINDS, allowed);
        }
        return labels.stream().map(FaultKind::ofLabel).toList();
    }

    private static int recordBytes(OptionValues values, ServerConfig config) {
        TableSchema table = config.cluster().tables().stream()
                .filter(each -> each.name().equals(values.text(TABLE_NAME)))
                .findFirst()
                .orElseThrow(() -> values.refuse(
                        TABLE_NAME,
                        TABLE_NAME.allowed() + ", such as one that was brought up with --tables " + TABLE_FOR_FAULTS));
        if (table.keyKind() != KeyKind.LONG || table.recordBytes() < RECORD_BYTES_MIN) {
            throw values.refuse(TABLE_NAME, TABLE_NAME.allowed());
        }
        return table.recordBytes();
    }

    /** The consistency that the protocol promises for transactions of different clients. */
    private static Model model(ServerConfig config) {
        return config.cluster().protocol().isStrictlySerializable() ? Model.STRICT_SERIALIZABLE : Model.SERIALIZABLE;
    }

    // ---- faults of one kind, with clients that count under locks
    // ------------------------------------------------------------

    private int underLocks(OptionValues values, ClusterDirectory directory) throws IOException, InterruptedException {
        if (directory.nodes().isEmpty()) {
            throw values.refuse(DIR, DIR.allowed() + "; no cluster runs there");
        }
        List<ServerConfig> configs = configs(values, directory);
        ServerConfig config = configs.getFirst();
        LockNamespace namespace = config.cluster().locks().namespaces().stream()
                .filter(each -> each.name().equals(values.text(LOCKS)))
                .findFirst()
                .orElseThrow(() -> values.refuse(
                        LOCKS,
                        "one of "
                                + config.cluster().locks().namespaces().stream()
                                        .map(LockNamespace::name)
                                        .toList()));
        ClusterShape shape = shape(config);
        FaultKind kind = FaultKind.ofLabel(values.text(FAULT));
        if (!kind.isSurvivedBy(shape)) {
            throw values.refuse(FAULT, "a fault that the cluster survives");
        }
        LockFaults.Options options = new LockFaults.Options(
                gateways(configs),
                namespace.name(),
                tableFor(values, config),
                values.intValue(CLIENTS),
                values.intValue(THINK),
                namespace.leaseMillis(),
                values.integer(SEED),
                values.intValue(PATIENCE),
                config.network().fencesByKilling());
        List<PlannedFault> schedule = FaultSchedule.draw(
                values.integer(SEED), values.intValue(COUNT), longer(shape, namespace), List.of(kind));
        directory.beginFaults(values, DIR);
        try {
            LockFaults faults = new LockFaults(options, shape, new NodeProcesses(directory, List.of()), this::print);
            try (EndInOrder _ = endingInOrder(faults::endEarly)) {
                return report(values, namespace, faults.run(schedule));
            }
        } finally {
            directory.endFaults();
        }
    }

    /** The shape with a failure time of at least a lease: a stopped process stays stopped for longer than a lease, too. */
    private static ClusterShape longer(ClusterShape shape, LockNamespace namespace) {
        return new ClusterShape(
                shape.nodes(),
                shape.copies(),
                shape.byMajority(),
                shape.onDisk(),
                shape.replaces(),
                Math.max(shape.failureMillis(), namespace.leaseMillis()));
    }

    private static String tableFor(OptionValues values, ServerConfig config) {
        int _ = recordBytes(values, config);
        return values.text(TABLE_NAME);
    }

    private int report(OptionValues values, LockNamespace namespace, LockFaults.Result result) {
        print(String.format(
                Locale.ROOT,
                "%d faults (%s), seed %s, locks of %s (lease %d ms): from fault to next count p50 %d ms, p99 %d ms; whole again"
                        + " after p50 %d ms%s",
                result.outages().size(),
                values.text(FAULT),
                values.text(SEED),
                namespace.name(),
                namespace.leaseMillis(),
                RandomFaults.Outage.millis(result.outages(), 50, RandomFaults.Outage::gapNanos),
                RandomFaults.Outage.millis(result.outages(), 99, RandomFaults.Outage::gapNanos),
                RandomFaults.Outage.millis(result.outages(), 50, RandomFaults.Outage::returnNanos),
                result.whyNoFurther().isEmpty() ? "" : " (no further: " + result.whyNoFurther() + ")"));
        print(String.format(
                Locale.ROOT,
                "%,d counts acknowledged (%,d of unknown outcome), %,d lost; of %,d late holders, the fence refused %,d"
                        + " transactions, and %,d had an effect; it refused %,d more, of holders not known to be late",
                result.counts(),
                result.unknown(),
                result.lost(),
                result.late(),
                result.refused(),
                result.effective(),
                result.lostLocks()));
        result.remarks().forEach(remark -> print("note: " + remark));
        result.violations().forEach(violation -> print((violation.startsWith(" ") ? "" : "VIOLATION: ") + violation));
        print(result.isClean() ? "all invariants hold" : "FAILED");
        return result.isClean() ? Rcc.OK : Rcc.FAILED;
    }

    // ---- faults of one kind, within the nodes --------------------------------------------------------------------

    private int ofOneKind(OptionValues values, List<String> protocolOptions, ClusterDirectory directory)
            throws IOException, InterruptedException {
        BenchNetwork.Processes network = ClusterDirectory.running(values, DIR);
        Map<String, String> cluster = YamlFile.read(directory.config(0));
        String protocol = values.isGiven(PROTOCOL) ? values.text(PROTOCOL) : cluster.get(ServerOptions.PROTOCOL.key());
        String code = code(values, network, cluster);
        Map<String, String> chosen = new LinkedHashMap<>();
        if (!values.isGiven(PROTOCOL)) {
            chosen.putAll(ProtocolOptions.of(protocol, cluster));
        }
        chosen.putAll(ProtocolOptions.parse(protocolOptions, List.of(protocol)));
        BenchConfig config = config(values, network, protocol, code, chosen);
        checkIsSurvived(values, config);
        FaultRun.Options options = new FaultRun.Options(
                FaultRun.Fault.valueOf(values.text(FAULT).toUpperCase(Locale.ROOT)),
                values.intValue(COUNT),
                values.decimal(RECOVERY),
                values.intValue(THINK),
                values.decimal(STOP_MIN),
                values.decimal(STOP_MAX));
        Path notes = Files.createTempDirectory(directory.path(), "acknowledged");
        FaultRun run = new FaultRun(
                config, network, options, new NodeProcesses(directory, network.admins()), notes, this::print);
        try (EndInOrder _ = endingInOrder(run::endEarly)) {
            return judge(run, values, protocol, notes);
        }
    }

    private int judge(FaultRun run, OptionValues values, String protocol, Path notes)
            throws IOException, InterruptedException {
        try {
            FaultRun.Result result = run.run();
            report(spec.commandLine().getOut(), values, protocol, result);
            return result.isClean() ? Rcc.OK : Rcc.FAILED;
        } catch (IllegalStateException e) {
            print("FAILED: " + e.getMessage());
            return Rcc.FAILED;
        } finally {
            try (Stream<Path> files = Files.walk(notes)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    private static String code(OptionValues values, BenchNetwork.Processes network, Map<String, String> cluster) {
        if (values.isGiven(CODE)) {
            return values.text(CODE);
        }
        if (!values.isGiven(PROTOCOL)) {
            return ServerConfig.of(cluster).cluster().code().digits();
        }
        return network.atomicity() == Atomicity.NONE ? Primitive.RPC.label() : BenchOptions.CODE.defaultValue();
    }

    private static void checkIsSurvived(OptionValues values, BenchConfig config) {
        Zones zones = config.zones();
        boolean isSurvived = config.replicas() > 1
                && IntStream.range(0, zones.count())
                        .allMatch(zone -> 2 * zones.nodes(zone).size() < zones.nodes());
        if (List.of("datacenter", "split").contains(values.text(FAULT)) && !isSurvived) {
            throw values.refuse(
                    FAULT,
                    "kill, stop or cut, as the nodes are in " + zones
                            + ": no data centre may have half of the nodes, and 2 replicas are needed");
        }
    }

    private static BenchConfig config(
            OptionValues values,
            BenchNetwork.Processes network,
            String protocol,
            String code,
            Map<String, String> protocolOptions) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put(BenchOptions.PROTOCOL.key(), protocol);
        options.put(BenchOptions.CODE.key(), code);
        options.put("--workload", values.text(WORKLOAD));
        options.put("--nodes", Integer.toString(network.admins().size()));
        if (network.zones().areNamed()) {
            options.put(BenchOptions.DATACENTERS.key(), network.zones().toString());
        }
        options.put("--coroutines", values.text(COROUTINES));
        options.put("--seed", values.text(SEED));
        options.put("--check", "on");
        return BenchOptions.config(
                BenchOptions.TABLE.parse(options),
                properties(values),
                protocolOptions.entrySet().stream()
                        .map(each -> each.getKey() + "=" + each.getValue())
                        .toList());
    }

    private static List<String> properties(OptionValues values) {
        if (values.text(WORKLOAD).equals("tpcc")) {
            if (values.isGiven(ACCOUNTS)) {
                throw values.refuse(ACCOUNTS, "only with " + WORKLOAD + " smallbank");
            }
            return List.of("customers=300", "items=10000", "growth-percent=5000");
        }
        // Only kinds that leave the sum of the money unchanged: the outcomes of dead clients are not known.
        return List.of(
                "accounts=" + values.text(ACCOUNTS), "deposit-checking=0", "write-check=0", "transact-savings=0");
    }

    private static void report(PrintWriter out, OptionValues values, String protocol, FaultRun.Result result) {
        out.format(
                Locale.ROOT,
                "%d faults (%s), seed %s, %s: from fault to next commit p50 %d ms, p99 %d ms; back after %d ms on"
                        + " average%n",
                result.outageNanos().size(),
                values.text(FAULT),
                values.text(SEED),
                protocol,
                TimeUnit.NANOSECONDS.toMillis(result.outageNanos(50)),
                TimeUnit.NANOSECONDS.toMillis(result.outageNanos(99)),
                TimeUnit.NANOSECONDS.toMillis(result.returnNanosMean()));
        out.format(Locale.ROOT, "%d acknowledged writes looked for%n", result.acknowledged());
        result.violations().forEach(violation -> out.println("VIOLATION: " + violation));
        result.checked().ifPresent(checked -> out.print("history of all incarnations: " + checked.report()));
        out.println(result.isClean() ? "all invariants hold" : "FAILED");
        out.flush();
    }
}
