package dev.rcc.core.replication;

/**
 * A node's disk, on which a way of replicating makes its logs durable by itself, and not by a {@link DurableLog}. A logged transaction belongs to a
 * configuration, and is needed until a snapshot contains it, or until a later configuration was agreed on.
 *
 * <p>Its methods may be called on any thread.
 */
public interface ReplicationDisk {
    /** Bytes that were made durable in this incarnation of the node. */
    long bytes();

    /** A snapshot is durable that contains the transactions of the last result of {@link WorkerReplication#replayedBefore}. */
    void snapshotMade();

    /** A configuration was agreed on, and is durable: transactions that were logged in earlier ones are not needed any more. Does not wait. */
    void agreed(long configEpoch);

    /**
     * Passes on the transactions that earlier incarnations of the node have logged in a configuration, in the order of each log.
     *
     * @throws IllegalStateException when the disk does not contain the bytes that were written
     */
    void recover(long configEpoch, Recovered recovered);

    /** Receives the transactions that were logged. */
    interface Recovered {
        /**
         * A transaction is in a log.
         *
         * @param log the log's number, as in the node's reports
         * @param entry its bytes
         * @param decided whether it has committed, as far as this log shows
         */
        void logged(int log, byte[] entry, boolean decided);

        /** A transaction that is in some log has committed. */
        void decided(long id);
    }
}
