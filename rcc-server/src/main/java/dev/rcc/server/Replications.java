package dev.rcc.server;

import dev.rcc.core.replication.ReplicationProvider;
import dev.rcc.protocols.rings.RingReplication;

/** The ways of replicating: which one a cluster has is said here, and nowhere else. */
final class Replications {
    private Replications() {}

    /** The way of a cluster. */
    static ReplicationProvider of(ClusterConfig config) {
        return new RingReplication(config.logRingBytes());
    }
}
