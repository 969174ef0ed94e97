package dev.rcc.server;

import dev.rcc.core.cluster.Zones;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.simulation.Death;
import dev.rcc.server.simulation.PlannedDeaths;
import dev.rcc.server.simulation.SimRuntime;
import dev.rcc.server.simulation.UnfreedSlots;
import dev.rcc.server.simulation.Windows;
import dev.rcc.transport.sim.Faults;
import dev.rcc.transport.sim.SimNetwork;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/**
 * A whole cluster in virtual time: nodes, workers and network are simulated by the thread that calls its methods, and all
 * that happens is a consequence of the configuration's seed. Used like any {@link EmbeddedCluster}; its methods that wait
 * let virtual time pass, which takes as long as the computer needs for the events, and their time limits are virtual.
 *
 * <p>A {@link dev.rcc.core.txn.HistoryRecorder} is given true virtual times, which may be compared between nodes, and not
 * what the nodes' skewed clocks show. What is measured is modelled, and must be reported as such.
 */
public final class SimulatedCluster extends EmbeddedCluster {
    /** Clients that do nothing for so long, while every backoff and time limit of RCC is shorter, hang. */
    private static final Duration HANG = Duration.ofSeconds(10);

    private static final long LOOK_NANOS = 100_000;

    private final SimRuntime runtime;
    private final SimNetwork network;
    private final PlannedDeaths deaths;
    /** Nodes that have died and are part of the configuration yet, as no node has noticed. */
    private int unnoticed;
    /** Nodes that have died and will begin another incarnation. */
    private int returning;
    /** By node: how many incarnations it has had before this one. */
    private final long[] incarnations;
    /** Nodes that live and that others count as dead, or will. */
    private final BitSet suspected = new BitSet();
    /** Whether it is planned that some node comes back. */
    private boolean comesBack;

    private IntConsumer whenRejoined = node -> {};

    /**
     * Lays out the memory of all nodes; nothing runs yet.
     *
     * @throws IllegalArgumentException when the atomicity does not allow the hybrid code
     * @throws IllegalStateException when this JVM does not let us schedule virtual threads
     */
    public SimulatedCluster(ClusterConfig config, SimOptions options) {
        this(checked(config), new SimRuntime(new SimNetwork(config.zones(), options, config.seed())));
    }

    private static ClusterConfig checked(ClusterConfig config) {
        if (config.durability() != null) {
            throw new IllegalArgumentException("a simulated cluster has its data in memory only");
        }
        return config;
    }

    private SimulatedCluster(ClusterConfig config, SimRuntime runtime) {
        super(config, runtime, runtime.recoveryWatch());
        this.runtime = runtime;
        this.network = runtime.network();
        this.incarnations = new long[config.nodes()];
        this.deaths = new PlannedDeaths(group(), network, new UnfreedSlots(group(), config.protocol()), killer());
        runtime.watchRecovery(deaths);
        network.watchLinks(deaths);
    }

    private PlannedDeaths.Killer killer() {
        return new PlannedDeaths.Killer() {
            @Override
            public void kill(int node, Death death) {
                die(node, death);
            }

            @Override
            public boolean mayDie(int node) {
                boolean isLimited = comesBack || config().zones().count() > 1;
                return !suspected.get(node) && (!isLimited || SimulatedCluster.this.mayDie(node));
            }

            @Override
            public void rejoined(int node) {
                whenRejoined.accept(node);
            }
        };
    }

    private void die(int node, Death death) {
        if (death.isFalse()) {
            suspected.set(node);
            group().nodes().get(node).endLease(); // before another incarnation may take its place
        } else {
            halt(node);
        }
        unnoticed++;
        long incarnation = incarnations[node];
        network.later(death.noticeNanos(), () -> {
            unnoticed--;
            if (incarnations[node] == incarnation) {
                lose(node);
            }
        });
        if (!death.isForEver()) {
            returning++;
            network.later(death.returnNanos(), () -> comeBack(node));
        }
    }

    private void endSuspected(int node) {
        if (suspected.get(node)) {
            deaths.suspectedEnds(node);
            halt(node);
            suspected.clear(node);
        }
    }

    private void comeBack(int node) {
        returning--;
        endSuspected(node);
        incarnations[node]++;
        deaths.returns(node, !isInConfiguration(node));
        beginAnew(node);
    }

    /**
     * Of the copies of each partition one is left, and its coordinators can tell what was half-written. Where there are several zones, each may be
     * absent in part or whole, but so many that of each partition one copy is in another.
     */
    private boolean mayDie(int node) {
        Zones zones = config().zones();
        if (zones.count() == 1) {
            long absent = IntStream.range(0, config().nodes())
                    .filter(other -> other != node && isAbsent(other))
                    .count();
            return absent + 1 < config().replicas();
        }
        long absent = IntStream.range(0, zones.count())
                .filter(zone ->
                        zone != zones.zone(node) && zones.nodes(zone).stream().anyMatch(this::isAbsent))
                .count();
        return absent + 1 < Math.min(config().replicas(), zones.count());
    }

    private boolean isAbsent(int node) {
        return !isMember(node) || suspected.get(node);
    }

    /** Sets the listener that is called when a node that has died takes part again in another incarnation: then clients can run there. */
    public void whenRejoined(IntConsumer listener) {
        whenRejoined = listener;
    }

    /** Plans how nodes die, one after the other: before {@link #start}. Each death is timed by the one before, the first by the start. */
    public void plan(List<Death> planned) {
        comesBack = planned.stream().anyMatch(death -> !death.isForEver());
        deaths.plan(planned);
    }

    /** No node dies any more of those that were planned to. */
    public void endDeaths() {
        deaths.end();
    }

    /** What situations the cluster has come to that are hard to survive. */
    public Windows windows() {
        return deaths.windows();
    }

    @Override
    public boolean isReconfigured() {
        return returning == 0 && unnoticed == 0 && !isAnybodyJoining() && super.isReconfigured();
    }

    /** Whether a node lives, whatever others count it as. */
    public boolean isRunning(int node) {
        return !group().isStopped(node);
    }

    /**
     * Whether no node is missing that the configuration has, and no link has been cut: a transaction whose link has failed keeps its locks
     * until it knows all of them, which takes as long as it takes.
     */
    public boolean isWhole() {
        return isReconfigured() && !network.hasCutLinks();
    }

    @Override
    public void start() {
        super.start();
        network.startFaults(this::stopNode);
        deaths.begin();
    }

    /**
     * {@inheritDoc}
     *
     * <p>It waits for nodes that are to come back, too, until they are members, and for the clients that they then have.
     *
     * @throws IllegalStateException also when clients hang: none has returned, and none has run, for some seconds of virtual
     *     time. The message says which and repeats the seed
     */
    @Override
    public boolean awaitClients(Duration timeout) {
        long end = nanos() + timeout.toNanos();
        while (true) {
            long before = clientSlices();
            long step = Math.min(HANG.toNanos(), end - nanos());
            boolean ended = super.awaitClients(Duration.ofNanos(step));
            if (ended && isReconfigured()) {
                return true;
            }
            if (ended && await(HANG, this::isReconfigured)) {
                continue; // the clients of a node that has come back are yet to run
            }
            boolean hang = network.simulation().isOver() || (step == HANG.toNanos() && before == clientSlices());
            if (hang) {
                throw new IllegalStateException("clients hang at " + nanos() + " ns of virtual time with seed "
                        + config().seed() + ": " + waitingClients());
            }
            if (nanos() >= end) {
                return false;
            }
        }
    }

    @Override
    public boolean quiesce(Duration timeout) {
        long end = nanos() + timeout.toNanos();
        while (!isDrained()) {
            if (nanos() >= end || network.simulation().isOver()) {
                return false;
            }
            network.simulation().run(Math.min(end, nanos() + LOOK_NANOS), () -> false);
        }
        return true;
    }

    private long clientSlices() {
        return runtime.slices(config().workers() * config().coroutines());
    }

    /** Virtual nanoseconds since the cluster was created. */
    @Override
    public long nanos() {
        return network.simulation().now();
    }

    /** How many events have been simulated. */
    public long events() {
        return network.simulation().eventsRun();
    }

    /** What has gone wrong so far, by kind. */
    public Faults faults() {
        return network.faults();
    }

    /** The network, to cut and heal links. */
    public SimNetwork network() {
        return network;
    }
}
