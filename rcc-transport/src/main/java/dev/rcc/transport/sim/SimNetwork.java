package dev.rcc.transport.sim;

import dev.rcc.core.cluster.Zones;
import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.VirtualThreads;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/**
 * A cluster's network, workers and clocks in virtual time, with their faults. Everything that happens here is
 * an event of its {@link Simulation}, and so a consequence of the seed.
 *
 * <p>A message between two nodes takes the profile's time and a random time more, so messages overtake each other. On a
 * link that is cut it is sent again and again, as on a reliable connection, until the link is healed, or until the sender's NIC
 * gives up and the completion fails. Used by one thread.
 */
public final class SimNetwork implements AutoCloseable {
    /** The number of times that a NIC sends a message before it gives up. */
    private static final int SENDS = 8;
    /** If READs and WRITEs stall, a line of one in so many of them takes effect word by word. */
    private static final int TORN_LINE_ONE_IN = 8;

    private final Simulation simulation;
    private final SimOptions options;
    private final Zones zones;
    private final CostModel costs;
    private final SplittableRandom chance;
    private final SplittableRandom bad;
    private final SplittableRandom readOrder;
    private final SplittableRandom wayLengths;
    private final SplittableRandom parts;
    private final SplittableRandom late;
    private final Faults faults = new Faults();
    private final SimFabric[] fabrics;
    private final SimNic[] nics;
    private final SimClock[] clocks;
    private final int[][] cuts;
    private LinkWatch linkWatch = LinkWatch.NONE;
    private boolean hasCutLinks;
    private final List<SimEndpoint> endpoints = new ArrayList<>();
    private final Arena arena = Arena.ofShared();
    private final List<ArrayDeque<Memory>> freeMessages = new ArrayList<>();

    /** The network of nodes 0 to {@code nodes - 1} in one zone; see {@link #SimNetwork(Zones, SimOptions, long)}. */
    public SimNetwork(int nodes, SimOptions options, long seed) {
        this(Zones.single(nodes), options, seed);
    }

    /**
     * A network.
     *
     * @param zones the network's nodes and their zones; several zones take the place of the profile's data centres
     * @throws IllegalStateException when this JVM does not let RCC schedule virtual threads
     * @throws IllegalArgumentException when workers reach their own node directly and the atomicity is {@code DEVICE}
     */
    public SimNetwork(Zones zones, SimOptions options, long seed) {
        if (!VirtualThreads.canSchedule()) {
            throw new IllegalStateException(
                    "a simulation schedules virtual threads itself, which this JVM does not allow: start it with"
                            + " --add-opens java.base/java.lang=ALL-UNNAMED");
        }
        if (options.costs().cpu().reachesOwnNode() && options.atomicity() == Atomicity.DEVICE) {
            throw new IllegalArgumentException(
                    "cpuReachesOwnNode must be false with atomicity DEVICE: a CPU's changes are not atomic"
                            + " against a NIC's");
        }
        this.simulation = new Simulation(seed);
        this.options = options;
        this.zones = zones;
        int nodes = zones.nodes();
        this.costs = options.costs();
        this.chance = simulation.random(1);
        this.bad = simulation.random(2);
        this.readOrder = simulation.random(4);
        this.wayLengths = simulation.random(5);
        this.parts = simulation.random(6);
        this.late = simulation.random(7);
        this.fabrics = new SimFabric[nodes];
        this.nics = new SimNic[nodes];
        this.clocks = new SimClock[nodes];
        this.cuts = new int[nodes][nodes];
        SplittableRandom ofClocks = simulation.random(3);
        for (int node = 0; node < nodes; node++) {
            nics[node] = new SimNic(costs, simulation::now);
            long skew = options.faults().clocks().skewNanosMax();
            long drift = options.faults().clocks().driftPpmMax();
            clocks[node] = new SimClock(
                    ofClocks.nextLong(1L << 40),
                    ofClocks.nextLong(-drift, drift + 1),
                    ofClocks.nextLong(-skew, skew + 1));
        }
    }

    /** The virtual time of all that happens here. */
    public Simulation simulation() {
        return simulation;
    }

    /** The options of the simulation. */
    public SimOptions options() {
        return options;
    }

    /** The faults so far. */
    public Faults faults() {
        return faults;
    }

    /** The number of nodes, attached or not. */
    public int nodes() {
        return fabrics.length;
    }

    /**
     * Attaches a node. A node that was stopped may attach anew: it has restarted, with empty memory and new workers.
     *
     * @throws IllegalStateException when the node is attached already
     */
    public Fabric attach(int node) {
        if (fabrics[node] != null) {
            if (!fabrics[node].isStopped()) {
                throw new IllegalStateException("node " + node + " is attached already: stop it first");
            }
            faults.add(Faults.Kind.RESTART);
        }
        fabrics[node] = new SimFabric(this, node, fabrics[node] == null ? 1 : fabrics[node].incarnation() + 1);
        nics[node] = new SimNic(costs, simulation::now);
        return fabrics[node];
    }

    /** A worker of a node, which has not been started. */
    public SimWorker newWorker(int node, int index) {
        return new SimWorker(this, clocks[node], node, index);
    }

    /** The virtual time at which a node's monotonic clock shows {@code nanoTime}. */
    public long virtualNanos(int node, long nanoTime) {
        return clocks[node].virtualNanos(nanoTime);
    }

    /** Runs {@code task} as an event of its own, without a delay. */
    public void later(Runnable task) {
        simulation.at(simulation.now(), task);
    }

    /** Wall-clock time of virtual time 0, in nanoseconds since the Unix epoch, on an exact clock. */
    public static long epochNanos() {
        return SimClock.EPOCH_NANOS;
    }

    /**
     * Starts the faults of the plan.
     *
     * @param crash stops a node: its workers, then {@link #stop}
     */
    public void startFaults(IntConsumer crash) {
        FaultPlan plan = options.faults();
        scheduleRepeatedly(plan.cuts().intervalNanos(), plan.cuts().countMax(), this::partition);
        scheduleRepeatedly(plan.splits().intervalNanos(), plan.splits().countMax(), this::split);
        scheduleRepeatedly(plan.clocks().stepIntervalNanos(), Long.MAX_VALUE, this::stepAClock);
        for (int i = 0; i < Math.min(plan.crashes().nodes(), nodes()); i++) {
            simulation.at(simulation.now() + upTo(plan.crashes().withinNanos()), () -> crashOne(crash));
        }
    }

    /** Cuts a node off, as when it crashes; the caller also closes its workers. A second call does nothing. */
    public void stop(int node) {
        SimFabric fabric = fabrics[node];
        if (fabric == null || fabric.isStopped()) {
            return;
        }
        faults.add(Faults.Kind.CRASH);
        fabric.markStopped();
        for (SimEndpoint endpoint : endpoints) {
            endpoint.peerStopped(fabric);
        }
        endpoints.removeIf(endpoint -> endpoint.fabric() == fabric);
    }

    /** Cuts the link between two nodes, both ways, until {@link #heal} was called as often. */
    public void cut(int one, int other) {
        faults.add(Faults.Kind.PARTITION);
        cutLink(one, other);
        cutLink(other, one);
        linkWatch.cut();
    }

    private void cutLink(int from, int to) {
        cuts[from][to]++;
        hasCutLinks = true;
    }

    /** Undoes one {@link #cut}. */
    public void heal(int one, int other) {
        cuts[one][other]--;
        cuts[other][one]--;
        linkWatch.healed();
    }

    /** Cuts the link from one node to another, but not the link back, until {@link #healOneWay} was called as often. */
    public void cutOneWay(int from, int to) {
        faults.add(Faults.Kind.ONE_WAY_PARTITION);
        cutLink(from, to);
        linkWatch.cut();
    }

    /** Undoes one {@link #cutOneWay}. */
    public void healOneWay(int from, int to) {
        cuts[from][to]--;
        linkWatch.healed();
    }

    /** Splits two zones: cuts all links between them, both ways, until {@link #join} was called as often. */
    public void split(int one, int other) {
        faults.add(Faults.Kind.SPLIT);
        forEachLink(one, other, this::cutLink);
        forEachLink(other, one, this::cutLink);
        linkWatch.cut();
    }

    /** Undoes one {@link #split}. */
    public void join(int one, int other) {
        forEachLink(one, other, (from, to) -> cuts[from][to]--);
        forEachLink(other, one, (from, to) -> cuts[from][to]--);
        linkWatch.healed();
    }

    /** Cuts all links from one zone to another, but not the links back, until {@link #joinOneWay} was called as often. */
    public void splitOneWay(int fromZone, int toZone) {
        faults.add(Faults.Kind.ONE_WAY_SPLIT);
        forEachLink(fromZone, toZone, this::cutLink);
        linkWatch.cut();
    }

    /** Undoes one {@link #splitOneWay}. */
    public void joinOneWay(int fromZone, int toZone) {
        forEachLink(fromZone, toZone, (from, to) -> cuts[from][to]--);
        linkWatch.healed();
    }

    private interface LinkChange {
        void change(int from, int to);
    }

    private void forEachLink(int fromZone, int toZone, LinkChange change) {
        for (int from : zones.nodes(fromZone)) {
            for (int to : zones.nodes(toZone)) {
                change.change(from, to);
            }
        }
    }

    /** Whether any link has been cut since the simulation began, also if only one way or healed meanwhile. */
    public boolean hasCutLinks() {
        return hasCutLinks;
    }

    /** Sets the observer of links that are cut and healed, in place of the former one. */
    public void watchLinks(LinkWatch newWatch) {
        linkWatch = newWatch;
    }

    /** Runs {@code action} after {@code nanos} virtual nanoseconds. */
    public void later(long nanos, Runnable action) {
        simulation.at(simulation.now() + nanos, action);
    }

    /** Frees the memory of all nodes; nothing may run afterwards. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }

    // ---- for endpoints, batches and calls --------------------------------------------------------------------------

    CostModel costs() {
        return costs;
    }

    Arena arena() {
        return arena;
    }

    SplittableRandom chance() {
        return chance;
    }

    SimNic nic(int node) {
        return nics[node];
    }

    /** The attachment of a node that has started and not stopped, else null; cut links do not matter. */
    SimFabric reachable(int node) {
        if (node < 0 || node >= fabrics.length) {
            throw new IllegalArgumentException("no node " + node + ": this network has 0 to " + (fabrics.length - 1));
        }
        SimFabric fabric = fabrics[node];
        return fabric != null && fabric.isReachable() ? fabric : null;
    }

    void opened(SimEndpoint endpoint) {
        endpoints.add(endpoint);
        int queuePairs = 0;
        for (SimEndpoint each : endpoints) {
            if (each.fabric() == endpoint.fabric()) {
                queuePairs += Math.max(nodes(), options.emulatedNodes()) - 1;
            }
        }
        nics[endpoint.fabric().node()].useQueuePairs(queuePairs);
    }

    /** Draws the time that a message takes from one node to another, delays included. */
    long passageNanos(int from, int to) {
        long nanos = from == to ? costs.link().loopbackNanos() : costs.link().oneWayNanos();
        if (areApart(from, to)) {
            nanos += costs.link().interDataCentreNanos();
        }
        nanos += options.distances().draw(from, to, wayLengths);
        if (costs.link().jitterNanosMax() > 0) {
            nanos += chance.nextLong(costs.link().jitterNanosMax() + 1);
        }
        if (costs.link().tailNanos() > 0 && chance.nextInt(costs.link().tailOneIn()) == 0) {
            nanos += costs.link().tailNanos();
        }
        FaultPlan plan = options.faults();
        if (happens(plan.delays().rate())) {
            faults.add(Faults.Kind.DELAY);
            nanos += upTo(plan.delays().nanosMax());
        }
        return nanos;
    }

    /** Whether a message gets through now; if not, it counts as lost. */
    boolean getsThrough(int from, int to) {
        if (cuts[from][to] > 0) {
            faults.add(Faults.Kind.LOST);
            return false;
        }
        return true;
    }

    /**
     * Draws whether an RPC's message is lost: it travels as an unreliable datagram, which is not sent again. A message within a node
     * does not use the network and is never lost.
     */
    boolean losesDatagram(int from, int to) {
        if (from == to || !happens(options.faults().datagramLossRate())) {
            return false;
        }
        faults.add(Faults.Kind.LOST_DATAGRAM);
        return true;
    }

    /**
     * Draws the time after which a request that has come to its peer is served though its call has failed by then; 0 for most, which are
     * served at once. A call within a node never fails like that.
     */
    long lateNanos(int from, int to) {
        FaultPlan.Delays lateCalls = options.faults().lateCalls();
        if (from == to || !happens(late, lateCalls.rate())) {
            return 0;
        }
        faults.add(Faults.Kind.LATE_CALL);
        return 1 + late.nextLong(lateCalls.nanosMax() + 1);
    }

    /** Draws whether a batch that meets a cut link has begun to take effect. */
    boolean cutsOff() {
        return happens(parts, options.faults().cutOffRate());
    }

    /** Draws whether a line of a READ or WRITE takes effect word by word: one in some if the plan has stalls, else never. */
    boolean tearsALine() {
        return options.faults().stalls().rate() > 0 && parts.nextInt(TORN_LINE_ONE_IN) == 0;
    }

    /** The source of the places where batches are cut off and lines are torn. */
    SplittableRandom parts() {
        return parts;
    }

    /** The time until a lost message is sent again. */
    long resendNanos() {
        return Math.max(1, costs.detectNanos() / SENDS);
    }

    /** Draws whether an operation of a node that has just died still takes effect. */
    boolean outlivesItsNode() {
        return bad.nextBoolean();
    }

    /** Draws the time that an operation of several pieces stalls half-way: 0 for most. */
    long faultStall() {
        if (!happens(options.faults().stalls().rate())) {
            return 0;
        }
        faults.add(Faults.Kind.STALL);
        return upTo(options.faults().stalls().nanosMax());
    }

    /** Draws whether a NIC serves its next consecutive READs in any order: with probability 1/2 if the plan has stalls, else never. */
    boolean reordersReads() {
        return options.faults().stalls().rate() > 0 && readOrder.nextBoolean();
    }

    /** The source of the orders of such READs. */
    SplittableRandom readOrder() {
        return readOrder;
    }

    /** Draws the time that a worker pauses before its next turn: 0 for most. */
    long faultPause() {
        if (!happens(options.faults().pauses().rate())) {
            return 0;
        }
        faults.add(Faults.Kind.PAUSE);
        return upTo(options.faults().pauses().nanosMax());
    }

    /** Memory for a message of at least {@code bytes} bytes; it still holds its former content. */
    Memory takeMessage(int bytes) {
        ArrayDeque<Memory> free = freeMessages(sizeClass(bytes));
        return free.isEmpty() ? Memory.allocate(arena, 1L << sizeClass(bytes)) : free.pop();
    }

    /** Returns a message's memory to the pool. */
    void giveBack(Memory message) {
        freeMessages(sizeClass((int) message.size())).push(message);
    }

    private ArrayDeque<Memory> freeMessages(int sizeClass) {
        while (freeMessages.size() <= sizeClass) {
            freeMessages.add(new ArrayDeque<>());
        }
        return freeMessages.get(sizeClass);
    }

    private static int sizeClass(int bytes) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(bytes, 64) - 1);
    }

    /** Whether two nodes are in different data centres: the zones if there are several, else the profile's blocks of nodes. */
    private boolean areApart(int from, int to) {
        return zones.count() > 1 ? zones.zone(from) != zones.zone(to) : block(from) != block(to);
    }

    private int block(int node) {
        return node * costs.link().dataCentres() / nodes();
    }

    // ---- faults ----------------------------------------------------------------------------------------------------

    private boolean happens(double rate) {
        return happens(bad, rate);
    }

    private static boolean happens(SplittableRandom random, double rate) {
        return rate > 0 && random.nextDouble() < rate;
    }

    private long upTo(long nanosMax) {
        return bad.nextLong(nanosMax + 1);
    }

    private void scheduleRepeatedly(long meanNanos, long count, Runnable fault) {
        if (meanNanos > 0 && count > 0) {
            simulation.at(simulation.now() + 1 + upTo(2 * meanNanos), () -> {
                fault.run();
                scheduleRepeatedly(meanNanos, count - 1, fault);
            });
        }
    }

    private void partition() {
        if (nodes() < 2) {
            return;
        }
        int one = bad.nextInt(nodes());
        int other = (one + 1 + bad.nextInt(nodes() - 1)) % nodes();
        boolean isOneWay = happens(options.faults().cuts().oneWayRate());
        if (isOneWay) {
            cutOneWay(one, other);
        } else {
            cut(one, other);
        }
        later(
                upTo(options.faults().cuts().nanosMax()),
                isOneWay ? () -> healOneWay(one, other) : () -> heal(one, other));
    }

    private void split() {
        if (zones.count() < 2) {
            return;
        }
        int one = bad.nextInt(zones.count());
        int other = (one + 1 + bad.nextInt(zones.count() - 1)) % zones.count();
        boolean isOneWay = happens(options.faults().splits().oneWayRate());
        if (isOneWay) {
            splitOneWay(one, other);
        } else {
            split(one, other);
        }
        later(
                upTo(options.faults().splits().nanosMax()),
                isOneWay ? () -> joinOneWay(one, other) : () -> join(one, other));
    }

    private void stepAClock() {
        long skew = options.faults().clocks().skewNanosMax();
        faults.add(Faults.Kind.CLOCK_STEP);
        clocks[bad.nextInt(nodes())].step(bad.nextLong(-skew, skew + 1));
    }

    private void crashOne(IntConsumer crash) {
        int first = bad.nextInt(nodes());
        for (int i = 0; i < nodes(); i++) {
            int node = (first + i) % nodes();
            if (fabrics[node] != null && !fabrics[node].isStopped()) {
                crash.accept(node);
                return;
            }
        }
    }
}
