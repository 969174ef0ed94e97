package dev.rcc.core.replication;

import java.util.function.Consumer;

/**
 * A node's disk, where a way of replicating makes durable by itself what it logs, and not by a {@link DurableLog}. What is logged belongs to a
 * configuration, and is needed until a snapshot has it, or until a later configuration was agreed on.
 *
 * <p>Its methods may be called on any thread.
 */
public interface ReplicationDisk {
    /** Bytes that were made durable in this incarnation of the node. */
    long bytes();

    /** A snapshot is durable that has what {@link WorkerReplication#replayedBefore} has told of the last time. */
    void snapshotMade();

    /** A configuration was agreed on, and is durable: what was logged in those before is not needed any more. Does not wait. */
    void agreed(long configEpoch);

    /**
     * Tells what earlier incarnations of the node have logged in a configuration, in the order of each log.
     *
     * @throws IllegalStateException when it is not what was written
     */
    void recover(long configEpoch, Recovered recovered);

    /** Sets who is told, on any thread, that nothing more can be made durable. */
    void whenFailed(Consumer<Throwable> listener);

    /** Takes what was logged. */
    interface Recovered {
        /**
         * A transaction is in a log.
         *
         * @param log the log's number, as the node's reports have it
         * @param entry its bytes
         * @param decided whether it has committed, as far as this log says
         */
        void logged(int log, byte[] entry, boolean decided);

        /** A transaction that is in some log has committed. */
        void decided(long id);
    }
}
