package dev.rcc.server.raft;

import java.nio.file.Path;

/**
 * Where nodes' groups have their logs.
 *
 * @param directory in which each node has one of its own, {@code node0} and so on; what is in it is of one incarnation of the node
 */
public record RaftOptions(Path directory) {
    /** As few copies as there may be: of two, none can be missing. */
    public static final int MIN_REPLICAS = 3;
}
