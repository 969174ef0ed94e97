package dev.rcc.bench.faults;

/**
 * What decides which faults a cluster survives.
 *
 * @param nodes their number
 * @param copies of each partition, at most one a node
 * @param onDisk whether data outlives the processes
 * @param replaces whether the others go on without a dead node
 * @param failureMillis silence after which a node counts as dead
 */
public record ClusterShape(int nodes, int copies, boolean onDisk, boolean replaces, int failureMillis) {}
