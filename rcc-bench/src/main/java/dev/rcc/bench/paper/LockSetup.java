package dev.rcc.bench.paper;

import dev.rcc.bench.locks.cluster.LockCluster;
import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.bench.locks.run.LockBenchConfig;
import dev.rcc.bench.locks.run.LockTrace;
import dev.rcc.core.protocol.Primitive;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A run of a lock manager, as {@code rcc bench-locks} makes it: lock words are reached one-sided, queues by RPC. Immutable.
 *
 * @param manager the lock manager's name
 * @param terms the manager's terms; managers without resets run with several time-outs, of which the best counts
 * @param trace the locks of the transactions
 * @param shape the cluster's shape
 * @param lockNodes number of nodes, the first ones, that have all locks and no clients; 0 if each node has both
 * @param clients the behaviour of the coroutines
 * @param times the duration of the run
 * @param network the network between the nodes
 */
public record LockSetup(
        String manager,
        LockSchemes.Terms terms,
        LockTrace trace,
        LockCluster.Shape shape,
        int lockNodes,
        LockBenchConfig.Clients clients,
        LockBenchConfig.Times times,
        Network.Simulated network)
        implements Setup {
    private static final double NANOS_A_MICRO = 1e3;
    private static final long NANOS_A_MILLI = 1_000_000;

    /** The configuration of the run with a seed. */
    LockBenchConfig config(long seed) {
        return new LockBenchConfig(
                LockSchemes.byName(manager)
                        .orElseThrow(() -> new IllegalArgumentException("got the lock manager '" + manager
                                + "', allowed: " + String.join(", ", LockSchemes.names()))),
                terms,
                Primitive.ONE_SIDED,
                trace,
                shape,
                lockNodes,
                clients,
                times,
                network.profile(),
                seed,
                false);
    }

    /** With another manager. */
    public LockSetup withManager(String name) {
        return new LockSetup(name, terms, trace, shape, lockNodes, clients, times, network);
    }

    /** With other terms. */
    public LockSetup withTerms(LockSchemes.Terms other) {
        return new LockSetup(manager, other, trace, shape, lockNodes, clients, times, network);
    }

    /** With another trace. */
    public LockSetup withTrace(LockTrace other) {
        return new LockSetup(manager, terms, other, shape, lockNodes, clients, times, network);
    }

    /** With locks and clients on other nodes. */
    public LockSetup withShape(LockCluster.Shape other, int nodesOfLocks) {
        return new LockSetup(manager, terms, trace, other, nodesOfLocks, clients, times, network);
    }

    /** With other clients. */
    public LockSetup withClients(LockBenchConfig.Clients other) {
        return new LockSetup(manager, terms, trace, shape, lockNodes, other, times, network);
    }

    /** With another duration. */
    public LockSetup withTimes(LockBenchConfig.Times other) {
        return new LockSetup(manager, terms, trace, shape, lockNodes, clients, other, network);
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException when {@code costs} is not empty: such a run takes its profile unchanged
     */
    @Override
    public LockSetup withCosts(Map<String, String> costs) {
        if (!costs.isEmpty()) {
            throw new IllegalArgumentException("a run of a lock manager takes its profile as it is, got " + costs);
        }
        return this;
    }

    @Override
    public String describe() {
        return trace.name() + " " + manager + " on " + network.describe();
    }

    @Override
    public String cluster() {
        return shape.nodes() + " nodes x " + shape.workers() + " workers"
                + (lockNodes == 0 ? "" : ", " + lockNodes + " of the nodes for the locks alone");
    }

    @Override
    public boolean isScaled() {
        return false;
    }

    @Override
    public String times(Scale scale) {
        return times.warmUpNanos() / NANOS_A_MILLI + " ms warm-up, " + times.measuredNanos() / NANOS_A_MILLI
                + " ms measured, in virtual time";
    }

    @Override
    public Measured measuredBy(Experiments experiments) {
        return experiments.locks().run(this);
    }

    @Override
    public Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("manager", manager);
        facts.put("trace", trace.toString());
        facts.put("nodes", shape.nodes());
        facts.put("lock_nodes", lockNodes);
        facts.put("workers", shape.workers());
        facts.put("coroutines", shape.coroutines());
        facts.put("lease_us", terms.leaseNanos() / NANOS_A_MICRO);
        facts.put("count_max", terms.countMax());
        facts.put("poll_us", terms.pollNanos() / NANOS_A_MICRO);
        facts.put("backoff_max_us", terms.backoffNanosMax() / NANOS_A_MICRO);
        facts.put("asks", clients.asks().label());
        facts.put("think_us", clients.thinkNanos() / NANOS_A_MICRO);
        facts.put("pause_us", clients.pauseNanos() / NANOS_A_MICRO);
        facts.put("long_us", clients.longNanos() / NANOS_A_MICRO);
        facts.put("long_slots", clients.longSlots());
        facts.put("fail_rate", clients.failRate());
        facts.put("warm_up_us", times.warmUpNanos() / NANOS_A_MICRO);
        facts.put("measured_us", times.measuredNanos() / NANOS_A_MICRO);
        facts.put("fabric", network.name());
        facts.putAll(network.facts());
        return facts;
    }
}
