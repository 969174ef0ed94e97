package dev.rcc.bench.cli;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchNetwork;
import dev.rcc.bench.driver.ClientLoad;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workload.WorkloadType;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.client.ClientOptions;
import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.Networks;
import dev.rcc.server.config.Replications;
import dev.rcc.server.process.Datacenters;
import dev.rcc.server.process.FabricOptions;
import dev.rcc.server.process.LinkDelays;
import dev.rcc.transport.local.LocalProvider;
import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.sim.CostModel;
import dev.rcc.transport.sim.Distances;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The options of {@code rcc bench}, except {@code -P}, which belongs to the workloads. */
final class BenchOptions {
    static final Option PROTOCOL = Option.text(
            "--protocol",
            "nowait",
            "all, or one or several, with commas, of " + String.join(", ", Protocols.names()),
            "Concurrency control protocol.");
    static final Option CODE = Option.text(
            "--code",
            "one-sided",
            "one or several, with commas, of rpc, one-sided, a digit for each stage of the protocol, 0 (rpc) or 1"
                    + " (one-sided), and hybrid, which is chosen by the stage latencies of rpc and one-sided",
            "Hybrid code: how each stage of the protocol communicates; with --between, and a device whose atomics are not atomic against"
                    + " the CPU's, rpc is the default.");
    static final Option WORKLOAD =
            Option.choice("--workload", "smallbank", Workloads.names(), "Workload of the clients.");
    static final Option FABRIC = Option.choice(
            "--fabric",
            BenchNetwork.LOCAL,
            Stream.concat(Stream.of(BenchNetwork.LOCAL, BenchNetwork.SIM), Networks.names().stream())
                    .toList(),
            "Network between the nodes: this JVM's memory, a simulation in virtual time, or a network that nodes with a"
                    + " process each can use.");
    static final Option BETWEEN = Option.choice(
            "--between",
            FabricOptions.NONE,
            FabricOptions.BETWEEN,
            "Network between different data centres, with --fabric inside each of them; none: --fabric everywhere.");
    static final Option FABRIC_OPTIONS = Option.text(
            "--fabric-options",
            "",
            "key=value with commas; the keys are those of a server",
            "Options of the network; see docs/operations/reference.md.");
    static final Option QPS_PER_PEER = Option.integer(
            "--qps-per-peer",
            1,
            1,
            64,
            "queue pairs",
            "Queue pairs from each worker to each peer on verbs, used in turns, as a NIC has in a larger cluster.");
    static final Option CLUSTER = Option.text(
            "--cluster",
            "",
            "the directory of a cluster that 'rcc cluster up' has started",
            "Run on nodes with a process each, instead of in this JVM.");
    static final Option PROFILE =
            Option.choice("--profile", "connectx4-edr", CostModel.PROFILES, "Costs of a simulated network's hardware.");
    static final Option COSTS = Option.text(
            "--costs",
            "",
            "key=value with commas; the keys are those of the profile's file",
            "Costs of a simulated network's hardware that replace the profile's.");
    static final Option ATOMICITY = Option.choice(
            "--atomicity",
            "global",
            List.of("global", "device"),
            "Whether a simulated NIC's atomics are atomic against the CPU's, or against that device's only.");
    static final Option NODES = Option.integer("--nodes", 3, 1, 256, "nodes", "Nodes of the cluster.");
    static final Option WORKERS = Option.integer("--workers", 1, 1, 512, "threads", "Worker threads of each node.");
    static final Option COROUTINES =
            Option.integer("--coroutines", 10, 1, 1023, "coroutines", "Coroutines of each worker, each a client.");
    static final Option REPLICAS =
            Option.integer("--replicas", 3, 1, 256, "copies", "Copies of each partition, at most one a node.");
    static final Option REPLICATION = Option.choice(
            "--replication",
            Replications.RINGS,
            Replications.names(),
            "How commits get to the backups; raft on a cluster that 'rcc cluster up --replication raft' has started, with"
                    + " --cluster.");
    static final Option DATACENTERS = Option.text(
            "--datacenters",
            "",
            Datacenters.ALLOWED,
            "Where the nodes are, as in a,a,b,b: the copies of a partition lie in different data centres.");
    static final Option DELAY = Option.text(
            "--delay", "", LinkDelays.ALLOWED, "Extra delay of each message between nodes, in each direction; on sim.");
    static final Option WARMUP = Option.decimal(
            "--warmup", 2, 0, 86_400, "seconds", "How long to run before measuring, at least; 0.002 on sim.");
    static final Option WARMUP_MAX = Option.decimal(
            "--warmup-max",
            20,
            0,
            86_400,
            "seconds",
            "How long to run before measuring, at most: the warm-up ends as soon as throughput is steady and the code is"
                    + " compiled. Without this option, the warm-up takes exactly --warmup if that is given, and on sim.");
    static final Option SECONDS =
            Option.decimal("--seconds", 5, 0.001, 86_400, "seconds", "How long to measure; 0.01 on sim, virtual.");
    static final Option SEED =
            Option.integer("--seed", 42, Long.MIN_VALUE, Long.MAX_VALUE, "", "Seed of all random choices.");
    static final Option REPEAT = Option.integer(
            "--repeat",
            1,
            1,
            100,
            "rounds",
            "Run all rows of the table so many times, in turn, with seeds that count up: medians, spread, 95 %"
                    + " intervals, and ranks where these do not overlap.");
    static final Option CHECK = Option.flag(
            "--check",
            "Record the history of all transactions, and check that it is serializable; in this JVM, strictly so under"
                    + " the protocols that promise it.");
    static final Option HISTORY = Option.text(
            "--history",
            "",
            "with --check and a single run, a file that can be written",
            "File for the history that was checked, for 'rcc check'.");
    static final Option SWEEP = Option.text(
            "--sweep",
            "",
            "nodes, workers, coroutines, replicas, contention, computation or a key of the workload, then = and values"
                    + " with commas",
            "Run once for each value of an option, as in coroutines=1,3,5,7,9,11.");
    static final Option THROUGH = Option.choice(
            "--through",
            "nodes",
            List.of("nodes", ClientLoad.Mode.CLIENT.label(), ClientLoad.Mode.PROCEDURES.label()),
            "How transactions are run: by the nodes' coroutines; by clients of the client library, interactively; or by"
                    + " such clients' calls of stored procedures. Clients run smallbank, ycsb, ycsb-sundial and tpcc.");
    static final Option CLIENTS = Option.integer(
            "--clients",
            16,
            1,
            10_000,
            "clients",
            "With --through: clients, each with one transaction at a time. --coroutines is then how many transactions a worker"
                    + " has under way; by default as many as there are clients.");
    static final Option CONNECTIONS = Option.integer(
            "--connections",
            ClientOptions.ONE_PER_WORKER,
            0,
            64,
            "connections",
            "With --through: connections to each gateway, which the clients share; 0 is one to each worker.");
    static final Option JSON =
            Option.text("--json", "", "a file that can be written", "File for the result as one JSON object.");
    static final Option CSV =
            Option.text("--csv", "", "a file that can be written", "File for the result as CSV, a line for each run.");
    static final Option PROPERTY = Option.text(
            "-P", "", "key=value with a key of the workload", "Option of the workload, see below; may be repeated.");

    static final Option PROTOCOL_OPTION = Option.text(
            "-O", "", "key=value with a key of a protocol", "Option of a protocol, see below; may be repeated.");

    static final OptionTable TABLE = new OptionTable(
            "",
            List.of(
                    PROTOCOL,
                    CODE,
                    WORKLOAD,
                    FABRIC,
                    BETWEEN,
                    FABRIC_OPTIONS,
                    QPS_PER_PEER,
                    CLUSTER,
                    PROFILE,
                    COSTS,
                    ATOMICITY,
                    NODES,
                    WORKERS,
                    COROUTINES,
                    REPLICAS,
                    REPLICATION,
                    DATACENTERS,
                    DELAY,
                    WARMUP,
                    WARMUP_MAX,
                    SECONDS,
                    SEED,
                    REPEAT,
                    SWEEP,
                    CHECK,
                    HISTORY,
                    THROUGH,
                    CLIENTS,
                    CONNECTIONS,
                    ConnectOptions.TOKEN_FILE,
                    ConnectOptions.TLS_TRUST,
                    ConnectOptions.TLS_CERTIFICATE,
                    ConnectOptions.TLS_KEY,
                    JSON,
                    CSV));

    /** The credentials that clients prove to servers. */
    private static final List<Option> ACCESS = List.of(
            ConnectOptions.TOKEN_FILE,
            ConnectOptions.TLS_TRUST,
            ConnectOptions.TLS_CERTIFICATE,
            ConnectOptions.TLS_KEY);

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** Virtual time is expensive: a second of it is millions of transactions. */
    private static final double SIM_WARMUP = 0.002;

    private static final double SIM_SECONDS = 0.01;

    /** The part after a network's name in the key of its queue pairs. */
    private static final String QPS_KEY = ".qps-per-peer";

    private static final int COROUTINES_PER_NODE = Timestamp.MAX_COROUTINE + 1;

    private BenchOptions() {}

    /**
     * Reads the benchmark to run.
     *
     * @param values the options of {@link #TABLE}
     * @param properties the values given with {@code -P}
     * @param protocolOptions the values given with {@code -O}
     * @throws IllegalArgumentException for a benchmark that cannot run; names the option, the value given and the values allowed
     */
    static BenchConfig config(OptionValues values, List<String> properties, List<String> protocolOptions) {
        WorkloadType workload = Workloads.byName(values.text(WORKLOAD));
        OptionValues chosen =
                ProtocolOptions.TABLE.parse(parse(PROTOCOL_OPTION, ProtocolOptions.TABLE, protocolOptions));
        Protocol protocol = ProtocolOptions.create(values.text(PROTOCOL), chosen);
        BenchNetwork network = network(values);
        Zones zones = network instanceof BenchNetwork.Processes processes ? processes.zones() : zones(values);
        int nodes = zones.nodes();
        int workers = values.intValue(WORKERS);
        int coroutinesMax = COROUTINES_PER_NODE / workers - 1;
        int coroutines = coroutines(values, coroutinesMax);
        int replicas = Datacenters.home(values, REPLICAS, zones).replicas();
        if (coroutines > coroutinesMax) {
            throw values.refuse(COROUTINES, "at most " + coroutinesMax + " with " + workers + " workers a node");
        }
        Workload created = workload.create(parse(PROPERTY, workload.options(), properties));
        Optional<ClientLoad> load = load(values, created);
        created.checkClients(nodes, load.map(ClientLoad::clients).orElse(nodes * workers * coroutines));
        return new BenchConfig(
                protocol,
                ProtocolOptions.of(protocol.name(), chosen),
                code(protocol, values.isGiven(CODE) ? values.text(CODE) : defaultCode(values, network)),
                created,
                network,
                new BenchConfig.Shape(zones, workers, coroutines, replicas),
                times(values, network),
                values.integer(SEED),
                new BenchConfig.History(values.isGiven(CHECK), Optional.empty()),
                load);
    }

    /** Only RPC is left where remote atomics can change no word. Finding that out costs a query of the device. */
    private static String defaultCode(OptionValues values, BenchNetwork network) {
        boolean mayLackAtomics =
                values.isGiven(BETWEEN) || network instanceof BenchNetwork.Processes; // whose atomicity is known
        return mayLackAtomics && network.atomicity() == Atomicity.NONE ? "rpc" : CODE.defaultValue();
    }

    /** A client has one transaction at a time, and all clients may use the same worker. */
    private static int coroutines(OptionValues values, int most) {
        return values.isGiven(COROUTINES) || mode(values).isEmpty()
                ? values.intValue(COROUTINES)
                : Math.min(values.intValue(CLIENTS), most);
    }

    /** How clients run transactions; empty if the nodes' coroutines run them. */
    private static Optional<ClientLoad.Mode> mode(OptionValues values) {
        return Stream.of(ClientLoad.Mode.values())
                .filter(each -> each.label().equals(values.text(THROUGH)))
                .findFirst();
    }

    private static Optional<ClientLoad> load(OptionValues values, Workload workload) {
        Optional<ClientLoad.Mode> mode = mode(values);
        if (mode.isEmpty()) {
            values.refuseGiven(List.of(CLIENTS, CONNECTIONS), "only with " + THROUGH + " client or procedures");
        }
        if (mode.isEmpty() || !values.isGiven(CLUSTER)) {
            values.refuseGiven(ACCESS, "only with " + THROUGH + " client or procedures and " + CLUSTER);
        }
        if (mode.isPresent() && values.text(FABRIC).equals(BenchNetwork.SIM)) {
            throw values.refuse(
                    THROUGH, "nodes with " + FABRIC + " " + BenchNetwork.SIM + ", where no client can come");
        }
        if (mode.isPresent() && !workload.hasClients()) {
            throw values.refuse(THROUGH, "nodes with " + WORKLOAD + " " + workload.name());
        }
        return mode.map(each -> new ClientLoad(
                each,
                values.intValue(CLIENTS),
                ConnectOptions.access(values, "rcc-bench")
                        .withConnections(values.intValue(CONNECTIONS), CONNECT_TIMEOUT)));
    }

    private static BenchNetwork network(OptionValues values) {
        String name = values.text(FABRIC);
        if (!name.equals(BenchNetwork.SIM)) {
            values.refuseGiven(
                    List.of(PROFILE, COSTS, ATOMICITY, DELAY), "only with " + FABRIC + " " + BenchNetwork.SIM);
        }
        if (values.isGiven(CLUSTER)) {
            refuseOfOwnNetwork(values);
            return ClusterDirectory.running(values, CLUSTER);
        }
        if (values.text(REPLICATION).equals(Replications.RAFT)) {
            throw values.refuse(
                    REPLICATION,
                    name.equals(BenchNetwork.SIM)
                            ? "rings on sim: Raft runs on real threads, in real time"
                            : "rings, or raft as the replication of the cluster that is named with " + CLUSTER);
        }
        Map<String, String> fabricOptions = fabricOptions(values, name);
        boolean isPair = !values.text(BETWEEN).equals(FabricOptions.NONE);
        if (isPair && name.equals(BenchNetwork.SIM)) {
            throw values.refuse(BETWEEN, FabricOptions.NONE + " with " + FABRIC + " " + name);
        }
        return switch (name) {
            case BenchNetwork.LOCAL ->
                isPair ? embedded(new LocalProvider(), values, fabricOptions) : new BenchNetwork.Local();
            case BenchNetwork.SIM ->
                new BenchNetwork.Simulated(
                        simulation(values),
                        values.isGiven(DELAY) ? Map.of(LinkDelays.DELAY.key(), values.text(DELAY)) : Map.of());
            default -> embedded(Networks.byName(name), values, fabricOptions);
        };
    }

    /** Refuses the options of nodes and a network that the command itself would start. */
    static void refuseOfOwnNetwork(OptionValues values) {
        values.refuseGiven(
                List.of(FABRIC, BETWEEN, FABRIC_OPTIONS, QPS_PER_PEER, NODES, DATACENTERS, REPLICATION),
                "nothing with " + CLUSTER + ": the cluster's own is used");
    }

    private static BenchNetwork embedded(
            FabricProvider inside, OptionValues values, Map<String, String> fabricOptions) {
        OptionValues chosen = FabricOptions.TABLE.parse(fabricOptions);
        return new BenchNetwork.Embedded(
                FabricOptions.network(inside.with(chosen), values, BETWEEN, DATACENTERS, chosen, zones(values)),
                fabricOptions);
    }

    /** The data centres of the nodes that the command itself starts. */
    private static Zones zones(OptionValues values) {
        return Datacenters.parse(DATACENTERS, values.text(DATACENTERS), values.intValue(NODES));
    }

    private static SimOptions simulation(OptionValues values) {
        Atomicity atomicity = values.text(ATOMICITY).equals("device") ? Atomicity.DEVICE : Atomicity.GLOBAL;
        CostModel costs = costs(values);
        if (costs.cpu().reachesOwnNode() && atomicity == Atomicity.DEVICE) {
            throw values.refuse(
                    ATOMICITY, "global with cpuReachesOwnNode: a NIC's atomics are not atomic against that CPU's");
        }
        return SimOptions.of(values.text(PROFILE))
                .withCosts(costs)
                .withAtomicity(atomicity)
                .withDistances(distances(values));
    }

    private static CostModel costs(OptionValues values) {
        Map<String, String> changes = keyValues(COSTS, split(values.text(COSTS)), COSTS.allowed());
        try {
            return CostModel.profile(values.text(PROFILE), changes);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(COSTS + ": " + e.getMessage(), e);
        }
    }

    private static Distances distances(OptionValues values) {
        if (!values.isGiven(DELAY)) {
            return Distances.NONE;
        }
        Zones zones = zones(values);
        Distances.Builder distances = new Distances.Builder(zones.nodes());
        LinkDelays.parse(
                DELAY,
                zones,
                values.text(DELAY),
                (from, to, fixed, jitter) -> distances.set(from, to, fixed.toNanos(), jitter.toNanos()));
        return distances.build();
    }

    /** The values given with {@link #FABRIC_OPTIONS} and {@link #QPS_PER_PEER} for the network {@code fabric}. */
    static Map<String, String> fabricOptions(OptionValues values, String fabric) {
        if (values.isGiven(FABRIC_OPTIONS)
                && FabricOptions.named(fabric, values.text(BETWEEN)).isEmpty()) {
            throw values.refuse(FABRIC_OPTIONS, "only with " + FABRIC + " " + String.join(" or ", Networks.names()));
        }
        Map<String, String> options = parse(FABRIC_OPTIONS, FabricOptions.TABLE, split(values.text(FABRIC_OPTIONS)));
        if (values.isGiven(QPS_PER_PEER)) {
            String key = fabric + QPS_KEY;
            if (!FabricOptions.TABLE.keys().contains(key)) {
                throw values.refuse(
                        QPS_PER_PEER,
                        "only with " + FABRIC + " "
                                + Networks.names().stream()
                                        .filter(name ->
                                                FabricOptions.TABLE.keys().contains(name + QPS_KEY))
                                        .collect(Collectors.joining(" or ")));
            }
            if (options.put(key, values.text(QPS_PER_PEER)) != null) {
                throw values.refuse(QPS_PER_PEER, "nothing with " + key + ", which is the same");
            }
        }
        return options;
    }

    private static BenchConfig.Times times(OptionValues values, BenchNetwork network) {
        double warmup = seconds(values, WARMUP, network, SIM_WARMUP);
        double seconds = seconds(values, SECONDS, network, SIM_SECONDS);
        if (!values.isGiven(WARMUP_MAX)) {
            boolean isFixed = values.isGiven(WARMUP) || network.simulation().isPresent();
            return new BenchConfig.Times(warmup, isFixed ? warmup : values.decimal(WARMUP_MAX), seconds);
        }
        if (network.simulation().isPresent()) {
            throw values.refuse(
                    WARMUP_MAX, "nothing with " + FABRIC + " " + BenchNetwork.SIM + ", which needs no compiler");
        }
        if (values.decimal(WARMUP_MAX) < warmup) {
            throw values.refuse(WARMUP_MAX, "at least " + WARMUP + ", " + warmup);
        }
        return new BenchConfig.Times(warmup, values.decimal(WARMUP_MAX), seconds);
    }

    private static double seconds(OptionValues values, Option option, BenchNetwork network, double simulatedDefault) {
        return network.simulation().isPresent() && !values.isGiven(option) ? simulatedDefault : values.decimal(option);
    }

    /** A value that users may give for {@code --code}, in words that users know. */
    static String describe(HybridCode code) {
        String name = shortName(code);
        return name.equals(code.digits()) ? name + ": " + code.describe() : name;
    }

    /** The shortest value that users may give for {@code --code}. */
    static String shortName(HybridCode code) {
        String digits = code.digits();
        if (!digits.contains("0")) {
            return "one-sided";
        }
        return digits.contains("1") ? digits : "rpc";
    }

    private static HybridCode code(Protocol protocol, String text) {
        try {
            return HybridCode.parse(protocol, text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(CODE + ": " + e.getMessage(), e);
        }
    }

    /** The {@code key=value} pairs given with {@code option}; {@code table} defines the keys. */
    static Map<String, String> parse(Option option, OptionTable table, List<String> given) {
        return keyValues(option, given, "key=value, where key is one of " + String.join(", ", table.keys()));
    }

    private static List<String> split(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
    }

    private static Map<String, String> keyValues(Option option, List<String> given, String allowed) {
        Map<String, String> parsed = new LinkedHashMap<>();
        for (String each : given) {
            int equals = each.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(option + ": got '" + each + "', allowed: " + allowed);
            }
            String key = each.substring(0, equals);
            if (parsed.put(key, each.substring(equals + 1)) != null) {
                throw new IllegalArgumentException(
                        option + " " + key + ": given more than once, got '" + each + "', allowed: once");
            }
        }
        return parsed;
    }
}
