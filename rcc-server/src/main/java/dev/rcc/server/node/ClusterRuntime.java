package dev.rcc.server.node;

import dev.rcc.core.fabric.Fabric;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.control.Control;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * What a cluster runs on: a network, workers, and time for a caller outside the cluster to wait. One runs on real threads, another one
 * is a simulation in virtual time.
 */
public interface ClusterRuntime extends AutoCloseable {
    /** Attaches a node to the network. */
    Fabric attach(int node);

    /**
     * The way to the peers of a node that is being attached, for what needs more than a network; it has not been started.
     *
     * @throws UnsupportedOperationException when nodes have none here
     */
    default Control control(int node) {
        throw new UnsupportedOperationException(
                "replication by Raft is for networks between processes, in real time: nodes have no control channel here");
    }

    /** Waits until all nodes that were attached, and that have let their peers in, are connected to all. */
    void connect();

    /** Says that a node has left the network for good. */
    void leave(int node);

    /** A worker of a node, which has not been started. */
    Worker newWorker(int node, int index, long seed);

    /** Starts a worker that was made here. */
    void start(Worker worker);

    /** Ends a worker that was made here: its coroutines never run again. */
    void close(Worker worker);

    /** Does something soon, on no worker. Called on any thread. */
    void later(Runnable task);

    /** Does something in so many nanoseconds, on no worker. Called on any thread. */
    void later(long nanos, Runnable task);

    /** The wall-clock time at which the cluster is born, in nanoseconds since the Unix epoch. */
    long birthWallNanos();

    /** The recorder for the workers of a node that passes {@code recorder} times which all nodes agree on. */
    HistoryRecorder recorderOf(int node, HistoryRecorder recorder);

    /** Whether the workers run only while a caller waits, so that what belongs to them can be used at other times. */
    boolean runsOnlyInAwait();

    /**
     * Lets the cluster run until a condition holds.
     *
     * @return false if it did not hold when the time was over
     */
    boolean await(Duration timeout, BooleanSupplier condition);

    /**
     * Whether nodes that were lost may begin another incarnation. Then each node knows by itself who is a member, and where partitions live, as
     * in a process of its own.
     */
    default boolean hasIncarnations() {
        return false;
    }

    /** Frees the network's memory, after all workers were closed. */
    @Override
    void close();
}
