package dev.rcc.bench.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Controls the processes of a cluster's nodes. Used by one thread. */
public interface ClusterNodes {
    /** Kills a node's process, which has no time to react; returns when it is dead. */
    void kill(int node);

    /** Asks a node's process to end in order. */
    void terminate(int node) throws IOException, InterruptedException;

    /** Starts another process for a node whose process is dead; does not wait for it. */
    void launch(int node) throws IOException;

    /** Whether the process launched last for a node can answer requests by now. */
    boolean canBeAsked(int node);

    /** Whether a node has a live process. */
    boolean isAlive(int node);

    /** Stops a node's process at any point of its execution. */
    void stop(int node) throws IOException, InterruptedException;

    /** Resumes a stopped process; false if it is dead: on shared memory the other nodes kill a process that they go on without. */
    boolean goOn(int node) throws IOException, InterruptedException;

    /** The status that a node's process reports, if it answers. */
    Optional<JsonNode> status(int node);

    /** The directory of a node's data, if the node keeps any. */
    Path data(int node);

    /** The file with the output of a node's processes, one after the other. */
    Path log(int node);
}
