package dev.rcc.server;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.replication.NodeReplication;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.time.ClusterClock;
import dev.rcc.core.txn.Lease;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.durability.DurabilityCounters;
import dev.rcc.server.durability.NodeDurability;
import dev.rcc.server.locks.WorkerLocks;
import dev.rcc.server.membership.Configuration;
import dev.rcc.server.membership.MembershipOptions;
import dev.rcc.server.node.Client;
import dev.rcc.server.node.Loader;
import dev.rcc.server.node.Measurements;
import dev.rcc.server.node.Node;
import dev.rcc.server.node.NodeGroup;
import dev.rcc.server.recovery.NodeMembership;
import dev.rcc.server.recovery.ProcessRestart;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.network.FabricProvider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One node in a process of its own. The order of calls is: create, {@link #loader}, {@link #join}, wait until no node is {@link #missing},
 * {@link #start}, run clients, {@link #drain}, {@link #leave}, {@link #close}. The order in which the nodes of a cluster are started does not matter.
 *
 * <pre>
 *  NEW -- join --> JOINING -- start --> RUNNING -- drain --> DRAINING -- close --> STOPPED
 * </pre>
 *
 * <p>Its methods are for threads that are no workers. {@link #state} and the other methods that only read may be called on any of these threads,
 * all other methods one at a time.
 */
public final class NodeServer implements AutoCloseable {
    /** The state of a node's incarnation. */
    public enum State {
        /** Its memory is laid out; it can be loaded. */
        NEW,
        /** It looks for its peers. */
        JOINING,
        /** It runs transactions. */
        RUNNING,
        /** The other nodes go on without it, and it serves no more; only another incarnation of it can rejoin. */
        EXPELLED,
        /** It ends running transactions, and refuses new ones. */
        DRAINING,
        /** It has left the network. */
        STOPPED
    }

    private static final Logger LOG = LoggerFactory.getLogger(NodeServer.class);
    /** How long a leaving node waits until the other nodes go on without it; they do so in any case. */
    private static final Duration LEAVE_PATIENCE = Duration.ofSeconds(3);

    private final ClusterConfig config;
    private final Control control;
    private final FabricProvider network;
    private final NetworkRuntime runtime;
    private final NodeGroup group;
    private final Optional<NodeMembership> membership;
    private volatile Runnable whenExpelled = () -> {};
    /** Present if the data survives the cluster. */
    private final Optional<ProcessRestart> restart;

    private final OverflowWatch overflow;

    private volatile State state = State.NEW;

    /**
     * Lays out the memory of a node; nothing runs yet.
     *
     * @param config the same on all nodes
     * @param control the control of this node, with its number; not started yet, and closed with this object
     * @param birthWallNanos the cluster's birth in nanoseconds since the Unix epoch, the same on all nodes and not in the
     *     future
     * @throws IllegalArgumentException when the network's atomicity does not allow the hybrid code
     */
    public NodeServer(ClusterConfig config, FabricProvider network, Control control, long birthWallNanos) {
        this(config, network, control, birthWallNanos, Optional.empty());
    }

    /**
     * As {@link #NodeServer(ClusterConfig, FabricProvider, Control, long)}.
     *
     * @param options how nodes watch each other, if dead nodes are to be replaced; {@link ClusterConfig#withRecovery} sets how long
     *     transactions wait for the replacement
     */
    public NodeServer(
            ClusterConfig config,
            FabricProvider network,
            Control control,
            long birthWallNanos,
            Optional<MembershipOptions> options) {
        this.config = config;
        this.control = control;
        this.network = network;
        this.runtime = new NetworkRuntime(network, List.of(control));
        if (options.isEmpty() || config.waits().recoveryNanos() == 0) {
            this.group = new NodeGroup(config, runtime, List.of(control.node()), birthWallNanos);
            this.membership = Optional.empty();
        } else {
            Lease lease = Lease.over(System.nanoTime());
            this.group = new NodeGroup(config, runtime, List.of(control.node()), birthWallNanos, Optional.of(lease));
            this.membership = Optional.of(new NodeMembership(
                    control,
                    "rcc-" + birthWallNanos + "-" + config.nodes(),
                    config,
                    options.get(),
                    node(),
                    lease,
                    this::expelled));
        }
        this.restart = config.durability() == null
                ? Optional.empty()
                : Optional.of(new ProcessRestart(control, config, group, membership));
        this.overflow = new OverflowWatch(memstore(), runtime::later);
        control.listen(new Control.Listener() {
            @Override
            public void up(int peer, long incarnation) {
                LOG.info("event=peer_connected node={} peer={}", id(), peer);
            }

            @Override
            public void down(int peer) {
                if (isAtWork()) {
                    LOG.warn(
                            "event=peer_disconnected node={} peer={}{}",
                            id(),
                            peer,
                            membership.isPresent() ? "" : ": its partitions are unavailable");
                }
            }
        });
    }

    /**
     * Measurements of the locks.
     *
     * @param counters the counters of all workers, added up
     * @param names by namespace, the number of names that are at home here or were
     */
    public record LockMeasurements(LockCounters counters, Map<String, Integer> names) {}

    /** The position up to which the log of a worker of node {@code writer} is written, or replayed, on a backup. */
    public record LogPosition(int writer, int worker, int backup, long position) {}

    /** The node's number. */
    public int id() {
        return control.node();
    }

    /** The control channel to the peers, for users of the node. They register their handlers and listeners before {@link #join}. */
    public Control control() {
        return control;
    }

    /** The cluster's configuration. */
    public ClusterConfig config() {
        return config;
    }

    /** The name of the network. */
    public String network() {
        return network.name();
    }

    /** The atomicity of remote atomics on the network. */
    public Atomicity atomicity() {
        return network.atomicity();
    }

    /** How the node's clock of the cluster's time relates to the other nodes' clocks. */
    public ClusterClock.State clock() {
        return node().worker(0).context().clock().state();
    }

    /** The tables and their placement. */
    public Catalog catalog() {
        return group.catalog();
    }

    /** The state of the node's incarnation. */
    public State state() {
        return state;
    }

    /**
     * Puts records into the tables, before {@link #join}. It is given the records of all nodes. Where the data survives, it refuses all records:
     * the tables have what is on the nodes' disks, and are empty at the first start.
     */
    public Loader loader() {
        return group.loader();
    }

    /** Builds the ordered indexes, lets the peers in, and begins to look for them. Does not wait for them. */
    public void join() {
        move(State.NEW, State.JOINING);
        if (restart.isEmpty()) {
            group.loader().buildIndexes();
        }
        group.join();
        runtime.startControls();
        membership.ifPresent(NodeMembership::start);
    }

    /**
     * Sets the listener that is called, away from the node's threads, when the other nodes have gone on without this incarnation of the
     * node.
     */
    public void whenExpelled(Runnable listener) {
        whenExpelled = listener;
    }

    /**
     * Sets the listener that is called, on a thread of the node, with a defect that ends a thread by which the node takes part in replacing dead
     * nodes: the node keeps its place, and does not do its part.
     */
    public void whenFailed(Consumer<Throwable> listener) {
        membership.ifPresent(part -> part.whenFailed(listener));
    }

    private void expelled() {
        if (state == State.RUNNING) {
            state = State.EXPELLED;
        }
        whenExpelled.run();
    }

    /** The configuration that the nodes have agreed on, if dead nodes are replaced. */
    public Optional<Configuration> configuration() {
        return membership.map(NodeMembership::configuration);
    }

    /** Whether the node serves: it has a place in the configuration, and its lease guarantees that no other incarnation has taken it. */
    public boolean isServing() {
        return state == State.RUNNING
                && membership.map(NodeMembership::holdsLease).orElse(true);
    }

    /** Whether the node can be started: no node is missing, or the other nodes run already. */
    public boolean canStart() {
        return missing().isEmpty() || membership.map(NodeMembership::isOutside).orElse(false);
    }

    /** The nodes to which this node is not connected yet, or not any more. */
    public List<Integer> missing() {
        return state == State.NEW || state == State.STOPPED
                ? IntStream.range(0, config.nodes()).boxed().toList()
                : runtime.missing(id());
    }

    /**
     * Starts the workers, once {@link #canStart} holds. Where dead nodes are replaced, transactions wait until the node has its place in a
     * configuration.
     *
     * <p>Where the data survives, all nodes first recover the data on their disks, together. If the other nodes go on without this one
     * meanwhile, it is {@link State#EXPELLED}.
     *
     * @throws IllegalStateException when the data of the nodes does not fit together
     */
    public void start() throws InterruptedException {
        if (restart.isPresent()) {
            boolean runs = restart.get().run();
            move(State.JOINING, runs ? State.RUNNING : State.EXPELLED);
        } else {
            move(State.JOINING, State.RUNNING);
            group.start();
            membership.ifPresent(NodeMembership::ready);
        }
        if (state == State.RUNNING) {
            overflow.start();
        }
    }

    /** The durability counters so far, where the data survives. For any thread. */
    public Optional<DurabilityCounters> durability() {
        return Optional.ofNullable(node().durability()).map(NodeDurability::counters);
    }

    /** Sets the listener that is called, on any thread, when the node's disk fails: the node acknowledges nothing more then. */
    public void whenDiskFails(Runnable listener) {
        if (node().durability() != null) {
            node().durability().whenFailed(listener);
        }
    }

    /**
     * Starts a client on one coroutine of one worker. A coroutine runs one client at a time.
     *
     * @param coroutine the coroutine's number on its worker, from 0
     */
    public void spawn(int worker, int coroutine, Client client) {
        group.spawn(id(), worker, coroutine, client);
    }

    /** One of the node's workers, to run tasks on. */
    public Worker worker(int index) {
        return group.worker(id(), index);
    }

    /** The locks of a worker's clients, if the cluster serves locks. */
    public Optional<WorkerLocks> locks(int worker) {
        return node().worker(worker).locks();
    }

    /** The counters of the workers' locks, and the numbers of names known here. Empty if the cluster serves no locks, or the node does not run. */
    public Optional<LockMeasurements> lockMeasurements() {
        if (!isAtWork()) {
            return Optional.empty();
        }
        return node().locks().map(locks -> {
            LockCounters sum = new LockCounters();
            group.onEachWorker(worker -> {
                        LockCounters copy = new LockCounters();
                        worker.locks().ifPresent(each -> copy.add(each.counters()));
                        return copy;
                    })
                    .forEach(sum::add);
            Map<String, Integer> names = new LinkedHashMap<>();
            for (int i = 0; i < locks.namespaces().size(); i++) {
                names.put(locks.namespaces().get(i).name(), locks.names(i));
            }
            return new LockMeasurements(sum, names);
        });
    }

    /**
     * Waits until all clients have returned.
     *
     * @return false if a client had not returned in time
     * @throws IllegalStateException when a client threw; the cause is its exception
     */
    public boolean awaitClients(Duration timeout) {
        return group.awaitClients(timeout);
    }

    /** The counts and times of the node's workers so far; empty while they do not run. */
    public Measurements measurements() {
        return isAtWork() ? group.measurements() : Measurements.none(config.protocol());
    }

    /** The network's counters at this node since it attached. */
    public Map<FabricCounter, Long> networkCounters() {
        return node().networkCounters();
    }

    /** Sets all counts and timers to zero. */
    public void resetMetrics() {
        group.resetMetrics();
    }

    /** The positions up to which the node's workers have logged on each backup. */
    public List<LogPosition> logged() {
        List<LogPosition> logged = new ArrayList<>();
        group.onEachWorker(worker -> {
                    List<LogPosition> own = new ArrayList<>();
                    for (int backup = 0; backup < config.nodes(); backup++) {
                        long position = worker.replication().logged(backup);
                        own.add(new LogPosition(id(), worker.worker().index(), backup, position));
                    }
                    return own;
                })
                .forEach(logged::addAll);
        return logged;
    }

    /** The positions up to which this node, as a backup, has replayed the log of each worker of each node. */
    public List<LogPosition> replayed() {
        NodeReplication logs = node().replication();
        List<LogPosition> replayed = new ArrayList<>();
        for (int writer = 0; writer < config.nodes(); writer++) {
            for (int worker = 0; worker < config.workers(); worker++) {
                long position = logs.replayed(logs.log(writer, worker));
                replayed.add(new LogPosition(writer, worker, id(), position));
            }
        }
        return replayed;
    }

    /** The largest share of a log on this node that is decided and waits to be replayed, from 0 to 1. */
    public double logFill() {
        return node().replication().fill();
    }

    /** The node's copy of a partition, if it has one. */
    public Optional<TablePartition> copy(Table table, int partition) {
        return catalog().placement().holds(id(), partition)
                ? Optional.of(memstore().partition(table.id(), partition))
                : Optional.empty();
    }

    /** The number of overflow segments of a table in use in the partition that uses the most, of the partitions whose primary is this node. */
    public int overflow(Table table) {
        return IntStream.range(0, catalog().placement().partitions())
                .filter(partition -> catalog().placement().primary(partition) == id())
                .map(partition -> memstore().partition(table.id(), partition).depth())
                .max()
                .orElse(0);
    }

    /** Bytes that the node has registered for its peers. */
    public long registeredBytes() {
        return node().registeredBytes();
    }

    /**
     * Refuses new transactions, and waits until running transactions have ended.
     *
     * @return false if a client had not returned in time
     */
    public boolean drain(Duration timeout) {
        group.admission().close();
        if (state != State.RUNNING) {
            return true;
        }
        state = State.DRAINING;
        return group.awaitClients(timeout);
    }

    /**
     * Leaves the configuration, after {@link #drain}. The node's workers end before, so that the other nodes find none of its transactions under
     * way, and need not cut it off.
     */
    public void leave() {
        if (state == State.DRAINING) {
            membership.ifPresent(this::leave);
        }
    }

    private void leave(NodeMembership member) {
        group.halt();
        try {
            member.leave(LEAVE_PATIENCE.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Leaves the network and frees the memory. */
    @Override
    public void close() {
        if (state != State.STOPPED) {
            state = State.STOPPED;
            overflow.close();
            membership.ifPresent(NodeMembership::close);
            group.close();
        }
    }

    private boolean isAtWork() {
        return (state == State.RUNNING || state == State.DRAINING) && !group.isStopped(id());
    }

    private Memstore memstore() {
        return node().memstore();
    }

    private Node node() {
        return group.nodes().getFirst();
    }

    private void move(State from, State to) {
        if (state != from) {
            throw new IllegalStateException("node " + id() + " is " + state + ", must be " + from + " to become " + to);
        }
        state = to;
    }
}
