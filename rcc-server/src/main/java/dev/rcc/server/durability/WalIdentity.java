package dev.rcc.server.durability;

/**
 * The node and cluster that files belong to. No other node can use them, as they contain the places of all data in a node's memory.
 *
 * @param node the node's number
 * @param fingerprint the fingerprint of everything that the layout of the nodes' memory depends on
 * @param birthWallNanos the cluster's birth, from which timestamps count
 */
public record WalIdentity(int node, long fingerprint, long birthWallNanos) {}
