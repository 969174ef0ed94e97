package dev.rcc.bench.faults;

/**
 * The properties of a cluster that decide which faults it survives.
 *
 * @param nodes the number of nodes
 * @param copies the copies of each partition, at most one a node
 * @param byMajority whether a majority of a partition's copies must be left at any time, as with Raft
 * @param onDisk whether data outlives the processes
 * @param replaces whether the other nodes go on without a dead node
 * @param failureMillis silence after which a node counts as dead
 */
public record ClusterShape(
        int nodes, int copies, boolean byMajority, boolean onDisk, boolean replaces, int failureMillis) {}
