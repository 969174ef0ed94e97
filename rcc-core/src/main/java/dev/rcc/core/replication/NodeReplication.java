package dev.rcc.core.replication;

import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * A node's part in replication. Each worker of each node writes a log of its own, which has a number; positions in it grow. A node looks after its
 * part of a log on one worker, of the same index as the worker that writes the log.
 *
 * <p>Its methods may be called on any thread, but {@link #worker} only while the node is set up.
 */
public interface NodeReplication {
    /** The number of logs. */
    int logs();

    /** The number of the log that a worker of a node writes. */
    int log(int node, int worker);

    /** Bytes that peers can reach. */
    long registeredBytes();

    /** The most bytes that may be outstanding in a log at once: no entry is larger. */
    int logBytes();

    /**
     * The part of one of the node's workers; called once for each.
     *
     * @param durable the log that makes entries durable before they count as logged, or null where data is in memory only
     */
    WorkerReplication worker(int index, DurableLog durable);

    /**
     * The disk of a way of replicating that makes its logs durable by itself; empty where a {@link DurableLog} does, or where data is in memory only.
     */
    default Optional<ReplicationDisk> disk() {
        return Optional.empty();
    }

    /**
     * The node goes into a configuration, whose placement the catalog has, and will be in no earlier one any more. Called before any
     * attempt of that configuration begins here; does not wait.
     */
    default void configured(long configEpoch) {}

    /** The node cuts a peer off, which the cluster takes out: the logs go on without that peer, even if the node can still reach it. */
    default void fence(int peer) {}

    /** The node lets a peer in: one that was cut off, in another incarnation, or one that never was. */
    default void admit(int peer) {}

    /** Sets the listener that is called, on any thread, when a log that this writes to files by itself cannot be begun, or no longer be written. */
    default void whenFailed(Consumer<Throwable> listener) {}

    /** Ends the background work; called when the node's workers have ended. */
    default void close() {}

    /** The position up to which this node has replayed a log. */
    long replayed(int log);

    /** Of all logs, the largest share of the bytes that may be outstanding that is decided and waits here to be replayed, from 0 to 1. */
    double fill();

    /** The largest bound that any coordinator has announced here; see {@link Replication#announceReadBound}. */
    long readBound();

    /** The position up to which a log is durable here. */
    long durable(int log);

    /** A log is durable here up to {@code end}: from now on its writer can observe that. */
    void durable(int log, long end);

    /** Nothing more will be durable here: from now on all writers can observe that. */
    void durabilityFailed();

    /**
     * Recovery's last step with a report of this node: makes, in the copies whose primary it is, the changes that lost coordinators have committed
     * and that it has logged as a primary. Called while no transaction runs, after {@link WorkerReplication#decide} on all workers.
     *
     * @param committed the ids of the transactions that have committed
     */
    void complete(LogReport report, Set<Long> committed);

    // ---- for a simulation, between two events ----------------------------------------------------------------------

    /**
     * The entries that this node's coordinators log from now on.
     *
     * @param nodes the nodes of the cluster, by number, in their present incarnations
     */
    LoggedEntries loggedEntries(IntFunction<NodeReplication> nodes);

    /** Whether the bytes that were logged here for a transaction are still here. */
    boolean isLeft(LoggedTransaction txn);
}
