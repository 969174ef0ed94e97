package dev.rcc.server;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.log.LogTail;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.txn.TransactionMetrics;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * A whole cluster in this JVM: nodes with their own workers, memory and copies of the data. Made by the constructor it runs
 * on the {@code local} network or another one, with real threads; made by {@link #simulated} it is simulated in virtual time.
 * The course is: create, {@link #loader}, {@link #start}, run clients, {@link #quiesce}, {@link #inspect}, {@link #close}.
 *
 * <p>The methods are for threads outside the cluster, one at a time.
 */
public sealed class EmbeddedCluster implements AutoCloseable permits SimulatedCluster {
    private static final Duration WORKER_TIMEOUT = Duration.ofMinutes(1);

    private final ClusterConfig config;
    private final Catalog catalog;
    private final ClusterRuntime runtime;
    private final Node[] nodes;
    private final boolean[] stopped;
    private final Loader loader;
    /** Clients that have not returned, by node. */
    private final AtomicIntegerArray runningClients;

    private final AtomicReference<Throwable> clientFailure = new AtomicReference<>();

    /**
     * Lays out the memory of all nodes; nothing runs yet.
     *
     * @throws IllegalArgumentException when the network's atomicity does not allow the hybrid code
     */
    public EmbeddedCluster(ClusterConfig config) {
        this(config, new LocalRuntime(config.nodes()));
    }

    /**
     * Lays out the memory of all nodes of a cluster on a network on which they could as well have a process each.
     *
     * @param controls makes the control of a node; closed with the cluster
     * @throws IllegalArgumentException when the network's atomicity does not allow the hybrid code
     */
    public EmbeddedCluster(ClusterConfig config, NetworkChoice network, IntFunction<Control> controls) {
        this(config, new NetworkRuntime(network, controls));
    }

    /** Lays out the memory of all nodes of a cluster that runs on {@code runtime}. */
    EmbeddedCluster(ClusterConfig config, ClusterRuntime runtime) {
        this.config = config;
        this.catalog = new Catalog(
                new Placement(config.nodes(), config.replicas()),
                config.protocol().metadataBytes(),
                config.protocol().historySlots(),
                config.tables());
        this.runtime = runtime;
        this.nodes = new Node[config.nodes()];
        this.stopped = new boolean[config.nodes()];
        this.runningClients = new AtomicIntegerArray(config.nodes());
        // One tick back, so that the first timestamp has a clock of at least 1.
        long birthWallNanos = runtime.birthWallNanos() - TimeUnit.MILLISECONDS.toNanos(1);
        for (int node = 0; node < nodes.length; node++) {
            Fabric fabric = runtime.attach(node);
            WordChange.conflict(config.protocol(), config.code(), fabric.atomicity())
                    .ifPresent(reason -> {
                        runtime.close();
                        throw new IllegalArgumentException(reason);
                    });
            nodes[node] = new Node(config, catalog, fabric, runtime, birthWallNanos);
        }
        this.loader = new Loader(
                catalog, Arrays.stream(nodes).map(Node::memstore).toList());
    }

    /**
     * A cluster in virtual time, which the seed determines.
     *
     * @throws IllegalArgumentException when the atomicity does not allow the hybrid code
     * @throws IllegalStateException when this JVM does not let us schedule virtual threads
     */
    public static SimulatedCluster simulated(ClusterConfig config, SimOptions options) {
        return new SimulatedCluster(config, options);
    }

    /** What the cluster is made of. */
    public ClusterConfig config() {
        return config;
    }

    /** The tables and their placement. */
    public Catalog catalog() {
        return catalog;
    }

    /** Puts records into the tables, on all replicas; before {@link #start}. */
    public Loader loader() {
        return loader;
    }

    /**
     * Puts the addresses of all loaded tuples into every worker's cache, as they are in a cluster that has run for a while;
     * before {@link #start}. A simulation would spend most of its virtual time on that.
     */
    public void warmAddressCaches() {
        for (int id = 0; id < catalog.tables(); id++) {
            Table table = catalog.table(id);
            for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
                int primary = catalog.placement().primary(partition);
                TablePartition copy = nodes[primary].memstore().partition(id, partition);
                int p = partition;
                copy.forEachTuple(tuple -> remember(table, copy.keyHash(tuple), table.address(primary, p, tuple)));
            }
        }
    }

    private void remember(Table table, long keyHash, long address) {
        for (Node node : nodes) {
            for (int i = 0; i < config.workers(); i++) {
                node.worker(i).addresses().put(table.id(), keyHash, address);
            }
        }
    }

    /** The cluster's time, in nanoseconds since some moment: this machine's or, of a simulated cluster, virtual. */
    public long nanos() {
        return System.nanoTime();
    }

    /** Builds the ordered indexes of what was loaded, and starts the workers of all nodes. */
    public void start() {
        loader.buildIndexes();
        for (Node node : nodes) {
            node.join();
        }
        runtime.connect();
        for (Node node : nodes) {
            node.start();
        }
    }

    /**
     * Starts a client on one coroutine of one worker of one node. A coroutine runs one client at a time.
     *
     * @param coroutine the coroutine's number on its worker, from 0
     */
    public void spawn(int node, int worker, int coroutine, Client client) {
        runningClients.incrementAndGet(node);
        Client guarded = (runner, c) -> {
            try {
                client.run(runner, c);
            } catch (RuntimeException | Error e) {
                clientFailure.compareAndSet(null, e);
                throw e;
            }
        };
        nodes[node].worker(worker).spawn(coroutine, guarded, () -> runningClients.decrementAndGet(node));
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
     * Waits until all clients have returned, but for those of stopped nodes, which never do.
     *
     * @return false if some had not when the time was over
     * @throws IllegalStateException when a client threw, with what it threw as cause
     */
    public boolean awaitClients(Duration timeout) {
        boolean ended = await(timeout, () -> !hasRunningClients() || clientFailure.get() != null);
        if (clientFailure.get() != null) {
            throw new IllegalStateException("a client failed", clientFailure.get());
        }
        return ended;
    }

    /** What all workers have counted and timed so far, added up; those of stopped nodes are left out. */
    public Measurements measurements() {
        Measurements sum = Measurements.none(config.protocol());
        onEachWorker(worker -> {
                    Measurements copy = Measurements.none(config.protocol());
                    copy.add(worker.metrics(), worker.timers());
                    return copy;
                })
                .forEach(each -> sum.add(each.metrics(), each.timers()));
        return sum;
    }

    /** What all workers have counted so far, added up; those of stopped nodes are left out. */
    public TransactionMetrics metrics() {
        return measurements().metrics();
    }

    /** Sets all counts and timers to zero, as at the end of a warm-up. */
    public void resetMetrics() {
        onEachWorker(worker -> {
            worker.metrics().reset();
            worker.timers().reset();
            return true;
        });
    }

    /**
     * Waits until the backups have replayed all that was logged; no clients may be running.
     *
     * @return false if some log ring was not drained when the time was over
     */
    public boolean quiesce(Duration timeout) {
        return await(timeout, this::isDrained);
    }

    /** Looks for what must not be, in a cluster at rest. */
    public ClusterInspection inspect() {
        List<Memstore> memstores = new ArrayList<>();
        for (Node node : nodes) {
            memstores.add(stopped[node.id()] ? null : node.memstore());
        }
        return new ClusterInspection(config.protocol(), catalog, memstores);
    }

    /**
     * Lets the cluster run until a condition holds; {@code condition} is looked at often and must be cheap.
     *
     * @return false if it did not hold when the time was over
     */
    public boolean await(Duration timeout, BooleanSupplier condition) {
        return runtime.await(timeout, condition);
    }

    /** Stops a node as if it had died: its coroutines go no further, and it can no longer be reached. */
    public void stopNode(int node) {
        if (!stopped[node]) {
            stopped[node] = true;
            nodes[node].stop();
            runtime.leave(node);
        }
    }

    /** Stops all nodes and frees their memory. */
    @Override
    public void close() {
        for (int node = 0; node < nodes.length; node++) {
            stopNode(node);
        }
        runtime.close();
    }

    private boolean hasRunningClients() {
        for (int node = 0; node < nodes.length; node++) {
            if (!stopped[node] && runningClients.get(node) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Where clients have not returned, as text. */
    String waitingClients() {
        List<String> waiting = new ArrayList<>();
        for (Node node : running()) {
            if (runningClients.get(node.id()) > 0) {
                waiting.add(runningClients.get(node.id()) + " on node " + node.id());
            }
        }
        return String.join(", ", waiting);
    }

    /** Whether the backups have replayed all that was logged. */
    final boolean isDrained() {
        return !onEachWorker(this::isDrained).contains(false);
    }

    private boolean isDrained(Node.NodeWorker worker) {
        for (Node backup : running()) {
            LogTail tail = worker.logTails().tail(backup.id());
            long head = backup.log().memory().getAcquire(backup.logLayout().headOffset(tail.ring()));
            if (head != tail.tail()) {
                return false;
            }
        }
        return true;
    }

    private List<Node> running() {
        List<Node> running = new ArrayList<>();
        for (Node node : nodes) {
            if (!stopped[node.id()]) {
                running.add(node);
            }
        }
        return running;
    }

    /** Runs a task on every worker's loop, where what belongs to the worker may be touched, all at the same time. */
    private <T> List<T> onEachWorker(Function<Node.NodeWorker, T> task) {
        List<CompletableFuture<T>> results = new ArrayList<>();
        for (Node node : running()) {
            for (int i = 0; i < config.workers(); i++) {
                Node.NodeWorker worker = node.worker(i);
                CompletableFuture<T> result = new CompletableFuture<>();
                if (runtime.runsOnlyInAwait()) {
                    complete(result, task, worker);
                } else {
                    worker.worker().execute(() -> complete(result, task, worker));
                }
                results.add(result);
            }
        }
        return results.stream().map(this::get).toList();
    }

    private static <T> void complete(
            CompletableFuture<T> result, Function<Node.NodeWorker, T> task, Node.NodeWorker worker) {
        try {
            result.complete(task.apply(worker));
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private <T> T get(CompletableFuture<T> result) {
        if (!runtime.await(WORKER_TIMEOUT, result::isDone)) {
            throw new IllegalStateException("a worker does not answer");
        }
        try {
            return result.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("a worker does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a worker was asked", e);
        }
    }
}
