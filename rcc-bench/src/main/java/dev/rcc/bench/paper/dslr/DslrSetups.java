package dev.rcc.bench.paper.dslr;

import dev.rcc.bench.locks.cluster.LockCluster;
import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.bench.locks.run.LockBenchConfig;
import dev.rcc.bench.locks.run.MicroTrace;
import dev.rcc.bench.locks.run.ShortTpccTrace;
import dev.rcc.bench.paper.LockSetup;
import dev.rcc.bench.paper.Setup;
import java.util.List;

/**
 * The runs of DSLR's evaluation, as the paper describes them (6.1 to 6.5, A.4 to A.7). If the paper gives no value, or its run would take too
 * long to model, the value is ours. Details that the paper leaves open are as in its authors' code ({@code dongyoungy/rdma_2pc}, {@code
 * src/new_proto4}), if the code has them: the locks that TPC-C's transactions take, the popular locks of each node in A.4, and DrTM's lease of
 * 0.4 ms. Transactions request one lock after the other, as in the paper, where a transaction that fails "releases all locks acquired thus
 * far" (4.7). They wait for a random time before they try again (A.3).
 */
final class DslrSetups {
    static final String DSLR = "dslr";
    static final String TRADITIONAL = "traditional";
    static final String READERS_FIRST = "traditional-ro";

    /** Nodes with locks, of 6.2. There, as many other nodes have the clients; here, each node has its own. */
    static final int NODES = 16;
    /** Number of threads of each node that take locks (6.1). */
    private static final int WORKERS = 4;

    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;

    /** A cluster of this size is enough if contention is within nodes, as with TPC-C's warehouses. */
    private static final int FEW_NODES = 4;

    /**
     * The time for which a scan holds the customer table. The paper does not give it. It must be more than two leases of 10 ms, as transactions
     * that wait for scans time out (6.5).
     */
    private static final long SCAN_NANOS = 30 * MILLI;
    /** Slots that a scan needs. */
    private static final int SCAN_SLOTS = 4;

    /** Locks of a node; the paper has 100 million (A.4). By its power law, 3 draws in 1,000 would be beyond these at alpha 1.5, else fewer. */
    private static final long MICRO_LOCKS = 100_000;

    /** Counters reach their limit every 1,024 tickets; in the paper every 32,768, which takes too long. */
    private static final long COUNT_MAX = 1_024;
    /** One node with locks, 31 with clients (A.5). */
    private static final int BACKOFF_NODES = 32;

    /**
     * DSLR's defaults: leases of 10 ms, 5 us between polls for each ticket before (4.6), backoff of at most 10 ms (A.3). The other managers try
     * again at once (6.1).
     */
    private static final LockSchemes.Terms TERMS = new LockSchemes.Terms(
            10 * MILLI, 1, false, 0, 5 * MICRO, 0, 10 * MILLI, 10 * MILLI, LockSchemes.Clocks.OF_DRTM);

    /** Two leases of warm-up, so that the first deadlocks are over, and twice that time measured. */
    private static final LockBenchConfig.Times TPCC_TIMES = new LockBenchConfig.Times(20 * MILLI, 40 * MILLI);

    private static final LockBenchConfig.Times MICRO_TIMES = new LockBenchConfig.Times(5 * MILLI, 15 * MILLI);
    private static final LockBenchConfig.Times SCAN_TIMES = new LockBenchConfig.Times(60 * MILLI, 440 * MILLI);
    private static final LockBenchConfig.Times BACKOFF_TIMES = new LockBenchConfig.Times(20 * MILLI, 280 * MILLI);
    private static final LockBenchConfig.Times LEASE_TIMES = new LockBenchConfig.Times(20 * MILLI, 80 * MILLI);

    private static final LockSetup PLAIN = new LockSetup(
            DSLR,
            TERMS,
            new ShortTpccTrace(NODES, 1, 0),
            shape(NODES),
            0,
            LockBenchConfig.Clients.BUSY,
            TPCC_TIMES,
            Setup.Network.Simulated.as("connectx3-fdr"));

    private DslrSetups() {}

    /** DSLR and all managers that it is compared with in 6.2, 6.3 and A.4. */
    static List<String> compared() {
        return LockSchemes.names().stream()
                .filter(name -> !name.equals(READERS_FIRST))
                .toList();
    }

    private static LockCluster.Shape shape(int nodes) {
        return new LockCluster.Shape(nodes, WORKERS, 1);
    }

    /** 6.2, 6.3. */
    static LockSetup tpcc(String manager, int nodes, int warehouses) {
        return PLAIN.withManager(manager)
                .withShape(shape(nodes), 0)
                .withTrace(new ShortTpccTrace(nodes, warehouses, 0));
    }

    /** 6.4, with {@code rate} as the share of scans; DSLR's scans have as many slots as they need. */
    static LockSetup scans(String manager, double rate) {
        return fixedLease(rate)
                .withManager(manager)
                .withTerms(terms(
                        TERMS.leaseNanos(), SCAN_SLOTS, TERMS.countMax(), TERMS.pollNanos(), TERMS.backoffNanosMax()))
                .withClients(LockBenchConfig.Clients.BUSY.withLong(SCAN_NANOS, SCAN_SLOTS));
    }

    /** 6.5, with one slot for scans, too. */
    static LockSetup fixedLease(double rate) {
        return PLAIN.withShape(shape(FEW_NODES), 0)
                .withTrace(new ShortTpccTrace(FEW_NODES, 1, rate))
                .withTimes(SCAN_TIMES)
                .withClients(LockBenchConfig.Clients.BUSY.withLong(SCAN_NANOS, 1));
    }

    /** A.4. */
    static LockSetup micro(String manager, double alpha, double rho) {
        return PLAIN.withManager(manager)
                .withTrace(new MicroTrace(NODES, MICRO_LOCKS, alpha, rho))
                .withTimes(MICRO_TIMES);
    }

    /** A.5, with a longest backoff. */
    static LockSetup backoff(long micros) {
        return PLAIN.withShape(shape(BACKOFF_NODES), 1)
                .withTrace(new ShortTpccTrace(1, 1, 0))
                .withTerms(terms(TERMS.leaseNanos(), 1, COUNT_MAX, TERMS.pollNanos(), micros * MICRO))
                .withTimes(BACKOFF_TIMES);
    }

    /** A.6, with a lease, and a share of transactions that leave their locks behind. */
    static LockSetup failing(long leaseMicros, double rate) {
        return PLAIN.withShape(shape(FEW_NODES), 0)
                .withTrace(new ShortTpccTrace(FEW_NODES, 1, 0))
                .withTerms(terms(leaseMicros * MICRO, 1, 0, TERMS.pollNanos(), TERMS.backoffNanosMax()))
                .withClients(LockBenchConfig.Clients.BUSY.withFailRate(rate))
                .withTimes(LEASE_TIMES);
    }

    /** A.7, with a pause between transactions; waiters poll all the time, or after 5 us for each ticket before. */
    static LockSetup polling(long delayMillis, boolean isBusy) {
        return PLAIN.withTerms(terms(TERMS.leaseNanos(), 1, 0, isBusy ? 0 : TERMS.pollNanos(), TERMS.backoffNanosMax()))
                .withClients(LockBenchConfig.Clients.BUSY.withPause(delayMillis * MILLI))
                .withTimes(new LockBenchConfig.Times(
                        Math.max(TPCC_TIMES.warmUpNanos(), delayMillis * MILLI),
                        Math.max(TPCC_TIMES.measuredNanos(), 4 * delayMillis * MILLI)));
    }

    private static LockSchemes.Terms terms(long lease, int slots, long countMax, long poll, long backoff) {
        return new LockSchemes.Terms(
                lease,
                slots,
                false,
                countMax,
                poll,
                TERMS.retryNanos(),
                TERMS.timeoutNanos(),
                backoff,
                LockSchemes.Clocks.OF_DRTM);
    }
}
