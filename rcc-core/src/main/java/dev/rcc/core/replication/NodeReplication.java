package dev.rcc.core.replication;

import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * A node's part in replication. Each worker of each node writes a log of its own, which has a number; positions in it grow. What a node
 * has of a log, it looks after on one worker, of the same index as the one that writes it.
 *
 * <p>Its methods may be called on any thread, but {@link #worker} only while the node is set up.
 */
public interface NodeReplication {
    /** How many logs there are. */
    int logs();

    /** The number of the log that a worker of a node writes. */
    int log(int node, int worker);

    /** Bytes that peers can reach. */
    long registeredBytes();

    /** The most bytes that may be under way in a log at once: nothing that is logged is larger. */
    int logBytes();

    /**
     * The part of one of the node's workers; called once for each.
     *
     * @param durable where things are made durable before they count as logged, or null where data is in memory only
     */
    WorkerReplication worker(int index, DurableLog durable);

    /** The disk of a way of replicating that makes durable by itself what it logs; empty where a {@link DurableLog} does, or nothing. */
    default Optional<ReplicationDisk> disk() {
        return Optional.empty();
    }

    /**
     * The node goes into a configuration, whose placement the catalog has, and will be in no earlier one any more. Called before any
     * attempt of that configuration begins here; does not wait.
     */
    default void configured(long configEpoch) {}

    /** Ends what runs in the background; called when the node's workers have ended. */
    default void close() {}

    /** Up to where this node has replayed a log. */
    long replayed(int log);

    /** The largest share of what may be under way in a log that is decided and waits here to be replayed, from 0 to 1. */
    double fill();

    /** The largest bound that any coordinator has announced here; see {@link Replication#announceReadBound}. */
    long readBound();

    /** Up to where a log is durable here. */
    long durable(int log);

    /** A log is durable here up to {@code end}: from now on its writer can know. */
    void durable(int log, long end);

    /** Nothing more will be durable here: from now on all writers can know. */
    void durabilityFailed();

    /**
     * Recovery's last step with a report of this node: makes, in the copies whose primary it is, what lost coordinators have committed and
     * it has logged as a primary. Called while no transaction runs, after {@link WorkerReplication#decide} on all workers.
     *
     * @param committed the ids of those that have committed
     */
    void complete(LogReport report, Set<Long> committed);

    // ---- what a simulation looks at between two events -------------------------------------------------------------

    /**
     * What this node's coordinators log from now on.
     *
     * @param nodes the nodes of the cluster, by number, in their present lives
     */
    LoggedEntries loggedEntries(IntFunction<NodeReplication> nodes);

    /** Whether the bytes of what was logged here of a transaction are still here. */
    boolean isLeft(LoggedTransaction txn);
}
