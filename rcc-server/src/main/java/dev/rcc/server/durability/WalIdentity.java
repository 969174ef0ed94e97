package dev.rcc.server.durability;

/**
 * Whose files these are: they are of no use to anybody else, as they say where in a node's memory everything goes.
 *
 * @param node the node's number
 * @param fingerprint of all that the layout of the nodes' memory depends on
 * @param birthWallNanos the cluster's birth, from which timestamps count
 */
public record WalIdentity(int node, long fingerprint, long birthWallNanos) {}
