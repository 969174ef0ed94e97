package dev.rcc.server.recovery;

import dev.rcc.core.replication.NodeReplication;
import dev.rcc.core.store.Memstore;
import dev.rcc.server.durability.NodeDurability;

/** What recovery finds at a node of this process. May be used on any thread, where not said otherwise. */
public interface RecoverableNode {
    /** The node's number. */
    int id();

    /** The number of the node's life. */
    long incarnation();

    /** Its copies of partitions. */
    Memstore memstore();

    /** The node's part in replication. */
    NodeReplication replication();

    /** The node's disk, or null if the data is in memory only. */
    NodeDurability durability();

    /**
     * A timestamp that no tuple has, or was read at, beyond that which the coordinators of the nodes' present lives have announced.
     */
    long readBound();

    /** Raises {@link #readBound}. Called by one thread at a time. */
    void raiseReadBound(long bound);

    /** Number of workers. */
    int workers();

    /** One of its workers, by its number from 0. */
    RecoverableWorker worker(int index);

    /** Cuts a peer off. */
    void fence(int peer);

    /** Lets one life of a peer in that was cut off. */
    void admit(int peer, long incarnation);

    /** Tells the protocol that the node is in a configuration, whose placement the catalog has. */
    void configured(long configEpoch);
}
