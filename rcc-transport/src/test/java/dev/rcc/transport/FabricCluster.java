package dev.rcc.transport;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Region;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.EventLoop;
import dev.rcc.core.worker.Worker;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * A cluster on the network under test, with the workers that the network needs: real ones by default. Every node has a data region. It also has, for
 * each worker, a buffers region, of which each coroutine gets a slice. Used by the test's thread, except where the data is used.
 */
public final class FabricCluster implements AutoCloseable {
    /** The region that one-sided operations go to. */
    public static final int DATA_REGION = 1;
    /** Size of a node's data region. */
    public static final int DATA_BYTES = 1 << 16;
    /** A region that no node has. */
    public static final int UNKNOWN_REGION = 7;

    private static final int BUFFERS_REGION = 16;
    private static final int SLICES = 256;
    /** Only ends a test that hangs: no test waits for it. */
    static final long HANG_SECONDS = "guest".equals(System.getenv("RCC_LAB")) ? 900 : 120;

    /** Which nodes a network can cut off in a test, where all nodes are in one process. */
    public enum Fencing {
        NONE,
        STOPPED,
        ANY
    }

    /** The parts of a cluster that depend on the kind of network. */
    public interface Network extends AutoCloseable {
        /** Attaches a node. Called once for each node before any registration, and again for a node that was stopped. */
        Fabric attach(int node);

        /** Lets a node that has attached again find its peers, once its fabric has started. Most networks do nothing. */
        default void rejoin(int node) {}

        /** Whether a node can cut another off: none, one that has stopped, or any. */
        default Fencing fencing() {
            return Fencing.ANY;
        }

        /** Cuts a node off, after its workers have ended. */
        void stop(int node);

        /** Makes a worker. */
        default Worker newWorker(int node, int index) {
            return new EventLoop(node, index, 1);
        }

        /** Starts a worker that was made here. */
        default void start(Worker worker) {
            ((EventLoop) worker).start();
        }

        /** Ends a worker that was made here. */
        default void close(Worker worker) {
            ((EventLoop) worker).close();
        }

        /** Runs the cluster until a coroutine's result is there, and returns whether it is. */
        default boolean await(CompletableFuture<?> result) throws InterruptedException {
            try {
                result.get(HANG_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                return false;
            } catch (ExecutionException e) {
                return true; // the exception is its result
            }
            return true;
        }

        /** Waits until all nodes have connected to all; a network that connects at once does not wait. */
        default void awaitReachable(Fabric[] fabrics) {
            for (int peer = 0; peer < fabrics.length; peer++) {
                awaitReachable(fabrics, peer);
            }
        }

        /** Waits until some nodes have connected to {@code peer}. */
        default void awaitReachable(Fabric[] fabrics, int peer) {
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(HANG_SECONDS);
            for (Fabric fabric : fabrics) {
                while (!fabric.isReachable(peer)) {
                    if (System.nanoTime() - deadline > 0) {
                        throw new AssertionError("node " + fabric.node() + " does not connect to node " + peer);
                    }
                    LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(100));
                }
            }
        }

        /** Frees everything, after all workers have ended. */
        @Override
        void close();
    }

    /** The body of a test's coroutine. */
    @FunctionalInterface
    public interface Body<T> {
        T run(OnWorker on) throws Exception;
    }

    private final Network network;
    private final Fabric[] fabrics;
    private final Memory[] data;
    private final Worker[][] workers;
    private final Region[][] buffers;
    private final Endpoint[][] endpoints;
    private final AtomicInteger[] coroutines;
    /** The threads of coroutines that have not ended, with their names. */
    private final Map<Thread, String> running = new ConcurrentHashMap<>();

    private final Map<Integer, IntFunction<RpcHandler>>[] handlers;
    private boolean started;

    /** Sets up a cluster; {@code workersOfNode} has a number of workers for each node. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of maps
    public FabricCluster(Network network, int... workersOfNode) {
        int nodes = workersOfNode.length;
        this.network = network;
        this.fabrics = new Fabric[nodes];
        this.data = new Memory[nodes];
        this.workers = new Worker[nodes][];
        this.buffers = new Region[nodes][];
        this.endpoints = new Endpoint[nodes][];
        this.coroutines = new AtomicInteger[nodes];
        this.handlers = new Map[nodes];
        for (int node = 0; node < nodes; node++) {
            fabrics[node] = network.attach(node);
        }
        for (int node = 0; node < nodes; node++) {
            handlers[node] = new LinkedHashMap<>();
            setUp(node, workersOfNode[node]);
        }
    }

    private void setUp(int node, int count) {
        Fabric fabric = fabrics[node];
        coroutines[node] = new AtomicInteger();
        data[node] = fabric.register(DATA_REGION, DATA_BYTES).memory();
        workers[node] = new Worker[count];
        buffers[node] = new Region[count];
        endpoints[node] = new Endpoint[count];
        for (int worker = 0; worker < count; worker++) {
            workers[node][worker] = network.newWorker(node, worker);
            buffers[node][worker] = fabric.register(BUFFERS_REGION + worker, (long) SLICES * OnWorker.SLICE_BYTES);
            endpoints[node][worker] = fabric.open(workers[node][worker], buffers[node][worker]);
        }
    }

    /** The address of a byte of a node's data region. */
    public static long at(int node, long offset) {
        return RemoteAddress.of(node, DATA_REGION, offset);
    }

    public int nodes() {
        return fabrics.length;
    }

    public int workers(int node) {
        return workers[node].length;
    }

    public Worker worker(int node, int index) {
        return workers[node][index];
    }

    public Fabric fabric(int node) {
        return fabrics[node];
    }

    public Endpoint endpoint(int node, int worker) {
        return endpoints[node][worker];
    }

    /** A node's data, as its own CPU sees it. */
    public Memory data(int node) {
        return data[node];
    }

    /** Registers a handler on every worker of a node; {@code handler} gets the worker's index. */
    public void handle(int node, int rpcId, IntFunction<RpcHandler> handler) {
        handlers[node].put(rpcId, handler);
        for (int worker = 0; worker < workers[node].length; worker++) {
            endpoints[node][worker].handle(rpcId, handler.apply(worker));
        }
    }

    /** Registers one stateless handler on all workers of all nodes. */
    public void handleEverywhere(int rpcId, RpcHandler handler) {
        for (int node = 0; node < nodes(); node++) {
            handle(node, rpcId, worker -> handler);
        }
    }

    /** Admits the peers and starts all workers, once all handlers are there. */
    public FabricCluster start() {
        for (Fabric fabric : fabrics) {
            fabric.start();
        }
        network.awaitReachable(fabrics);
        for (Worker[] ofNode : workers) {
            for (Worker worker : ofNode) {
                network.start(worker);
            }
        }
        started = true;
        return this;
    }

    /** Begins a new incarnation of a stopped node, with the handlers of its former one; does not wait until it is admitted. */
    public void restart(int node) {
        fabrics[node] = network.attach(node);
        setUp(node, workers[node].length);
        handlers[node].forEach((rpcId, handler) -> handle(node, rpcId, handler));
        fabrics[node].start();
        network.rejoin(node);
        for (Worker worker : workers[node]) {
            network.start(worker);
        }
    }

    /** Waits until two nodes reach each other. */
    public void awaitReachable(int one, int other) {
        network.awaitReachable(new Fabric[] {fabrics[one]}, other);
        network.awaitReachable(new Fabric[] {fabrics[other]}, one);
    }

    /** Which nodes can be cut off here. */
    public Fencing fencing() {
        return network.fencing();
    }

    /** Starts a coroutine. */
    public <T> CompletableFuture<T> start(int node, int worker, Body<T> body) {
        int id = coroutines[node].getAndIncrement();
        if (id >= SLICES) {
            throw new IllegalArgumentException("more than " + SLICES + " coroutines on node " + node);
        }
        CompletableFuture<T> result = new CompletableFuture<>();
        Region region = buffers[node][worker];
        workers[node][worker].spawn(id, coroutine -> {
            running.put(Thread.currentThread(), "node " + node + ", worker " + worker + ", coroutine " + id);
            try {
                long base = (long) id * OnWorker.SLICE_BYTES;
                result.complete(body.run(new OnWorker(coroutine, endpoints[node][worker], region.memory(), base)));
            } catch (Throwable e) {
                result.completeExceptionally(e);
            } finally {
                running.remove(Thread.currentThread());
            }
        });
        return result;
    }

    /** Runs a coroutine to its end and returns its result, or throws its exception. */
    public <T> T run(int node, int worker, Body<T> body) throws Exception {
        return join(start(node, worker, body));
    }

    /** Waits for a coroutine's result. */
    public <T> T join(CompletableFuture<T> result) throws Exception {
        if (!network.await(result)) {
            throw new AssertionError("the coroutine hangs: not done after " + HANG_SECONDS + " s\n" + whereTheyWait());
        }
        try {
            return result.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case Exception cause -> throw cause;
                case Error cause -> throw cause;
                default -> throw e;
            }
        }
    }

    private String whereTheyWait() {
        return running.entrySet().stream()
                .map(each -> each.getValue() + "\n    "
                        + Arrays.stream(each.getKey().getStackTrace())
                                .map(Object::toString)
                                .collect(Collectors.joining("\n    ")))
                .collect(Collectors.joining("\n"));
    }

    /** Kills a node: its workers end, then the network cuts it off. */
    public void stop(int node) {
        closeWorkers(node);
        network.stop(node);
    }

    @Override
    public void close() {
        for (int node = 0; node < nodes(); node++) {
            closeWorkers(node);
        }
        network.close();
    }

    private void closeWorkers(int node) {
        if (started) {
            for (Worker worker : workers[node]) {
                network.close(worker);
            }
        }
    }
}
