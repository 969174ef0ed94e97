package dev.rcc.server.raft;

import java.nio.file.Path;

/**
 * Where nodes' groups have their logs.
 *
 * @param directory in which each node has one of its own, {@code node0} and so on
 * @param durable whether an entry is on disk before it counts as logged, and the logs are there for the next incarnation of the node
 */
public record RaftOptions(Path directory, boolean durable) {
    /** As few copies as there may be: of two, none can be missing. */
    public static final int MIN_REPLICAS = 3;

    /** For data that is in memory only, in another directory: what is in this one stays as it is. */
    public RaftOptions inMemory() {
        return durable ? new RaftOptions(directory.resolve("memory"), false) : this;
    }
}
