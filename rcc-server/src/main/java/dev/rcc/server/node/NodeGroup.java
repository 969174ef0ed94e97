package dev.rcc.server.node;

import dev.rcc.core.fabric.Atomicity;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.txn.Admission;
import dev.rcc.core.txn.Lease;
import dev.rcc.core.worker.Worker;
import dev.rcc.server.config.ClusterConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * The nodes of a cluster that this process has: all of them, or one. The order of calls is: create, load, {@link #join}, connect, {@link #start},
 * spawn clients, {@link #close}. For threads that are no workers, one at a time.
 */
public final class NodeGroup implements AutoCloseable {
    private static final Duration WORKER_TIMEOUT = Duration.ofMinutes(1);

    private final ClusterConfig config;
    private final Catalog catalog;
    private final ClusterRuntime runtime;
    private final Admission admission = new Admission();
    private final long birthWallNanos;
    private final List<Node> nodes = new ArrayList<>();
    /** The nodes that were stopped. */
    private final Set<Integer> stopped = ConcurrentHashMap.newKeySet();

    private final Loader loader;
    /** Clients that have not returned, by node. */
    private final AtomicIntegerArray runningClients;

    private final AtomicReference<Throwable> clientFailure = new AtomicReference<>();

    /**
     * Lays out the memory of some nodes; nothing runs yet. If that fails, the nodes made so far and the runtime are closed.
     *
     * @param ids the nodes
     * @param birthWallNanos the cluster's birth, the same for all nodes and not after any of them is created
     * @throws IllegalArgumentException when the network's atomicity does not allow the hybrid code
     */
    public NodeGroup(ClusterConfig config, ClusterRuntime runtime, List<Integer> ids, long birthWallNanos) {
        this(config, runtime, ids, birthWallNanos, Optional.empty());
    }

    /**
     * As {@link #NodeGroup(ClusterConfig, ClusterRuntime, List, long)}.
     *
     * @param lease how long the nodes may serve, if other incarnations may take their place
     */
    public NodeGroup(
            ClusterConfig config,
            ClusterRuntime runtime,
            List<Integer> ids,
            long birthWallNanos,
            Optional<Lease> lease) {
        this.config = config;
        this.birthWallNanos = birthWallNanos;
        this.runtime = runtime;
        this.runningClients = new AtomicIntegerArray(config.nodes());
        try {
            this.catalog = config.newCatalog();
            for (int id : ids) {
                Fabric fabric = runtime.attach(id);
                checkAtomicity(config, fabric.atomicity());
                nodes.add(newNode(fabric, lease));
            }
            this.loader = new Loader(catalog, nodes.stream().map(Node::memstore).toList());
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private Node newNode(Fabric fabric, Optional<Lease> lease) {
        Catalog known = runtime.hasIncarnations() ? catalog.withOwnPlacement() : catalog;
        return new Node(config, known, fabric, runtime, birthWallNanos, admission, lease);
    }

    /**
     * Begins another incarnation of a stopped node. Its memory is empty, its workers run, and no transaction begins before it is in a configuration.
     */
    public Node beginAnew(int id) {
        Node node = newNode(runtime.attach(id), Optional.of(Lease.forEver()));
        nodes.set(id, node);
        stopped.remove(id);
        runningClients.set(id, 0);
        node.join();
        node.start();
        return node;
    }

    /**
     * Checks that the hybrid code changes every word in one way only, where that matters.
     *
     * @throws IllegalArgumentException when it does not
     */
    public static void checkAtomicity(ClusterConfig config, Atomicity atomicity) {
        WordChange.conflict(config.protocol(), config.code(), atomicity).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
    }

    /** The tables and their placement, for callers that are no nodes. */
    public Catalog catalog() {
        return catalog;
    }

    /** Puts records into the tables, on the nodes here; before {@link #join}. */
    public Loader loader() {
        return loader;
    }

    /** Lets transactions begin at the nodes here, or refuses them. */
    public Admission admission() {
        return admission;
    }

    /** The nodes here, stopped or not. */
    public List<Node> nodes() {
        return nodes;
    }

    /** The nodes here that were not stopped. */
    public List<Node> running() {
        return nodes.stream().filter(node -> !isStopped(node.id())).toList();
    }

    /** The memstore of a node that is here and not stopped, or else null. */
    public Memstore memstore(int id) {
        return running().stream()
                .filter(node -> node.id() == id)
                .map(Node::memstore)
                .findFirst()
                .orElse(null);
    }

    /** Whether a tuple or leaf is locked in a primary copy. Looks at all primary copies. */
    public boolean isAnyLocked() {
        return running().stream().map(Node::memstore).anyMatch(this::isAnyLocked);
    }

    private boolean isAnyLocked(Memstore memstore) {
        for (int id = 0; id < catalog.tables(); id++) {
            for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
                if (catalog.placement().primary(partition) == memstore.node()
                        && isAnyLocked(memstore.partition(id, partition))) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isAnyLocked(TablePartition copy) {
        TableLayout layout = copy.table().layout();
        Memory memory = copy.memory();
        return LongStream.range(0, copy.slots())
                        .anyMatch(slot -> config.protocol().isLocked(memory, layout.tupleOffset(slot)))
                || LongStream.range(0, layout.buckets())
                        .anyMatch(leaf -> config.protocol().isLocked(memory, layout.leafOffsetAt(leaf)));
    }

    /** Lets the peers in. */
    public void join() {
        nodes.forEach(Node::join);
    }

    /** Starts the workers of all nodes here, once the peers are connected. */
    public void start() {
        nodes.forEach(Node::start);
    }

    /** A node that is here, stopped or not. */
    public Node node(int id) {
        return nodes.stream().filter(each -> each.id() == id).findFirst().orElseThrow();
    }

    /** One of the workers of a node that is here, to run tasks on. */
    public Worker worker(int id, int index) {
        return node(id).worker(index).worker();
    }

    /**
     * Starts a client on one coroutine of one worker of a node that is here. A coroutine runs one client at a time.
     *
     * @param coroutine the coroutine's number on its worker, from 0
     */
    public void spawn(int id, int worker, int coroutine, Client client) {
        Node node = node(id);
        runningClients.incrementAndGet(id);
        Client guarded = (runner, c) -> {
            try {
                client.run(runner, c);
            } catch (RuntimeException | Error e) {
                clientFailure.compareAndSet(null, e);
                throw e;
            }
        };
        node.worker(worker).spawn(coroutine, guarded, () -> runningClients.decrementAndGet(id));
    }

    /**
     * Waits until all clients have returned, except clients of stopped nodes, which never return.
     *
     * @return false if a client had not returned in time
     * @throws IllegalStateException when a client threw; the cause is its exception
     */
    public boolean awaitClients(Duration timeout) {
        boolean ended = runtime.await(timeout, () -> !hasRunningClients() || clientFailure.get() != null);
        if (clientFailure.get() != null) {
            throw new IllegalStateException("a client failed", clientFailure.get());
        }
        return ended;
    }

    /** Called before each event of a simulation. */
    private boolean hasRunningClients() {
        for (int i = 0; i < nodes.size(); i++) {
            int node = nodes.get(i).id();
            if (runningClients.get(node) > 0 && !isStopped(node)) {
                return true;
            }
        }
        return false;
    }

    /** The nodes with clients that have not returned, as text. */
    public String waitingClients() {
        List<String> waiting = new ArrayList<>();
        for (Node node : running()) {
            if (runningClients.get(node.id()) > 0) {
                waiting.add(runningClients.get(node.id()) + " on node " + node.id());
            }
        }
        return String.join(", ", waiting);
    }

    /** The counts and times of all workers so far, added up, without workers of stopped nodes. */
    public Measurements measurements() {
        Measurements sum = Measurements.none(config.protocol());
        onEachWorker(worker -> {
                    Measurements copy = Measurements.none(config.protocol());
                    copy.add(worker.metrics(), worker.timers());
                    return copy;
                })
                .forEach(sum::add);
        return sum;
    }

    /** Sets all counts and timers to zero. */
    public void resetMetrics() {
        onEachWorker(worker -> {
            worker.metrics().reset();
            worker.timers().reset();
            return true;
        });
    }

    /** A result that a worker of a node computes. */
    private record Asked<T>(int node, CompletableFuture<T> result) {}

    /**
     * Runs a task on every worker's loop, where the worker's state may be used; on all loops at the same time. On any thread.
     *
     * @return the results, without those of workers that have ended before they ran the task, as their node was stopped
     */
    public <T> List<T> onEachWorker(Function<Node.NodeWorker, T> task) {
        List<Asked<T>> results = new ArrayList<>();
        for (Node node : running()) {
            for (int i = 0; i < config.workers(); i++) {
                Node.NodeWorker worker = node.worker(i);
                CompletableFuture<T> result = new CompletableFuture<>();
                if (runtime.runsOnlyInAwait()) {
                    complete(result, task, worker);
                } else {
                    worker.worker().execute(() -> complete(result, task, worker));
                }
                results.add(new Asked<>(node.id(), result));
            }
        }
        return results.stream().map(this::get).flatMap(Optional::stream).toList();
    }

    private static <T> void complete(
            CompletableFuture<T> result, Function<Node.NodeWorker, T> task, Node.NodeWorker worker) {
        try {
            result.complete(task.apply(worker));
        } catch (RuntimeException | Error e) {
            result.completeExceptionally(e);
        }
    }

    private <T> Optional<T> get(Asked<T> asked) {
        CompletableFuture<T> result = asked.result();
        if (!runtime.await(WORKER_TIMEOUT, () -> result.isDone() || isStopped(asked.node()))) {
            throw new IllegalStateException("a worker does not answer");
        }
        if (!result.isDone()) {
            return Optional.empty();
        }
        try {
            return Optional.of(result.get());
        } catch (ExecutionException e) {
            throw new IllegalStateException("a worker does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a worker was asked", e);
        }
    }

    /** Whether a node was stopped. On any thread. */
    public boolean isStopped(int id) {
        return stopped.contains(id);
    }

    /** Stops a node that is here: its workers end, and it leaves the network. Does nothing if it was stopped. */
    public void stop(Node node) {
        if (!isStopped(node.id())) {
            halt(node);
            runtime.leave(node.id());
        }
    }

    /** Stops all nodes here, but still answers the peers' requests over the control channel, until it is closed. */
    public void halt() {
        running().forEach(this::halt);
    }

    private void halt(Node node) {
        stopped.add(node.id());
        node.stop();
    }

    /** Stops all nodes here and frees their memory. */
    @Override
    public void close() {
        nodes.forEach(this::stop);
        runtime.close();
    }
}
