package dev.rcc.server.node;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.control.Control;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The runtime of a cluster: a network, workers, and time for a caller outside the cluster to wait. Some implementations run on real threads;
 * another simulates virtual time.
 */
public interface ClusterRuntime extends AutoCloseable {
    /** Attaches a node to the network. */
    Fabric attach(int node);

    /**
     * The control channel of a node that is being attached, for components that need more than a network. It has not been started.
     *
     * @throws UnsupportedOperationException when nodes of this runtime have none
     */
    default Control control(int node) {
        throw new UnsupportedOperationException(
                "replication by Raft is for networks between processes, in real time: nodes have no control channel here");
    }

    /** Waits until all attached nodes, which have let their peers in, are connected to each other. */
    void connect();

    /** Notifies the runtime that an incarnation of a node has left the network. */
    void leave(int node);

    /** A worker of a node, which has not been started. */
    Worker newWorker(int node, int index, long seed);

    /** Starts a worker that was made here. */
    void start(Worker worker);

    /** Ends a worker that was made here: its coroutines never run again. */
    void close(Worker worker);

    /** Runs a task soon, on no worker. Called on any thread. */
    void later(Runnable task);

    /** Runs a task after {@code nanos} nanoseconds, on no worker. Called on any thread. */
    void later(long nanos, Runnable task);

    /** The wall-clock time at which the cluster is born, in nanoseconds since the Unix epoch. */
    long birthWallNanos();

    /** The recorder for the workers of a node; it passes {@code recorder} times that all nodes agree on. */
    HistoryRecorder recorderOf(int node, HistoryRecorder recorder);

    /** Whether the workers run only while a caller waits, so that their state can be used at other times. */
    boolean runsOnlyInAwait();

    /**
     * Lets the cluster run until a condition holds.
     *
     * @return false if it did not hold in time
     */
    boolean await(Duration timeout, BooleanSupplier condition);

    /**
     * Whether lost nodes may begin another incarnation. Then each node keeps its own view of the members and of the places of partitions, as in a
     * process of its own.
     */
    default boolean hasIncarnations() {
        return false;
    }

    /** Frees the network's memory, after all workers were closed. */
    @Override
    void close();
}
