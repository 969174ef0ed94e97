package dev.rcc.server.config;

import dev.rcc.core.replication.ReplicationProvider;
import dev.rcc.protocols.rings.RingReplication;
import dev.rcc.server.raft.RaftReplication;
import dev.rcc.transport.control.Control;
import java.util.List;
import java.util.function.Supplier;

/** The replication methods. This class alone determines the method of a cluster. */
public final class Replications {
    /** By log rings in the memory of all backups. */
    public static final String RINGS = "rings";
    /** By a Raft group for each partition. */
    public static final String RAFT = "raft";

    private Replications() {}

    /** The names of all methods, the default one first. */
    public static List<String> names() {
        return List.of(RINGS, RAFT);
    }

    /** The replication method of a cluster, for callers that attach no node. */
    public static ReplicationProvider of(ClusterConfig config) {
        return of(config, () -> {
            throw new IllegalStateException("no node is attached here");
        });
    }

    /**
     * The replication method of a cluster.
     *
     * @param control supplies the control of the node that is attached; called only if the method needs it
     */
    public static ReplicationProvider of(ClusterConfig config, Supplier<Control> control) {
        return config.raft() == null
                ? new RingReplication(config.memory().logRingBytes(), config.durability() != null)
                : new RaftReplication(config.raft(), config.workers(), control);
    }
}
