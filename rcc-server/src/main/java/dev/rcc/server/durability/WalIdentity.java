package dev.rcc.server.durability;

/**
 * The node and cluster that files belong to. No other node can use them, as they say where in a node's memory everything goes.
 *
 * @param node the node's number
 * @param fingerprint of all that the layout of the nodes' memory depends on
 * @param birthWallNanos the cluster's birth, from which timestamps count
 */
public record WalIdentity(int node, long fingerprint, long birthWallNanos) {}
