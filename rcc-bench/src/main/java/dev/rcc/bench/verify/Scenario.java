package dev.rcc.bench.verify;

import dev.rcc.bench.driver.HybridChoice;
import dev.rcc.bench.verify.clients.ClientTables;
import dev.rcc.bench.verify.clients.ClientWindows;
import dev.rcc.bench.verify.fragments.FragmentMix;
import dev.rcc.bench.verify.indexes.IndexedTables;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.FragmentType;
import dev.rcc.server.recovery.RecoveryStep;
import dev.rcc.server.simulation.Death;
import dev.rcc.server.simulation.Moment;
import dev.rcc.server.simulation.Windows;
import dev.rcc.transport.sim.CostModel;
import dev.rcc.transport.sim.Distances;
import dev.rcc.transport.sim.FaultPlan;
import dev.rcc.transport.sim.SimOptions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A run in which errors are likely to show: few records, many writers, faults. The whole scenario follows from a protocol and
 * a seed.
 *
 * @param protocol the protocol
 * @param seed the seed of all random numbers
 * @param code the primitives of the stages; the atomicity admits this code
 * @param workload the clients' workload
 * @param simulation the network and its faults
 * @param faults the kind of these faults
 * @param zones the nodes, and their zones
 * @param workers number of workers of each node
 * @param coroutines number of coroutines of each worker, each a client
 * @param transactions number of transactions of each client
 * @param logRingBytes size of each log ring; small rings wrap around again and again
 * @param options the protocol's options that differ from the defaults, in words
 */
public record Scenario(
        Protocol protocol,
        long seed,
        HybridCode code,
        Workload workload,
        SimOptions simulation,
        FaultKind faults,
        Zones zones,
        int workers,
        int coroutines,
        int transactions,
        int logRingBytes,
        String options) {
    /** The names of the workloads that scenarios draw from. */
    public static final List<String> WORKLOADS = List.of("list-append", "smallbank", "ycsb", "ycsb-e", "churn");

    /** The workload of clients at gateways. */
    public static final String CLIENTS = ClientTables.NAME;
    /** The workload on indexed records. */
    public static final String INDEXES = IndexedTables.NAME;
    /** Churn that reads records first and writes them later. */
    public static final String READ_FIRST = "read-first";
    /** Churn in tables that overflow. */
    public static final String OVERFLOW = "overflow";
    /** The workloads of the second trial that each seed has, in turn. They are not drawn for first trials. */
    public static final List<String> BESIDE = List.of(CLIENTS, INDEXES, READ_FIRST, OVERFLOW);

    /** The workload of transactions that any node can run. Each seed has a third trial of it if the protocol executes fragments. */
    public static final String FRAGMENTS = FragmentMix.NAME;

    /** A window of that workload: a transaction committed that every node with one of its written records executed. */
    static final String EXECUTED_EVERYWHERE = "executed by participants";

    /** TPC-C, which is drawn only if no other workload is wanted: its transactions are large and slow. */
    public static final String TPCC = "tpcc";

    private static final String CHURN = "churn";
    private static final String GROWTH = "growth";
    private static final String COMMIT = "commit";
    private static final List<String> STEADY = List.of("list-append", "smallbank", "ycsb", "ycsb-e");

    private static final Map<String, Map<String, String>> OPTIONS = Map.of(
            "list-append",
            Map.of("keys", "6", "operations", "4", "append-percent", "40"),
            "smallbank",
            Map.of("accounts", "12", "hot-accounts", "3", "hot-probability", "60", "initial-balance", "10000"),
            "ycsb",
            Map.of(
                    "records-per-node", "4",
                    "record-bytes", "200",
                    "operations", "3",
                    "write-percent", "40",
                    "hot-access-percent", "0",
                    "compute-us", "1"),
            "ycsb-e",
            Map.of(
                    "records-per-node", "4",
                    "record-bytes", "72",
                    "insert-percent", "40",
                    "scan-length", "12",
                    "growth-percent", "10000"),
            CHURN,
            Map.of(),
            TPCC,
            Map.ofEntries(
                    Map.entry("districts", "2"),
                    Map.entry("customers", "6"),
                    Map.entry("items", "12"),
                    Map.entry("growth-percent", "3000"),
                    Map.entry("mix", "weights"),
                    Map.entry("new-order", "40"),
                    Map.entry("payment", "25"),
                    Map.entry("order-status", "10"),
                    Map.entry("delivery", "15"),
                    Map.entry("stock-level", "10"),
                    Map.entry("remote-lines-percent", "20"),
                    Map.entry("remote-payments-percent", "30"),
                    Map.entry("rollback-percent", "5")));

    /** By workload: room for its largest likely transaction, and larger sizes. */
    private static final Map<String, int[]> LOG_RING_BYTES = Map.of(
            "list-append",
            new int[] {16 * 1024, 64 * 1024},
            "smallbank",
            new int[] {4 * 1024, 8 * 1024, 64 * 1024},
            "ycsb",
            new int[] {4 * 1024, 8 * 1024, 64 * 1024},
            "ycsb-e",
            new int[] {16 * 1024, 64 * 1024},
            CHURN,
            new int[] {4 * 1024, 4 * 1024, 8 * 1024, 64 * 1024},
            TPCC,
            new int[] {64 * 1024, 128 * 1024});

    private static final int BUFFER_BYTES = 64 * 1024;
    /** For StockLevel, which reads all lines of 20 orders; and for scans of the records that clients of many nodes inserted. */
    private static final int LARGE_BUFFER_BYTES = 512 * 1024;

    /** The workload of runs in which a node is to die after a log ring was lapped. */
    private static final String LAPPING = "ycsb";

    /** That workload's options that differ there. */
    private static final Map<String, String> LAPPING_OPTIONS =
            Map.of("record-bytes", "760", "operations", "2", "write-percent", "60");

    private static final int CHURN_KEYS_MIN = 8;
    private static final int CHURN_KEYS_MAX = 16;
    /** Number of leaves: locks of absent keys conflict at shared leaves. 0 leaves the sharing to chance. */
    private static final int[] CHURN_LEAVES = {0, 1, 2, 2};
    /** Percentage of the updates that are blind writes. */
    private static final int[] CHURN_BLIND_PERCENT = {0, 0, 50, 100};
    /** Number of successive keys with the same prefix, by which the ordered table is distributed; 0 if by whole keys. */
    private static final int[] CHURN_PREFIX_KEYS = {0, 0, 0, 1, 3};
    /** A new prefix splits a leaf in three. */
    private static final int CHURN_PREFIX_RING_BYTES_MIN = 16 * 1024;
    /** Percentage of the transactions that also use a replicated table. */
    private static final int[] CHURN_REPLICATED_PERCENT = {0, 0, 0, 50};
    /** One in so many seeds has churn in place of another workload. */
    private static final int CHURN_ONE_IN = 3;

    private static final int DEFAULT_LOG_RING_BYTES = 64 * 1024;
    /**
     * If lost nodes are not replaced, log entries that wait for a lost node's last entries are never replayed: then a ring has
     * room for all entries that its coroutines log in a run.
     */
    private static final int TPCC_LOSSY_LOG_RING_BYTES = 1024 * 1024;

    private static final List<FaultKind> FAULTS = List.of(
            FaultKind.ROUGH,
            FaultKind.ROUGH,
            FaultKind.ROUGH,
            FaultKind.FAIR,
            FaultKind.PARTITIONED,
            FaultKind.DEADLY,
            FaultKind.FAILOVER,
            FaultKind.FAILOVER);
    /** Kinds that were added later: drawn from their own random numbers, so that other seeds keep their meaning. */
    private static final List<FaultKind> FAULTS_IN_DEPTH = List.of(
            FaultKind.DEATHS,
            FaultKind.CUTS,
            FaultKind.RETURNS,
            FaultKind.SUSPICIONS,
            FaultKind.DATACENTER,
            FaultKind.SPLIT);
    /** The kinds of faults of clusters in several zones. */
    private static final List<FaultKind> FAULTS_OF_ZONES = List.of(FaultKind.DATACENTER, FaultKind.SPLIT);
    /** The zones of such clusters. */
    private static final List<Zones> ZONES = Stream.of(
                    "a,a,b,b,c,c", "a,b,c,a,b,c", "a,a,b,b", "a,b,c", "a,b,b,c", "a,a,b,c,c", "a,b,c,d", "a,b")
            .map(names -> Zones.of(List.of(names.split(",", -1))))
            .toList();

    private static final long ZONES_STREAM = 0x9E6C63D0876A9A99L;
    /** The one-way distances of zones, in nanoseconds: so short that attempts take no longer than clients wait before the next attempt. */
    private static final long[] ZONE_NANOS = {0, 5_000, 20_000, 50_000};

    private static final int REPLICAS = 3;
    /** One in so many scenarios in zones has the fewest replicas that survive the loss of a zone. */
    private static final int FEW_REPLICAS_ONE_IN = 3;

    private static final int FEW_REPLICAS = 2;

    private static final long SPLIT_INTERVAL_NANOS = 2_000_000;
    private static final long SPLIT_NANOS_MAX = 3_000_000;
    private static final int SPLITS_MAX = 30;

    /** The kinds of faults for clients at gateways. */
    private static final List<FaultKind> FAULTS_OF_CLIENTS = List.of(
            FaultKind.FAIR,
            FaultKind.ROUGH,
            FaultKind.FAILOVER,
            FaultKind.DEATHS,
            FaultKind.CUTS,
            FaultKind.RETURNS,
            FaultKind.RETURNS,
            FaultKind.SUSPICIONS,
            FaultKind.SUSPICIONS);

    /** Percentages of the writes that read the record first. */
    private static final int[] READ_FIRST_PERCENT = {50, 100};

    private static final long OVERFLOW_STREAM = 0xA24BAED4963EE407L;
    /** Growth beyond the capacity, as a multiple of it, and the initial fill in percent: about to overflow, into the first segment, or the second. */
    private static final int[][] OVERFLOWS = {{1, 90}, {1, 100}, {1, 120}, {3, 95}, {3, 110}, {3, 210}, {3, 180}};

    private static final long CLIENTS_STREAM = 0x8CB92BA72F3D8DD7L;
    /** Number of client slots in the table of outcomes; with 0, each gateway keeps its own outcomes. */
    private static final int[] OUTCOME_SLOTS = {0, 16, 1024, 1024, 1024};

    private static final long FRAGMENTS_STREAM = 0x94D049BB133111EBL;
    /** The workloads whose transactions any node can run. */
    private static final List<String> FRAGMENT_WORKLOADS = List.of(CHURN, "smallbank", "ycsb");

    private static final int[] CLIENTS_LOG_RING_BYTES = {16 * 1024, 64 * 1024};
    private static final long INDEXES_STREAM = 0xA24BAED4963EE407L;
    private static final int INDEXED_KEYS_MIN = 6;
    private static final int INDEXED_KEYS_MAX = 16;

    private static final int MIN_NODES = 2;
    private static final int MAX_NODES = 4;
    private static final int MAX_WORKERS = 2;
    private static final int MIN_COROUTINES = 2;
    private static final int MAX_COROUTINES = 4;
    private static final int MIN_TRANSACTIONS = 10;
    private static final int MAX_TRANSACTIONS = 40;
    private static final long CRASH_NANOS_MAX = 500_000;
    private static final long CUT_INTERVAL_NANOS = 1_000_000;
    private static final long CUT_NANOS_MAX = 4_000_000;
    private static final double ONE_WAY_RATE = 0.5;
    /** Afterwards links stay up: a run whose links are cut again and again need not end. */
    private static final int CUTS_MAX = 100;

    private static final double DATAGRAM_LOSS_RATE = 0.0005;
    private static final double LATE_CALL_RATE = 0.001;
    private static final long LATE_NANOS_MAX = 300_000;

    private static final long LOOPBACK_STREAM = 0xBF58476D1CE4E5B9L;

    /** A kind of faults. */
    public enum FaultKind {
        /** Messages are held up, operations stall half-way, CPUs pause, clocks are wrong. */
        ROUGH("rough"),
        /** Rough, and links are cut. */
        PARTITIONED("partitioned"),
        /** Rough, and a node stops for ever. */
        DEADLY("deadly"),
        /** Rough, and a node stops for ever, and is replaced. */
        FAILOVER("failover"),
        /** Rough, and nodes stop for ever at events of the protocol and of each other's replacement, as long as copies are left. */
        DEATHS("deaths"),
        /** Rough, links are cut for a while, both ways or one way, datagrams are lost; and perhaps a node stops and is replaced. */
        CUTS("cuts"),
        /** Rough, and nodes stop at events of the protocol, of each other's replacement and of each other's return, and come back. */
        RETURNS("returns"),
        /** As {@link #RETURNS}, but most of these nodes live: they have lost their leases, and the other nodes count them as dead. */
        SUSPICIONS("suspicions"),
        /** Rough, and all nodes of a data centre stop, or are counted as dead, at an event, and come back. */
        DATACENTER("datacenter"),
        /** Rough, and data centres lose each other for a while, both ways or one way; and perhaps a data centre stops, too. */
        SPLIT("split"),
        /** Nothing goes wrong: the fastest interleavings. */
        FAIR("fair");

        private final String label;

        FaultKind(String label) {
            this.label = label;
        }

        /** The kind's name on the command line. */
        public String label() {
            return label;
        }

        /** Whether no node or link is lost for ever, or the next configuration makes up for the loss. */
        private boolean isMadeUpFor() {
            return this != PARTITIONED && this != DEADLY;
        }
    }

    /**
     * Draws a scenario.
     *
     * @param isWanted the workloads, codes and faults to draw from
     */
    public static Scenario draw(Protocol protocol, long seed, Wish isWanted) {
        return drawAnywhere(protocol, seed, isWanted).in(isWanted.zones());
    }

    private static Scenario drawAnywhere(Protocol protocol, long seed, Wish isWanted) {
        for (String beside : BESIDE) {
            if (WORKLOADS.stream().noneMatch(isWanted.workload())
                    && isWanted.workload().test(beside)) {
                return drawBeside(beside, protocol, seed, isWanted);
            }
        }
        if (isOfFragments(isWanted)) {
            return drawFragments(protocol, seed, isWanted);
        }
        SplittableRandom random = new SplittableRandom(
                seed * 0x9E3779B97F4A7C15L + protocol.name().hashCode());
        Atomicity atomicity = random.nextInt(3) == 0 ? Atomicity.DEVICE : Atomicity.GLOBAL;
        List<HybridCode> codes = codes(protocol, atomicity, isWanted);
        if (codes.isEmpty()) {
            atomicity = Atomicity.GLOBAL;
            codes = codes(protocol, atomicity, isWanted);
        }
        Later later = Later.draw(protocol, seed, isWanted.options());
        String steady = pick(random, STEADY, name -> isWanted.workload().test(name) || !isSteadyWanted(isWanted));
        boolean churns = isWanted.workload().test(CHURN) && (later.churns || !isSteadyWanted(isWanted));
        boolean isTpcc = isWanted.workload().test(TPCC) && WORKLOADS.stream().noneMatch(isWanted.workload());
        String workload = isTpcc ? TPCC : churns ? CHURN : steady;
        SplittableRandom inDepth = inDepth(protocol, seed);
        FaultKind faults = drawFaults(random, inDepth, protocol, isWanted);
        String profile = random.nextInt(4) == 0 ? "tcp10g" : "connectx4-edr";
        int[] rings = LOG_RING_BYTES.get(workload);
        int leastRing = churns && later.churnPrefixKeys > 0 ? CHURN_PREFIX_RING_BYTES_MIN : rings[0];
        HybridCode code = codes.get(random.nextInt(codes.size()));
        ProtocolVariant variant = variant(protocol, seed, later.variant, code, faults, isWanted);
        Scenario scenario = new Scenario(
                variant.protocol(),
                seed,
                code,
                Workloads.create(workload, options(workload, seed, later)),
                network(protocol, seed, profile, atomicity, faults),
                faults,
                Zones.single(random.nextInt(faults == FaultKind.FAILOVER ? MIN_NODES + 1 : MIN_NODES, MAX_NODES + 1)),
                random.nextInt(1, MAX_WORKERS + 1),
                random.nextInt(MIN_COROUTINES, MAX_COROUTINES + 1),
                random.nextInt(MIN_TRANSACTIONS, MAX_TRANSACTIONS + 1),
                isWanted.isVaried() && !isLossy(faults)
                        ? Math.max(rings[later.ring % rings.length], leastRing)
                        : isTpcc && isLossy(faults) ? TPCC_LOSSY_LOG_RING_BYTES : DEFAULT_LOG_RING_BYTES,
                variant.options());
        if (!FAULTS_IN_DEPTH.contains(faults)) {
            return scenario;
        }
        Scenario larger = scenario.larger(inDepth, leastRing);
        boolean isToLap = larger.deaths().stream().anyMatch(death -> death.moment() instanceof Moment.Lapped);
        return isToLap && isWanted.workload().test(LAPPING) ? larger.lapping() : larger;
    }

    /** The network; in half of the seeds where that can be, requests to the own node loop back. That takes no draw of others' random numbers. */
    private static SimOptions network(
            Protocol protocol, long seed, String profile, Atomicity atomicity, FaultKind faults) {
        SimOptions network = new SimOptions(CostModel.profile(profile), atomicity, faultPlan(faults), 0);
        SplittableRandom random =
                new SplittableRandom(seed * LOOPBACK_STREAM + protocol.name().hashCode());
        return atomicity == Atomicity.GLOBAL && random.nextBoolean() ? network.withLoopback() : network;
    }

    /** The same scenario in the zones that are wanted, if any are. */
    private Scenario in(Optional<Zones> wanted) {
        return wanted.isEmpty() ? this : needsZones(faults) ? inZones(wanted) : in(wanted.get());
    }

    /** The same scenario in several zones, some distance apart: in the wanted ones, or in drawn ones. They have their own random numbers. */
    private Scenario inZones(Optional<Zones> wanted) {
        SplittableRandom random =
                new SplittableRandom(seed * ZONES_STREAM + protocol.name().hashCode());
        Zones drawn = ZONES.get(random.nextInt(ZONES.size()));
        Scenario scenario = in(wanted.orElse(drawn));
        long nanos = ZONE_NANOS[random.nextInt(ZONE_NANOS.length)];
        Distances.Builder distances = new Distances.Builder(scenario.nodes());
        for (int from = 0; from < scenario.nodes(); from++) {
            for (int to = 0; to < scenario.nodes(); to++) {
                if (scenario.zones.zone(from) != scenario.zones.zone(to)) {
                    distances.set(from, to, nanos, nanos / 2);
                }
            }
        }
        return scenario.with(simulation.withDistances(distances.build()));
    }

    /** The same scenario with other zones and nodes. */
    private Scenario in(Zones newZones) {
        return new Scenario(
                protocol,
                seed,
                code,
                workload,
                simulation,
                faults,
                newZones,
                workers,
                coroutines,
                transactions,
                logRingBytes,
                options);
    }

    private Scenario with(SimOptions newSimulation) {
        return new Scenario(
                protocol,
                seed,
                code,
                workload,
                newSimulation,
                faults,
                zones,
                workers,
                coroutines,
                transactions,
                logRingBytes,
                options);
    }

    /** The workload of a seed's second trial. */
    public static String beside(long seed) {
        return BESIDE.get((int) (seed % BESIDE.size()));
    }

    /** The second trial of a seed; empty if the workload or the faults were narrowed. */
    public static Optional<Scenario> second(Protocol protocol, long seed, Wish isWanted) {
        String workload = beside(seed);
        boolean isThere = isWanted.workload().test(workload)
                && WORKLOADS.stream().allMatch(isWanted.workload())
                && isAnyFaultWanted(isWanted);
        if (!isThere) {
            return Optional.empty();
        }
        return Optional.of(drawBeside(workload, protocol, seed, isWanted).in(isWanted.zones()));
    }

    /** The third trial of a seed; empty if the protocol does not execute fragments, or the workload or the faults were narrowed. */
    public static Optional<Scenario> third(Protocol protocol, long seed, Wish isWanted) {
        boolean isThere = protocol.executesFragments()
                && second(protocol, seed, isWanted).isPresent()
                && isWanted.workload().test(FRAGMENTS);
        return isThere ? Optional.of(drawFragments(protocol, seed, isWanted).in(isWanted.zones())) : Optional.empty();
    }

    private static boolean isOfFragments(Wish isWanted) {
        return WORKLOADS.stream().noneMatch(isWanted.workload())
                && isWanted.workload().test(FRAGMENTS);
    }

    /** The scenario of a workload with fragments, drawn with a seed of its own. */
    private static Scenario drawFragments(Protocol protocol, long seed, Wish isWanted) {
        SplittableRandom random =
                new SplittableRandom(seed * FRAGMENTS_STREAM + protocol.name().hashCode());
        String name = FRAGMENT_WORKLOADS.get(random.nextInt(FRAGMENT_WORKLOADS.size()));
        Scenario base = draw(protocol, random.nextLong(Long.MAX_VALUE), isWanted.withWorkload(name::equals));
        return new Scenario(
                base.protocol,
                seed,
                base.code,
                new FragmentMix(base.workload),
                base.simulation,
                base.faults,
                base.zones,
                base.workers,
                base.coroutines,
                base.transactions,
                base.logRingBytes,
                base.options);
    }

    private static Scenario drawBeside(String workload, Protocol protocol, long seed, Wish isWanted) {
        return switch (workload) {
            case CLIENTS -> drawClients(protocol, seed, isWanted);
            case INDEXES -> drawIndexes(protocol, seed, isWanted);
            case READ_FIRST -> drawReadFirst(protocol, seed, isWanted);
            default -> drawOverflow(protocol, seed, isWanted);
        };
    }

    /** The seed's scenario of churn, with transactions that read first. */
    private static Scenario drawReadFirst(Protocol protocol, long seed, Wish isWanted) {
        int percent = READ_FIRST_PERCENT[(int) (seed / BESIDE.size() % READ_FIRST_PERCENT.length)];
        return drawChurn(protocol, seed, isWanted, Map.of("read-first-percent", Integer.toString(percent)));
    }

    /** The seed's scenario of churn, in tables that overflow. */
    private static Scenario drawOverflow(Protocol protocol, long seed, Wish isWanted) {
        SplittableRandom random =
                new SplittableRandom(seed * OVERFLOW_STREAM + protocol.name().hashCode());
        int[] overflow = OVERFLOWS[random.nextInt(OVERFLOWS.length)];
        return drawChurn(
                protocol,
                seed,
                isWanted,
                Map.of(GROWTH, Integer.toString(overflow[0]), "fill-percent", Integer.toString(overflow[1])));
    }

    private static Scenario drawChurn(Protocol protocol, long seed, Wish isWanted, Map<String, String> more) {
        Scenario churn = drawAnywhere(protocol, seed, isWanted.withWorkload(CHURN::equals));
        Map<String, String> options = new LinkedHashMap<>(churn.workload().options());
        options.putAll(more);
        return new Scenario(
                churn.protocol,
                seed,
                churn.code,
                Workloads.create(CHURN, options),
                churn.simulation,
                churn.faults,
                churn.zones,
                churn.workers,
                churn.coroutines,
                churn.transactions,
                churn.logRingBytes,
                churn.options);
    }

    /** Clients at gateways; they have their own random numbers. */
    private static Scenario drawClients(Protocol protocol, long seed, Wish isWanted) {
        return drawOwn(
                protocol,
                seed,
                isWanted,
                CLIENTS_STREAM,
                those -> new ClientTables(OUTCOME_SLOTS[those.nextInt(OUTCOME_SLOTS.length)]));
    }

    /** Indexed records; they have their own random numbers. */
    private static Scenario drawIndexes(Protocol protocol, long seed, Wish isWanted) {
        return drawOwn(
                protocol,
                seed,
                isWanted,
                INDEXES_STREAM,
                those -> new IndexedTables(those.nextInt(INDEXED_KEYS_MIN, INDEXED_KEYS_MAX + 1)));
    }

    private static Scenario drawOwn(
            Protocol protocol, long seed, Wish isWanted, long stream, Function<SplittableRandom, Workload> workload) {
        SplittableRandom random =
                new SplittableRandom(seed * stream + protocol.name().hashCode());
        Atomicity drawn = random.nextInt(3) == 0 ? Atomicity.DEVICE : Atomicity.GLOBAL;
        List<HybridCode> codes = codes(protocol, drawn, isWanted);
        Atomicity atomicity = codes.isEmpty() ? Atomicity.GLOBAL : drawn;
        if (codes.isEmpty()) {
            codes = codes(protocol, atomicity, isWanted);
        }
        FaultKind faults = pick(
                random,
                areOthersNamed(FAULTS_OF_CLIENTS, isWanted) ? List.of(FaultKind.values()) : FAULTS_OF_CLIENTS,
                faults(protocol, isWanted));
        boolean isInDepth = FAULTS_IN_DEPTH.contains(faults);
        ProtocolVariant drawnVariant = ProtocolVariant.draw(protocol, isWanted.options(), random);
        HybridCode code = codes.get(random.nextInt(codes.size()));
        ProtocolVariant variant = variant(protocol, seed, drawnVariant, code, faults, isWanted);
        Scenario scenario = new Scenario(
                variant.protocol(),
                seed,
                code,
                workload.apply(random),
                network(protocol, seed, random.nextInt(4) == 0 ? "tcp10g" : "connectx4-edr", atomicity, faults),
                faults,
                Zones.single(random.nextInt(
                        isInDepth || faults == FaultKind.FAILOVER ? MIN_NODES + 1 : MIN_NODES, MAX_NODES + 2)),
                random.nextInt(1, MAX_WORKERS + 1),
                random.nextInt(MIN_COROUTINES, MAX_COROUTINES + 1),
                random.nextInt(MIN_TRANSACTIONS, MAX_TRANSACTIONS + 1),
                CLIENTS_LOG_RING_BYTES[random.nextInt(CLIENTS_LOG_RING_BYTES.length)],
                variant.options());
        return needsZones(faults) ? scenario.inZones(Optional.empty()) : scenario;
    }

    /** Under some of the options that were added later, only the next configuration frees the locks of a lost node. */
    private static ProtocolVariant variant(
            Protocol protocol, long seed, ProtocolVariant drawn, HybridCode code, FaultKind faults, Wish isWanted) {
        if (!isWanted.isVaried()) {
            return ProtocolVariant.of(protocol, isWanted.options());
        }
        return faults.isMadeUpFor() ? drawn.drawLater(seed, code, isWanted.options()) : drawn;
    }

    /** The reason why a protocol with the given options, by key, does not run under a code; empty if it runs. */
    public static Optional<String> refusal(Protocol protocol, HybridCode code, Map<String, String> options) {
        return ProtocolVariant.of(protocol, options).protocol().refusal(code);
    }

    private static List<HybridCode> codes(Protocol protocol, Atomicity atomicity, Wish isWanted) {
        return HybridChoice.admissible(protocol, atomicity).stream()
                .filter(isWanted.code())
                .filter(code -> refusal(protocol, code, isWanted.options()).isEmpty())
                .toList();
    }

    private static Predicate<FaultKind> faults(Protocol protocol, Wish isWanted) {
        return faults -> isWanted.faults().test(faults) && comesToAnEnd(protocol, faults, isWanted.options());
    }

    /** Whether the faults are of data centres: there must be two or more. */
    public static boolean needsZones(FaultKind faults) {
        return FAULTS_OF_ZONES.contains(faults);
    }

    /**
     * Whether the transactions of a protocol with the given options, by key, end under such faults. They do not if they count on a next
     * configuration but no configuration makes up for the loss.
     */
    public static boolean comesToAnEnd(Protocol protocol, FaultKind faults, Map<String, String> options) {
        return faults.isMadeUpFor()
                || !ProtocolVariant.of(protocol, options).protocol().countsOnReconfiguration();
    }

    private static FaultKind drawFaults(
            SplittableRandom random, SplittableRandom inDepth, Protocol protocol, Wish isWanted) {
        Predicate<FaultKind> wanted = faults(protocol, isWanted);
        boolean isNoneOfOthers = FAULTS.stream().noneMatch(wanted);
        FaultKind faults = pick(random, FAULTS, each -> isNoneOfOthers || wanted.test(each));
        return areOthersNamed(FAULTS, isWanted) ? pick(inDepth, List.of(FaultKind.values()), wanted) : faults;
    }

    /** Whether the wish is for particular kinds of faults, and names one that is not among the usual ones. */
    private static boolean areOthersNamed(List<FaultKind> usual, Wish isWanted) {
        return !isAnyFaultWanted(isWanted)
                && Stream.of(FaultKind.values())
                        .filter(kind -> !usual.contains(kind))
                        .anyMatch(isWanted.faults());
    }

    private static boolean isAnyFaultWanted(Wish isWanted) {
        return Stream.of(FaultKind.values()).allMatch(isWanted.faults());
    }

    /** Random numbers for the fault kinds that were added later. */
    private static SplittableRandom inDepth(Protocol protocol, long seed) {
        return new SplittableRandom(
                ~seed * 0xD1B54A32D192ED03L + protocol.name().hashCode());
    }

    /** The same scenario with so many nodes that two can die, so many clients that they conflict, and log rings that are lapped. */
    private Scenario larger(SplittableRandom random, int leastRing) {
        Scenario larger = new Scenario(
                protocol,
                seed,
                code,
                workload,
                simulation,
                faults,
                Zones.single(random.nextInt(MAX_NODES - 1, MAX_NODES + 2)),
                workers,
                coroutines + random.nextInt(MAX_COROUTINES + 1),
                transactions,
                random.nextBoolean() ? leastRing : logRingBytes,
                options);
        return needsZones(faults) ? larger.inZones(Optional.empty()) : larger;
    }

    /** The same scenario with records so large that two transactions fill a log ring: it is lapped before another backup receives a message. */
    private Scenario lapping() {
        Map<String, String> large = new LinkedHashMap<>(OPTIONS.get(LAPPING));
        large.putAll(LAPPING_OPTIONS);
        return new Scenario(
                protocol,
                seed,
                code,
                Workloads.create(LAPPING, large),
                simulation,
                faults,
                zones,
                workers,
                coroutines,
                transactions,
                LOG_RING_BYTES.get(LAPPING)[0],
                options);
    }

    /** The windows that sufficiently many wanted scenarios come to; see {@link Windows}. */
    public static List<String> windows(Protocol protocol, Wish isWanted) {
        if (isOfFragments(isWanted)) {
            List<String> windows =
                    new ArrayList<>(windows(protocol, isWanted.withWorkload(FRAGMENT_WORKLOADS::contains)));
            if (protocol.executesFragments()) {
                windows.add(EXECUTED_EVERYWHERE);
            }
            return windows;
        }
        boolean isBeside = WORKLOADS.stream().noneMatch(isWanted.workload());
        if (isBeside && Stream.of(READ_FIRST, OVERFLOW).anyMatch(isWanted.workload())) {
            return windows(protocol, isWanted.withWorkload(CHURN::equals));
        }
        if (isBeside) {
            boolean areClients = isWanted.workload().test(CLIENTS)
                    && FAULTS_OF_CLIENTS.stream().allMatch(isWanted.faults());
            return areClients ? ClientWindows.ALL : List.of();
        }
        if (FAULTS.stream().anyMatch(isWanted.faults())) {
            return List.of(); // then few scenarios, or none, have a kind of FAULTS_IN_DEPTH
        }
        List<String> windows = new ArrayList<>();
        if (isWanted.faults().test(FaultKind.DEATHS)) {
            windows.addAll(Windows.IN_DOUBT);
            if (isWanted.code().test(HybridCode.uniform(protocol, Primitive.ONE_SIDED))) {
                windows.add(Windows.ENTRY_TORN); // by RPC, the backup writes entry and stamp
                if (protocol.stages().contains(COMMIT) && isWanted.workload().test(CHURN)) {
                    windows.add(Windows.DELETE_UNFREED); // also impossible by RPC
                }
            }
            windows.add(Windows.DEATH_TOGETHER);
            protocol.stages().forEach(stage -> windows.add(Windows.deathAfter(stage)));
            RecoveryStep.TO_LOSE.stream()
                    .filter(step -> step != RecoveryStep.SAVE) // takes no time if data is in memory only
                    .forEach(step -> windows.add(Windows.deathIn(step)));
        }
        if (isWanted.faults().test(FaultKind.CUTS)) {
            windows.addAll(Windows.OF_CUTS);
        }
        if (isWanted.faults().test(FaultKind.RETURNS)) {
            windows.addAll(Windows.OF_RETURNS);
            RecoveryStep.TO_JOIN.forEach(step -> windows.add(Windows.deathOfJoinerIn(step)));
            RecoveryStep.TO_JOIN.forEach(step -> windows.add(Windows.deathInJoin(step)));
        }
        if (isWanted.faults().test(FaultKind.SUSPICIONS)) {
            windows.addAll(Windows.OF_SUSPICIONS);
        }
        if (isWanted.faults().test(FaultKind.DATACENTER)) {
            windows.addAll(Windows.OF_ZONES);
        }
        if (isWanted.faults().test(FaultKind.SPLIT)) {
            windows.addAll(Windows.OF_CUTS);
            windows.addAll(Windows.OF_ZONES);
        }
        return windows.stream()
                .distinct()
                .filter(window -> !window.equals(Windows.HEALED_WITH_LOCKS) || protocol.marksHolders())
                .toList();
    }

    /** The deaths of nodes at events of the protocol; empty for other kinds of faults. */
    List<Death> deaths() {
        SplittableRandom random = inDepth(protocol, seed ^ Long.MIN_VALUE);
        return switch (faults) {
            case DEATHS -> DeathPlan.draw(this, random);
            case RETURNS -> DeathPlan.drawReturns(this, random);
            case SUSPICIONS -> DeathPlan.drawSuspicions(this, random);
            case DATACENTER -> DeathPlan.drawZones(this, random);
            case SPLIT -> random.nextBoolean() ? List.of() : DeathPlan.drawZones(this, random);
            case CUTS -> random.nextBoolean() ? List.of() : DeathPlan.drawOne(this, random);
            default -> List.of();
        };
    }

    /** Whether coordinators delete tuples and free their index entries with one-sided operations. */
    boolean deletesOneSided() {
        int commit = protocol.stages().indexOf(COMMIT);
        return workload.name().equals(CHURN) && commit >= 0 && code.isOneSided(commit);
    }

    /** Whether no node and no link is lost. */
    boolean isCalm() {
        return faults == FaultKind.FAIR || faults == FaultKind.ROUGH;
    }

    /** Whether a transaction of the workload may end, without a commit, for this reason though no node is lost. */
    boolean mayEndFor(AbortReason reason) {
        return reason == AbortReason.USER_ABORT
                || (reason == AbortReason.DUPLICATE_KEY && workload.name().equals(INDEXES));
    }

    /** Whether nodes that die are replaced. */
    boolean isRecovering() {
        return faults == FaultKind.FAILOVER || FAULTS_IN_DEPTH.contains(faults);
    }

    private static boolean isSteadyWanted(Wish wish) {
        return STEADY.stream().anyMatch(wish.workload());
    }

    /**
     * Properties of scenarios that were added later: drawn from their own random numbers, so that seeds keep their meaning in all
     * other respects.
     */
    private record Later(
            boolean churns,
            int churnKeys,
            int ring,
            ProtocolVariant variant,
            int churnLeaves,
            int churnBlindPercent,
            int churnPrefixKeys,
            int churnReplicatedPercent) {
        private static final long STREAM = 0xD1B54A32D192ED03L;

        static Later draw(Protocol protocol, long seed, Map<String, String> options) {
            SplittableRandom random =
                    new SplittableRandom((seed + 1) * STREAM + protocol.name().hashCode());
            return new Later(
                    random.nextInt(CHURN_ONE_IN) == 0,
                    random.nextInt(CHURN_KEYS_MIN, CHURN_KEYS_MAX + 1),
                    random.nextInt(1 << 16),
                    ProtocolVariant.draw(protocol, options, random),
                    CHURN_LEAVES[random.nextInt(CHURN_LEAVES.length)],
                    CHURN_BLIND_PERCENT[random.nextInt(CHURN_BLIND_PERCENT.length)],
                    CHURN_PREFIX_KEYS[random.nextInt(CHURN_PREFIX_KEYS.length)],
                    CHURN_REPLICATED_PERCENT[random.nextInt(CHURN_REPLICATED_PERCENT.length)]);
        }
    }

    /** Every second seed scans strings. That takes no draw, so that seeds keep their meaning. */
    private static Map<String, String> options(String workload, long seed, Later later) {
        Map<String, String> options = new LinkedHashMap<>(OPTIONS.get(workload));
        if (workload.equals("ycsb-e")) {
            options.put("keys", (seed & 1) == 0 ? "strings" : "numbers");
        }
        if (workload.equals(CHURN)) {
            options.put("keys", Integer.toString(later.churnKeys));
            options.put("leaves", Integer.toString(later.churnLeaves));
            options.put("blind-percent", Integer.toString(later.churnBlindPercent));
            options.put("prefix-keys", Integer.toString(later.churnPrefixKeys));
            options.put("replicated-percent", Integer.toString(later.churnReplicatedPercent));
        }
        return options;
    }

    /**
     * Limits the scenarios to draw from.
     *
     * @param workload the wanted workloads, by name
     * @param code the wanted codes
     * @param faults the wanted kinds of faults
     * @param isVaried whether the protocol's options and the size of log rings are drawn, too
     * @param options the protocols' options that are given and not drawn, by key
     * @param zones the nodes, if they are not drawn
     */
    public record Wish(
            Predicate<String> workload,
            Predicate<HybridCode> code,
            Predicate<FaultKind> faults,
            boolean isVaried,
            Map<String, String> options,
            Optional<Zones> zones) {
        /** Anything. */
        public static final Wish ANYTHING = new Wish(workload -> true, code -> true, faults -> true);

        /** Options and log rings are drawn. */
        public Wish(Predicate<String> workload, Predicate<HybridCode> code, Predicate<FaultKind> faults) {
            this(workload, code, faults, true);
        }

        /** Nodes are drawn. */
        public Wish(
                Predicate<String> workload,
                Predicate<HybridCode> code,
                Predicate<FaultKind> faults,
                boolean isVaried,
                Map<String, String> options) {
            this(workload, code, faults, isVaried, options, Optional.empty());
        }

        /** The same wish, with these nodes. */
        public Wish in(Optional<Zones> newZones) {
            return new Wish(workload, code, faults, isVaried, options, newZones);
        }

        /** The same wish, with other workloads. */
        Wish withWorkload(Predicate<String> newWorkload) {
            return new Wish(newWorkload, code, faults, isVaried, options, zones);
        }

        /** No options are given: they are drawn, or have their defaults. */
        public Wish(
                Predicate<String> workload, Predicate<HybridCode> code, Predicate<FaultKind> faults, boolean isVaried) {
            this(workload, code, faults, isVaried, Map.of());
        }
    }

    /** Whether nodes lose each other for longer than they wait: records that are locked then may stay locked for ever. */
    public boolean isLossy() {
        return isLossy(faults);
    }

    /** If a backup is lost for ever, a small ring there is soon full; then each commit waits for room until its time-out. */
    private static boolean isLossy(FaultKind faults) {
        return faults == FaultKind.DEADLY || faults == FaultKind.PARTITIONED;
    }

    /** The transactions that any node can run. */
    List<FragmentType> fragments() {
        return workload instanceof FragmentMix ? workload.fragments() : List.of();
    }

    /** Bytes of each coroutine's buffer. */
    int bufferBytes() {
        boolean isLarge = workload.name().equals(TPCC) || FAULTS_OF_ZONES.contains(faults);
        return isLarge ? LARGE_BUFFER_BYTES : BUFFER_BYTES;
    }

    /** Number of copies of each partition. */
    public int replicas() {
        boolean areFew =
                zones.count() > 1 && new SplittableRandom(seed * ZONES_STREAM).nextInt(FEW_REPLICAS_ONE_IN) == 0;
        return Math.min(areFew ? FEW_REPLICAS : REPLICAS, zones.replicasMax());
    }

    /** Number of nodes. */
    public int nodes() {
        return zones.nodes();
    }

    @Override
    public String toString() {
        return protocol.name() + (options.isEmpty() ? " " : " (" + options + ") ") + code + " " + workload.name()
                + scanned() + prefixed() + " on " + nodes()
                + (zones.areNamed() ? " (" + zones + ", " + replicas() + " replicas)" : "") + "x" + workers + "x"
                + coroutines
                + ", " + simulation.costs().name() + ", atomicity "
                + (simulation.atomicity() == Atomicity.DEVICE ? "device" : "global")
                + (simulation.loopsBack() ? ", own node by loopback" : "") + ", rings of "
                + logRingBytes / 1024 + " KiB, " + faults.label()
                + ", seed " + seed;
    }

    private String scanned() {
        if (workload instanceof FragmentMix mix) {
            return " of " + mix.base().name();
        }
        return isOn("read-first-percent")
                ? " that reads first"
                : isOn(GROWTH)
                        ? " in tables that overflow"
                        : "strings".equals(workload.options().get("keys")) ? " of strings" : "";
    }

    private String prefixed() {
        return isOn("prefix-keys") ? " of prefixes of " + workload.options().get("prefix-keys") : "";
    }

    private boolean isOn(String option) {
        return !"0".equals(workload.options().getOrDefault(option, "0"));
    }

    private static FaultPlan faultPlan(FaultKind faults) {
        FaultPlan lossy = FaultPlan.ROUGH.withLateCalls(LATE_CALL_RATE, LATE_NANOS_MAX);
        return switch (faults) {
            case FAIR -> FaultPlan.NONE;
            case ROUGH -> FaultPlan.ROUGH;
            case DEATHS, RETURNS, SUSPICIONS, DATACENTER -> lossy;
            case SPLIT ->
                lossy.withSplits(new FaultPlan.Cuts(SPLIT_INTERVAL_NANOS, SPLIT_NANOS_MAX, ONE_WAY_RATE, SPLITS_MAX));
            case PARTITIONED -> lossy.withCuts(FaultPlan.PARTITIONS.cuts());
            case CUTS ->
                lossy.withCuts(new FaultPlan.Cuts(CUT_INTERVAL_NANOS, CUT_NANOS_MAX, ONE_WAY_RATE, CUTS_MAX))
                        .withDatagramLoss(DATAGRAM_LOSS_RATE);
            case DEADLY, FAILOVER -> lossy.withCrashes(1, CRASH_NANOS_MAX);
        };
    }

    private static <T> T pick(SplittableRandom random, List<T> all, Predicate<T> isWanted) {
        List<T> wanted = all.stream().filter(isWanted).toList();
        return wanted.get(random.nextInt(wanted.size()));
    }
}
