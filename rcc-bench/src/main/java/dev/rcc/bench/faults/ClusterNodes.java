package dev.rcc.bench.faults;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Has the processes of a cluster's nodes in its hands. Used by one thread. */
public interface ClusterNodes {
    /** Kills a node's process, which has no time to do anything; returns when it is dead. */
    void kill(int node);

    /** Tells a node's process to end in order. */
    void terminate(int node);

    /** Starts another process for a node whose process is dead; does not wait for it. */
    void launch(int node) throws IOException;

    /** Whether the process of a node that was launched last can be asked by now. */
    boolean canBeAsked(int node);

    /** Whether a node has a process that lives. */
    boolean isAlive(int node);

    /** Stops a node's process in the middle of whatever it does. */
    void stop(int node) throws IOException, InterruptedException;

    /** Lets a stopped process go on, if it is not dead: on shared memory the others kill a process that they go on without. */
    boolean goOn(int node) throws IOException, InterruptedException;

    /** What a node's process says of itself, if it answers. */
    Optional<JsonNode> status(int node);

    /** Where a node keeps its data, if it is one that keeps any. */
    Path data(int node);

    /** Where what a node's processes say is written, one after the other. */
    Path log(int node);
}
