package dev.rcc.server.raft;

import java.nio.file.Path;

/**
 * The options of the logs of nodes' groups.
 *
 * @param directory the directory in which each node has one of its own, {@code node0} and so on
 * @param durable whether an entry is on disk before it counts as logged, and the logs are there for the next incarnation of the node
 */
public record RaftOptions(Path directory, boolean durable) {
    /** The smallest number of copies: of two, none can be missing. */
    public static final int MIN_REPLICAS = 3;

    /** The smallest buffer of a coroutine, in bytes. Half of the service coroutine's is kept for a recovery. */
    public static final int MIN_BUFFER_BYTES = 2 * RaftService.BUFFER_BYTES;

    /** The options for data that is in memory only, with another directory: this one stays as it is. */
    public RaftOptions inMemory() {
        return durable ? new RaftOptions(directory.resolve("memory"), false) : this;
    }
}
