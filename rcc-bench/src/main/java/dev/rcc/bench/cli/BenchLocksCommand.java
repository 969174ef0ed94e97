package dev.rcc.bench.cli;

import dev.rcc.bench.locks.cluster.LockCluster;
import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.bench.locks.run.LockBench;
import dev.rcc.bench.locks.run.LockBenchConfig;
import dev.rcc.bench.locks.run.LockBenchResult;
import dev.rcc.bench.locks.run.LockTrace;
import dev.rcc.bench.locks.run.MicroTrace;
import dev.rcc.bench.locks.run.ShortTpccTrace;
import dev.rcc.bench.locks.run.TpccTrace;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionTable;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.transport.sim.CostModel;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code rcc bench-locks}: lock managers beside each other, on modelled hardware. */
@Command(
        name = "bench-locks",
        mixinStandardHelpOptions = true,
        versionProvider = Rcc.Version.class,
        sortOptions = false,
        header = "Measures lock managers beside each other, on modelled hardware in virtual time.",
        description = {
            "",
            "Each coroutine of each node draws a transaction from the trace, asks for its locks one by one (see --ask),"
                    + " thinks, and releases them; a transaction that fails is tried again. The same seed gives the"
                    + " same figures. A manager that can't pass dead or deadlocked holders is run with several"
                    + " time-outs, and the best is reported.",
            ""
        })
final class BenchLocksCommand implements Callable<Integer> {
    private static final String MICRO = "micro";
    private static final String TPCC = "tpcc";
    private static final String TPCC_SCAN = "tpcc-scan";
    private static final long NANOS_A_MICRO = 1_000;
    private static final long NANOS_A_MILLI = 1_000_000;

    private static final Map<String, LockBenchConfig.Asks> ASKS = new LinkedHashMap<>();

    static {
        for (LockBenchConfig.Asks each : LockBenchConfig.Asks.values()) {
            ASKS.put(each.label(), each);
        }
    }

    private static final Option MANAGER = Option.text(
            "--manager",
            "all",
            "all, or one or several, with commas, of " + String.join(", ", LockSchemes.names()),
            "Lock managers.");
    private static final Option TRACE = Option.choice(
            "--trace", MICRO, List.of(MICRO, TPCC, TPCC_SCAN), "Trace from which transactions are drawn.");
    private static final Option LOCKS =
            Option.integer("--locks", 100_000, 1, 10_000_000, "locks a node", "Size of the trace micro.");
    private static final Option ALPHA = Option.decimal(
            "--alpha",
            2,
            1.01,
            10,
            "",
            "Skew of the trace micro, among the locks of a node: the exponent of a power law.");
    private static final Option RHO =
            Option.decimal("--rho", 0.5, 0, 1, "", "Share of shared locks of the trace micro.");
    private static final Option WAREHOUSES =
            Option.integer("--warehouses", 1, 1, 100, "warehouses a node", "Size of the traces tpcc and tpcc-scan.");
    private static final Option ORDERS = Option.choice(
            "--orders",
            "full",
            List.of("full", "one-line"),
            "Orders of the traces tpcc and tpcc-scan: of 5 to 15 lines, or of one, as in DSLR's evaluation.");
    private static final Option SCANS =
            Option.decimal("--scans", 0.001, 0.000_001, 1, "", "Share of scans of the trace tpcc-scan.");
    private static final Option SCAN_TIME = Option.integer(
            "--scan-time", 5_000, 1, 10_000_000, "us", "How long a scan of the trace tpcc-scan holds its lock.");
    private static final Option SCAN_SLOTS = Option.integer(
            "--scan-slots",
            1,
            1,
            64,
            "leases",
            "How many leases a scan of the trace tpcc-scan asks for, with managers that have leases.");
    /** The traces that an option belongs to; the other options belong to all. */
    private static final Map<Option, List<String>> OPTIONS_OF_TRACES = new LinkedHashMap<>();

    static {
        List.of(LOCKS, ALPHA, RHO).forEach(option -> OPTIONS_OF_TRACES.put(option, List.of(MICRO)));
        List.of(WAREHOUSES, ORDERS).forEach(option -> OPTIONS_OF_TRACES.put(option, List.of(TPCC, TPCC_SCAN)));
        List.of(SCANS, SCAN_TIME, SCAN_SLOTS).forEach(option -> OPTIONS_OF_TRACES.put(option, List.of(TPCC_SCAN)));
    }

    private static final Option NODES =
            Option.integer("--nodes", 4, 1, 64, "nodes", "Nodes, each with locks and clients.");
    private static final Option LOCK_NODES = Option.integer(
            "--lock-nodes",
            0,
            0,
            63,
            "nodes",
            "Nodes that have all locks and no clients; 0: each node has locks and clients.");
    private static final Option WORKERS = Option.integer("--workers", 4, 1, 32, "threads", "Workers of each node.");
    private static final Option COROUTINES =
            Option.integer("--coroutines", 1, 1, 64, "coroutines", "Transactions at a time of each worker.");
    private static final Option ASK = Option.choice(
            "--ask",
            "one-by-one",
            List.copyOf(ASKS.keySet()),
            "Whether a transaction asks for a lock once it has the lock before, in the trace's order or in the order of"
                    + " the locks' numbers, or for all locks at once.");
    private static final Option THINK =
            Option.integer("--think", 0, 0, 1_000_000, "us", "Time between the last lock and the release.");
    private static final Option PAUSE =
            Option.integer("--pause", 0, 0, 1_000_000, "us", "Time between two transactions of a client.");
    private static final Option FAIL =
            Option.decimal("--fail", 0, 0, 1, "", "Share of transactions that end without a release.");
    private static final Option LEASE =
            Option.integer("--lease", 10_000, 1, 10_000_000, "us", "Lease of a lock, with managers that have leases.");
    private static final Option POLL = Option.integer(
            "--poll",
            5,
            0,
            10_000,
            "us",
            "Time between two polls of a waiter, for each requester before it; 0: it polls all the time.");
    private static final Option RETRY = Option.integer(
            "--retry",
            0,
            0,
            10_000,
            "us",
            "Time between two tries of a manager that tries again; 0: at once, as in the paper.");
    private static final Option COUNT_MAX = Option.integer(
            "--count-max",
            32_768,
            2,
            32_768,
            "",
            "Number from which on tickets are void, so that counters begin anew.");
    private static final Option BACKOFF =
            Option.integer("--backoff", 10_000, 1, 1_000_000, "us", "Longest wait after failures in a row.");
    private static final Option CODE = Option.choice(
            "--code",
            "one-sided",
            List.of("rpc", "one-sided"),
            "How lock words are accessed; queues and waiters are always accessed by RPC.");
    private static final Option FABRIC = Option.choice("--fabric", "sim", List.of("sim"), "Network.");
    private static final Option PROFILE =
            Option.choice("--profile", "connectx3-fdr", CostModel.PROFILES, "Costs of the hardware.");
    private static final Option WARM_UP =
            Option.integer("--warm-up", 2, 0, 100_000, "ms", "How long to run before measuring, in virtual time.");
    private static final Option DURATION =
            Option.integer("--duration", 20, 1, 100_000, "ms", "How long to measure, in virtual time.");
    private static final Option SEED =
            Option.integer("--seed", 1, 0, Long.MAX_VALUE, "", "Seed of all random choices.");
    private static final Option CHECK = Option.flag("--check", "Record all locks, and check them.");
    private static final Option JSON =
            Option.text("--json", "", "a file that can be written", "File for all figures as one JSON object.");
    private static final Option CSV = Option.text("--csv", "", "a file that can be written", "File for a table.");

    static final OptionTable TABLE = new OptionTable(
            "",
            List.of(
                    MANAGER,
                    TRACE,
                    LOCKS,
                    ALPHA,
                    RHO,
                    WAREHOUSES,
                    ORDERS,
                    SCANS,
                    SCAN_TIME,
                    SCAN_SLOTS,
                    NODES,
                    LOCK_NODES,
                    WORKERS,
                    COROUTINES,
                    ASK,
                    THINK,
                    PAUSE,
                    FAIL,
                    LEASE,
                    POLL,
                    RETRY,
                    COUNT_MAX,
                    BACKOFF,
                    CODE,
                    FABRIC,
                    PROFILE,
                    WARM_UP,
                    DURATION,
                    SEED,
                    CHECK,
                    JSON,
                    CSV));

    @Spec
    private CommandSpec spec;

    private BenchLocksCommand() {}

    static CommandLine commandLine() {
        return CommandOptions.command(
                new BenchLocksCommand(),
                TABLE,
                "Exit codes: 0 measured; 1 --check has found something; 2 bad input.",
                "",
                "Examples:",
                "  rcc bench-locks --trace micro --alpha 2.5 --rho 0.8",
                "  rcc bench-locks --manager all --trace tpcc --warehouses 1 --nodes 16 --check",
                "  rcc bench-locks --manager dslr --trace tpcc-scan --scans 0.01 --scan-slots 4 --csv scans.csv");
    }

    @Override
    public Integer call() throws IOException {
        List<LockBenchConfig> configs;
        Optional<Path> json;
        Optional<Path> csv;
        try {
            Map<String, String> given = CommandOptions.given(spec.commandLine().getParseResult(), TABLE);
            configs = configs(given);
            OutputFiles files = OutputFiles.of(given, JSON, CSV);
            json = files.file(JSON);
            csv = files.file(CSV);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        return run(configs, json, csv);
    }

    /**
     * The benchmarks to run.
     *
     * @throws IllegalArgumentException for a benchmark that cannot run; names the option
     */
    static List<LockBenchConfig> configs(Map<String, String> given) {
        OptionValues values = TABLE.parse(given);
        refuseOptionsOfOtherTraces(values);
        List<LockBenchConfig> configs = new ArrayList<>();
        for (LockSchemes.Choice choice : LockHunt.choices(MANAGER, values.text(MANAGER))) {
            LockBenchConfig config = config(choice, values);
            checkFits(choice.scheme(config.terms()), config.shape());
            configs.add(config);
        }
        return configs;
    }

    /** Refuses, before any run, a scheme that is not for so many requesters. */
    private static void checkFits(LockScheme scheme, LockCluster.Shape shape) {
        try {
            scheme.checkRequesters(shape.requesters());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    NODES.key() + ", " + WORKERS.key() + ", " + COROUTINES.key() + ": too many requesters for "
                            + scheme.name() + ": " + e.getMessage(),
                    e);
        }
    }

    private static LockBenchConfig config(LockSchemes.Choice choice, OptionValues values) {
        int slots = values.intValue(SCAN_SLOTS);
        LockSchemes.Terms terms = new LockSchemes.Terms(
                values.integer(LEASE) * NANOS_A_MICRO,
                slots,
                false,
                values.integer(COUNT_MAX),
                values.integer(POLL) * NANOS_A_MICRO,
                values.integer(RETRY) * NANOS_A_MICRO,
                10 * NANOS_A_MILLI,
                values.integer(BACKOFF) * NANOS_A_MICRO,
                LockSchemes.Clocks.OF_DRTM);
        if (choice.rests() != LockSchemes.Rests.ON_LEASES && values.decimal(FAIL) > 0) {
            throw values.refuse(FAIL, "0 for " + choice.name() + ", which can't pass a holder that does not release");
        }
        if (values.intValue(LOCK_NODES) >= values.intValue(NODES)) {
            throw values.refuse(
                    LOCK_NODES,
                    "fewer than the " + values.text(NODES) + " of " + NODES.key()
                            + ", because the other nodes run the clients");
        }
        return new LockBenchConfig(
                choice,
                terms,
                values.text(CODE).equals("rpc") ? Primitive.RPC : Primitive.ONE_SIDED,
                trace(values),
                new LockCluster.Shape(values.intValue(NODES), values.intValue(WORKERS), values.intValue(COROUTINES)),
                values.intValue(LOCK_NODES),
                clients(values),
                new LockBenchConfig.Times(
                        values.integer(WARM_UP) * NANOS_A_MILLI, values.integer(DURATION) * NANOS_A_MILLI),
                values.text(PROFILE),
                values.integer(SEED),
                values.text(CHECK).equals(Option.ON));
    }

    private static LockBenchConfig.Clients clients(OptionValues values) {
        return new LockBenchConfig.Clients(
                ASKS.get(values.text(ASK)),
                values.integer(THINK) * NANOS_A_MICRO,
                values.integer(PAUSE) * NANOS_A_MICRO,
                values.integer(SCAN_TIME) * NANOS_A_MICRO,
                values.intValue(SCAN_SLOTS),
                values.decimal(FAIL));
    }

    /** Refuses options of traces other than the chosen one: they would change nothing. */
    private static void refuseOptionsOfOtherTraces(OptionValues values) {
        String chosen = values.text(TRACE);
        OPTIONS_OF_TRACES.forEach((option, traces) -> {
            if (values.isGiven(option) && !traces.contains(chosen)) {
                throw values.refuse(
                        option,
                        "only with " + TRACE.key() + " " + String.join(" or ", traces) + ", and it is " + chosen);
            }
        });
    }

    private static LockTrace trace(OptionValues values) {
        int nodes = values.intValue(LOCK_NODES) == 0 ? values.intValue(NODES) : values.intValue(LOCK_NODES);
        if (values.text(TRACE).equals(MICRO)) {
            return new MicroTrace(nodes, values.integer(LOCKS), values.decimal(ALPHA), values.decimal(RHO));
        }
        int warehouses = values.intValue(WAREHOUSES);
        double scans = values.text(TRACE).equals(TPCC_SCAN) ? values.decimal(SCANS) : 0;
        return values.text(ORDERS).equals("full")
                ? new TpccTrace(nodes, warehouses, scans)
                : new ShortTpccTrace(nodes, warehouses, scans);
    }

    private int run(List<LockBenchConfig> configs, Optional<Path> json, Optional<Path> csv) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        out.print(BenchLocksReport.header(configs.getFirst()));
        out.flush();
        List<LockBenchResult> results = new ArrayList<>();
        boolean clean = true;
        for (LockBenchConfig config : configs) {
            LockBenchResult result = LockBench.run(config);
            results.add(result);
            out.print(BenchLocksReport.line(result));
            if (result.checked().isPresent() && !result.checked().get().isClean()) {
                clean = false;
                out.print(result.checked().get().report().indent(4));
            }
            out.flush();
        }
        if (json.isPresent()) {
            Files.writeString(json.get(), BenchLocksReport.json(results));
        }
        if (csv.isPresent()) {
            Files.writeString(csv.get(), BenchLocksReport.csv(results));
        }
        return clean ? Rcc.OK : Rcc.FAILED;
    }
}
