package dev.rcc.server;

import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.txn.TransactionMetrics;
import dev.rcc.core.worker.Worker;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.durability.DurabilityCounters;
import dev.rcc.server.durability.NodeDurability;
import dev.rcc.server.locks.WorkerLocks;
import dev.rcc.server.node.Client;
import dev.rcc.server.node.ClusterRuntime;
import dev.rcc.server.node.Loader;
import dev.rcc.server.node.Measurements;
import dev.rcc.server.node.Node;
import dev.rcc.server.node.NodeGroup;
import dev.rcc.server.recovery.EmbeddedRestart;
import dev.rcc.server.recovery.Failover;
import dev.rcc.server.recovery.RecoveryWatch;
import dev.rcc.transport.network.FabricProvider;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

/**
 * A whole cluster in this JVM: nodes with their own workers, memory and copies of the data. A cluster that the constructor makes runs on the
 * {@code local} network or another one, with real threads; a cluster that {@link #simulated} makes runs in virtual time. The order of calls is:
 * create, {@link #loader}, {@link #start}, run clients, {@link #quiesce}, {@link #inspect}, {@link #close}.
 *
 * <p>The methods are for threads outside the cluster, one at a time.
 */
public sealed class EmbeddedCluster implements AutoCloseable permits SimulatedCluster {
    private final ClusterConfig config;
    private final ClusterRuntime runtime;
    private final NodeGroup group;
    /** Present if the data survives the cluster. */
    private final Optional<EmbeddedRestart> restart;
    /** Null if dead nodes are not replaced. */
    private final Failover failover;

    /**
     * Lays out the memory of all nodes; nothing runs yet.
     *
     * @throws IllegalArgumentException when the network's atomicity does not allow the hybrid code
     */
    public EmbeddedCluster(ClusterConfig config) {
        this(config, new LocalRuntime(config.nodes()), RecoveryWatch.NONE);
    }

    /**
     * Lays out the memory of all nodes of a cluster on a network that can also connect processes. The nodes find each other by sockets of this
     * machine's loopback interface.
     *
     * @throws IllegalArgumentException when the network's atomicity does not allow the hybrid code
     */
    public EmbeddedCluster(ClusterConfig config, FabricProvider network) {
        this(config, runtime(config, network), RecoveryWatch.NONE);
    }

    /** Checks the code before anything is set up: the network may not admit it. */
    private static NetworkRuntime runtime(ClusterConfig config, FabricProvider network) {
        NodeGroup.checkAtomicity(config, network.atomicity());
        return new NetworkRuntime(network, LoopbackControls.of(config.nodes()));
    }

    /**
     * Lays out the memory of all nodes of a cluster that runs on {@code runtime}; {@code watch} observes the replacement of dead nodes. If that fails,
     * everything is closed, the runtime included.
     */
    EmbeddedCluster(ClusterConfig config, ClusterRuntime runtime, RecoveryWatch watch) {
        this.config = config;
        this.runtime = runtime;
        this.group = newGroup(config, runtime);
        try {
            this.restart =
                    config.durability() == null ? Optional.empty() : Optional.of(new EmbeddedRestart(config, group));
            this.failover = config.waits().recoveryNanos() == 0 ? null : new Failover(config, group, runtime, watch);
        } catch (RuntimeException | Error e) {
            group.close();
            throw e;
        }
    }

    /** The nodes, which own the runtime: it is closed with them, or here if they cannot be made. */
    private static NodeGroup newGroup(ClusterConfig config, ClusterRuntime runtime) {
        long birthWallNanos;
        try {
            checkReplacement(config);
            birthWallNanos = birthWallNanos(config, runtime);
        } catch (RuntimeException | Error e) {
            runtime.close();
            throw e;
        }
        return new NodeGroup(
                config, runtime, IntStream.range(0, config.nodes()).boxed().toList(), birthWallNanos);
    }

    private static void checkReplacement(ClusterConfig config) {
        if (config.durability() != null && config.waits().recoveryNanos() > 0) {
            throw new IllegalArgumentException(
                    "a cluster in one JVM whose data is to survive does not replace dead nodes:"
                            + " no process survives to keep the configuration that the nodes agreed on");
        }
    }

    /** The birth of the data on the disks, if there is any, so that timestamps continue from there. */
    private static long birthWallNanos(ClusterConfig config, ClusterRuntime runtime) {
        if (config.durability() == null) {
            return runtime.birthWallNanos();
        }
        return IntStream.range(0, config.nodes()) // the first start may have ended before some nodes had any data
                .mapToObj(node -> NodeDurability.birthWallNanos(config.durability(), node))
                .flatMapToLong(OptionalLong::stream)
                .findFirst()
                .orElseGet(runtime::birthWallNanos);
    }

    /** Whether the data was recovered from the disks of an earlier cluster: nothing can be loaded then. */
    public boolean isRecovered() {
        return restart.map(EmbeddedRestart::isRecovered).orElse(false);
    }

    /** The durability counters of a node so far, if its data survives. */
    public Optional<DurabilityCounters> durability(int node) {
        return Optional.ofNullable(group.nodes().get(node).durability()).map(NodeDurability::counters);
    }

    /** The nodes with a failed disk: they acknowledge nothing more. */
    public List<Integer> failedDisks() {
        return group.nodes().stream()
                .filter(node -> node.durability() != null && node.durability().isFailed())
                .map(Node::id)
                .toList();
    }

    /**
     * A cluster in virtual time; the seed determines its run.
     *
     * @throws IllegalArgumentException when the atomicity does not allow the hybrid code
     * @throws IllegalStateException when this JVM does not let us schedule virtual threads
     */
    public static SimulatedCluster simulated(ClusterConfig config, SimOptions options) {
        return new SimulatedCluster(config, options);
    }

    /** The cluster's configuration. */
    public ClusterConfig config() {
        return config;
    }

    /** The tables and their placement. */
    public Catalog catalog() {
        return group.catalog();
    }

    /** Puts records into the tables, on all replicas; before {@link #start}. */
    public Loader loader() {
        return group.loader();
    }

    /**
     * Puts the addresses of all loaded tuples into every worker's cache, as they are in a cluster that has run for a while; before
     * {@link #start}. Otherwise a simulation would spend most of its virtual time on filling the caches.
     */
    public void warmAddressCaches() {
        Catalog catalog = catalog();
        AddressCache first = group.nodes().getFirst().worker(0).addresses();
        for (int id = 0; id < catalog.tables(); id++) {
            Table table = catalog.table(id);
            for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
                int primary = catalog.placement().primary(partition);
                TablePartition copy = group.memstore(primary).partition(id, partition);
                int p = partition;
                copy.forEachTuple(
                        tuple -> first.put(table.id(), copy.keyHash(tuple), table.address(primary, p, tuple)));
            }
        }
        for (Node node : group.nodes()) {
            for (int i = 0; i < config.workers(); i++) {
                node.worker(i).addresses().copy(first);
            }
        }
    }

    /** The cluster's time, in nanoseconds since an arbitrary moment: this machine's time or, in a simulated cluster, virtual time. */
    public long nanos() {
        return System.nanoTime();
    }

    /** Builds the ordered indexes of the loaded records, connects the nodes, and starts the workers of all nodes. */
    public void start() {
        if (!isRecovered()) {
            group.loader().buildIndexes();
        }
        group.join();
        runtime.connect();
        if (failover != null) {
            failover.begins();
        }
        restart.ifPresentOrElse(EmbeddedRestart::start, group::start);
    }

    /**
     * Starts a client on one coroutine of one worker of one node. A coroutine runs one client at a time.
     *
     * @param coroutine the coroutine's number on its worker, from 0
     */
    public void spawn(int node, int worker, int coroutine, Client client) {
        group.spawn(node, worker, coroutine, client);
    }

    /** A worker of a node's present incarnation, to run tasks on. */
    public Worker worker(int node, int index) {
        return group.worker(node, index);
    }

    /** Starts a client on every coroutine of every worker of every node. */
    public void spawnEverywhere(Client client) {
        for (int node = 0; node < config.nodes(); node++) {
            for (int worker = 0; worker < config.workers(); worker++) {
                for (int coroutine = 0; coroutine < config.coroutines(); coroutine++) {
                    spawn(node, worker, coroutine, client);
                }
            }
        }
    }

    /**
     * Waits until all clients have returned, except clients of stopped nodes, which never return.
     *
     * @return false if a client had not returned in time
     * @throws IllegalStateException when a client threw; the cause is its exception
     */
    public boolean awaitClients(Duration timeout) {
        return group.awaitClients(timeout);
    }

    /** The locks of the clients of one worker, if the cluster serves locks. */
    public Optional<WorkerLocks> locks(int node, int worker) {
        return group.node(node).worker(worker).locks();
    }

    /** The counts and times of all workers so far, added up, without workers of stopped nodes. */
    public Measurements measurements() {
        return group.measurements();
    }

    /** The counts of all workers so far, added up, without workers of stopped nodes. */
    public TransactionMetrics metrics() {
        return measurements().metrics();
    }

    /**
     * The counters that the network keeps, from all nodes since they attached, added up. They may lag behind a little. Resetting the metrics
     * does not reset them.
     */
    public Map<FabricCounter, Long> networkCounters() {
        Map<FabricCounter, Long> sum = new EnumMap<>(FabricCounter.class);
        for (Node node : group.nodes()) {
            node.networkCounters().forEach((counter, value) -> sum.merge(counter, value, Long::sum));
        }
        return sum;
    }

    /** Sets all counts and timers to zero, as at the end of a warm-up. */
    public void resetMetrics() {
        group.resetMetrics();
    }

    /**
     * Waits until the backups have replayed all that was logged; no clients may be running.
     *
     * @return false if a log ring was not drained in time
     */
    public boolean quiesce(Duration timeout) {
        return await(timeout, this::isDrained);
    }

    /** Inspects the cluster, which must be at rest. */
    public ClusterInspection inspect() {
        List<Memstore> memstores = new ArrayList<>();
        for (int node = 0; node < config.nodes(); node++) {
            memstores.add(group.memstore(node));
        }
        return new ClusterInspection(config.protocol(), catalog(), memstores);
    }

    /**
     * Lets the cluster run until a condition holds; {@code condition} is evaluated often and must be cheap.
     *
     * @return false if it did not hold in time
     */
    public boolean await(Duration timeout, BooleanSupplier condition) {
        return runtime.await(timeout, condition);
    }

    /**
     * Stops a node as if it had died: its coroutines go no further, and it can no longer be reached. If the configuration replaces dead nodes,
     * the replacement begins.
     */
    public void stopNode(int node) {
        halt(node);
        lose(node);
    }

    /** Stops a node as if it had died and no node had noticed. */
    final void halt(int node) {
        group.stop(group.nodes().get(node));
    }

    /** Takes a stopped node out of the configuration, if dead nodes are replaced. */
    final void lose(int node) {
        if (failover != null) {
            failover.lose(node);
        }
    }

    /** Begins another incarnation of a stopped node, which takes part again as soon as the other nodes have admitted it. */
    final void beginAnew(int id) {
        failover.join(group.beginAnew(id));
    }

    /** Whether a node takes part in the configuration. If dead nodes are not replaced, every node that has not stopped does. */
    final boolean isMember(int node) {
        return !group.isStopped(node) && (failover == null || failover.isMember(node));
    }

    /** Whether some incarnation of a node is part of the configuration; false if dead nodes are not replaced. */
    final boolean isInConfiguration(int node) {
        return failover != null && failover.isMember(node);
    }

    /** Whether a node is to be admitted to the configuration. */
    final boolean isAnybodyJoining() {
        return failover != null && failover.isAnybodyJoining();
    }

    final NodeGroup group() {
        return group;
    }

    /**
     * Whether every node that was stopped has been taken out of the cluster, so that transactions go on without it; always, if dead
     * nodes are not replaced.
     */
    public boolean isReconfigured() {
        return failover == null || failover.isSettled();
    }

    /** Stops all nodes and frees their memory. */
    @Override
    public void close() {
        group.close();
    }

    /** A node's copy of a partition; the node must have one. */
    public TablePartition partition(int node, Table table, int partition) {
        return group.memstore(node).partition(table.id(), partition);
    }

    /** The bytes of a node's copy of a partition; the node must have one. */
    public Memory copy(int node, Table table, int partition) {
        return partition(node, table, partition).memory();
    }

    /** The nodes with clients that have not returned, as text. */
    String waitingClients() {
        return group.waitingClients();
    }

    /** A sentence for each log ring that is not drained, for which {@link #quiesce} waits; no clients may be running. */
    public List<String> unreplayed() {
        List<String> unreplayed = new ArrayList<>();
        for (Node backup : group.running()) {
            for (int worker = 0; worker < backup.workers(); worker++) {
                for (String waiting : backup.worker(worker).replication().waiting()) {
                    unreplayed.add("on node " + backup.id() + ", " + waiting);
                }
            }
        }
        return unreplayed;
    }

    /** Whether the backups have replayed all that was logged. */
    final boolean isDrained() {
        return !group.onEachWorker(this::isDrained).contains(false);
    }

    private boolean isDrained(Node.NodeWorker worker) {
        for (Node backup : group.running()) {
            int log = backup.replication().log(worker.worker().node(), worker.index());
            if (backup.replication().replayed(log) != worker.replication().logged(backup.id())) {
                return false;
            }
        }
        return true;
    }
}
