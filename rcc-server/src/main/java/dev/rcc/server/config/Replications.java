package dev.rcc.server.config;

import dev.rcc.core.replication.ReplicationProvider;
import dev.rcc.protocols.rings.RingReplication;

/** The ways of replicating: which one a cluster has is said here, and nowhere else. */
public final class Replications {
    private Replications() {}

    /** The way of a cluster. */
    public static ReplicationProvider of(ClusterConfig config) {
        return new RingReplication(config.memory().logRingBytes(), config.durability() != null);
    }
}
