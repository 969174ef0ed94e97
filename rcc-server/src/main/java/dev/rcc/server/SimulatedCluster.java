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
 * A whole cluster in virtual time. The thread that calls its methods simulates nodes, workers and network, and the configuration's seed determines
 * all events. Used like any {@link EmbeddedCluster}. Its methods that wait let virtual time pass, which takes as long as the computer needs for the
 * events. Their time limits are virtual.
 *
 * <p>A {@link dev.rcc.core.txn.HistoryRecorder} receives true virtual times, which may be compared between nodes, and not the times of the nodes'
 * skewed clocks. All measurements are modelled, and must be reported as such.
 */
public final class SimulatedCluster extends EmbeddedCluster {
    /** Clients that do nothing for so long hang, as every backoff and time limit of RCC is shorter. */
    private static final Duration HANG = Duration.ofSeconds(10);

    private static final long LOOK_NANOS = 100_000;

    private final SimRuntime runtime;
    private final SimNetwork network;
    private final PlannedDeaths deaths;
    /** The number of deaths, true or false, that no node has noticed yet. */
    private int unnoticed;
    /** The number of dead nodes that will begin another incarnation. */
    private int returning;
    /** By node: the number of its earlier incarnations. */
    private final long[] incarnations;
    /** Live nodes that other nodes count as dead, or will. */
    private final BitSet suspected = new BitSet();
    /** Whether a dead node is planned to rejoin. */
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
     * Whether one copy of each partition is left without the node, so that coordinators can find half-written records. Where there are several zones,
     * a zone with an absent node counts as absent. Only so many zones may be absent that each partition has a copy in another zone.
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

    /**
     * Plans the deaths of nodes, one after the other; before {@link #start}. Each death is timed from the previous death, the first from the start.
     */
    public void plan(List<Death> planned) {
        comesBack = planned.stream().anyMatch(death -> !death.isForEver());
        deaths.plan(planned);
    }

    /** Cancels the planned deaths that are left. */
    public void endDeaths() {
        deaths.end();
    }

    /** How often the cluster has been in situations that are hard to survive. */
    public Windows windows() {
        return deaths.windows();
    }

    @Override
    public boolean isReconfigured() {
        return returning == 0 && unnoticed == 0 && !isAnybodyJoining() && super.isReconfigured();
    }

    /** Whether a node lives, even if other nodes count it as dead. */
    public boolean isRunning(int node) {
        return !group().isStopped(node);
    }

    /**
     * Whether no node of the configuration is missing, and no link has been cut. A transaction whose link has failed keeps its locks until it has
     * found all of them, for an unbounded time.
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
     * <p>It also waits until nodes that are to rejoin are members, and for the clients that they then have.
     *
     * @throws IllegalStateException also when clients hang: none has returned, and none has run, for some seconds of virtual time. The message names
     *     their nodes and repeats the seed
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
                continue; // the clients of a node that has rejoined have not run yet
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

    /** The faults so far, by kind. */
    public Faults faults() {
        return network.faults();
    }

    /** The network, to cut and heal links. */
    public SimNetwork network() {
        return network;
    }
}
