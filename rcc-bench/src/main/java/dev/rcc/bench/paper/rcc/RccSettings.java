package dev.rcc.bench.paper.rcc;

import dev.rcc.bench.paper.BenchSetup;
import dev.rcc.bench.paper.Setup;
import java.util.Map;
import java.util.Set;

/**
 * The experiments of RCC as in its authors' code (Alchem-Lab/drtmh at 64bf7c64), where the code differs from the text or the text is open. No
 * hardware is changed.
 */
final class RccSettings {
    /** Their code has 12 million, of which 12,000 are hot: more than these would not fit into the address caches of a simulation. */
    private static final int RECORDS_PER_NODE = 50_000;
    /** {@code bank_main.cc}: 100 records for each of 4 nodes and 30 warehouses' worth of them. */
    private static final int HOT_RECORDS = 12_000;
    /** Hot records of the runs with several times of computation: ten times as many. */
    private static final int HOT_RECORDS_OF_SLEEP_CURVE = 120_000;

    /** Percentage of hot accesses in these runs, whatever value the text gives. */
    static final String HOT_ACCESS_OF_SLEEP_CURVE = "90";
    /** {@code bank_worker.cc}: percentage of SmallBank's hot accesses, which the text does not mention. */
    static final String HOT_ACCESS_OF_SMALLBANK = "10";

    /**
     * {@code bank_worker_new_api.cc}: a transaction computes by {@code usleep}, which blocks its whole worker. Linux lets it sleep for up to 50 us
     * longer than requested ({@code PR_SET_TIMERSLACK}).
     */
    private static final double SLACK_MICROS = 50;

    /** Factor by which such runs take longer: a blocked worker commits fewer transactions in a second. */
    private static final double SLOWER = 2;

    /** {@code config.xml}. */
    private static final Map<String, String> MIX = Map.of(
            "send-payment", "17",
            "deposit-checking", "17",
            "balance", "17",
            "transact-savings", "16",
            "write-check", "17",
            "amalgamate", "16");

    private static final Set<String> TWO_PHASE_LOCKING = Set.of("nowait", "waitdie");

    private RccSettings() {}

    /** The run of a setup with these settings. */
    static Setup asInTheirCode(Setup any) {
        BenchSetup setup = (BenchSetup) any;
        BenchSetup workload = switch (setup.workload()) {
            case RccBook.YCSB -> ycsb(setup);
            case RccBook.SMALLBANK -> smallBank(setup);
            default -> setup;
        };
        BenchSetup trips = RccBook.COMPARABLE.contains(setup.protocol()) ? roundTrips(workload) : workload;
        BenchSetup locking = TWO_PHASE_LOCKING.contains(setup.protocol()) ? locks(trips) : trips;
        return network(setup).profile().equals(RccBook.TCP) ? overZeroMq(locking) : locking;
    }

    private static Setup.Network.Simulated network(BenchSetup setup) {
        return (Setup.Network.Simulated) setup.network();
    }

    /** {@code tcp_adapter.hpp}: TCP is used through ZeroMQ. */
    private static BenchSetup overZeroMq(BenchSetup setup) {
        return setup.withNetwork(RccBook.network(RccBook.ZEROMQ, network(setup).emulatedNodes()));
    }

    private static BenchSetup ycsb(BenchSetup setup) {
        double compute = computeMicros(setup);
        boolean isOfSleepCurve = isOfSleepCurve(setup);
        BenchSetup early = setup.protocol().equals("sundial")
                ? setup.withProtocolOption("sundial.renews", "execute") // load_read and prepare, before usleep
                : setup;
        BenchSetup hot =
                isOfSleepCurve ? early.withWorkloadOption(RccBook.HOT_ACCESS_OPTION, HOT_ACCESS_OF_SLEEP_CURVE) : early;
        double hotPercent = 100.0 * (isOfSleepCurve ? HOT_RECORDS_OF_SLEEP_CURVE : HOT_RECORDS) / records(setup);
        return hot.withWorkloadOption("records-per-node", Integer.toString(RECORDS_PER_NODE))
                .withWorkloadOption("hot-area-percent", Double.toString(hotPercent))
                .withWorkloadOption(RccBook.COMPUTE_OPTION, Double.toString(compute + SLACK_MICROS))
                .withStretch((compute + SLACK_MICROS) / SLACK_MICROS * SLOWER);
    }

    /** Whether a run of YCSB belongs to the runs with several times of computation. */
    static boolean isOfSleepCurve(BenchSetup setup) {
        return computeMicros(setup) != RccBook.COMPUTE_MICROS;
    }

    private static double computeMicros(BenchSetup setup) {
        return Double.parseDouble(setup.workloadOptions().get(RccBook.COMPUTE_OPTION));
    }

    private static BenchSetup smallBank(BenchSetup setup) {
        return setup.withWorkloadOption("accounts", Integer.toString(records(setup)))
                .withWorkloadOption("hot-accounts", Integer.toString(HOT_RECORDS))
                .withWorkloadOption("hot-probability", HOT_ACCESS_OF_SMALLBANK)
                .withWorkloadOptions(MIX);
    }

    private static int records(BenchSetup setup) {
        return RECORDS_PER_NODE * setup.shape().nodes();
    }

    /**
     * {@code log_ack}: backups acknowledge each log by an RPC of its own. {@code nowait_rdma.cc}, {@code sundial_rdma.cc} and the like: each
     * record is fetched, or locked, in a round trip of its own. {@code occ.h}: OCC's reads by RPC are an exception.
     */
    private static BenchSetup roundTrips(BenchSetup setup) {
        BenchSetup acknowledged = setup.withProtocolOption(setup.protocol() + ".log", "acknowledged");
        boolean together = setup.protocol().equals("occ") && setup.code().equals(RccBook.RPC);
        return together ? acknowledged : acknowledged.withProtocolOption(setup.protocol() + ".fetches", "one-by-one");
    }

    /** {@code nowait_rdma.cc}: one-sided locks are exclusive. */
    private static BenchSetup locks(BenchSetup setup) {
        return setup.code().equals(RccBook.RPC)
                ? setup
                : setup.withProtocolOption(setup.protocol() + ".reads", "exclusive");
    }
}
