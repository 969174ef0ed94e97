package dev.rcc.bench.locks.run;

import java.util.SplittableRandom;

/**
 * The numbers of the locks of TPC-C's warehouses, spread over the nodes as a lock space spreads them: all locks of a warehouse are on its node.
 *
 * @param nodes number of nodes that have warehouses
 * @param perNode number of warehouses of each node
 * @param locksEach number of locks of each warehouse
 */
record Warehouses(int nodes, int perNode, int locksEach) {
    static void check(int nodes, int warehouses, double scanRate) {
        if (nodes < 1 || warehouses < 1 || !(scanRate >= 0 && scanRate <= 1)) {
            throw new IllegalArgumentException("got " + nodes + " nodes, " + warehouses + " warehouses a node, and "
                    + scanRate + " scans, allowed: at least 1 of each, and scans from 0 to 1");
        }
    }

    /** Number of locks. */
    long locks() {
        return (long) nodes * perNode * locksEach;
    }

    /** A warehouse for a client of a node: one of the node's own or, if it has none, one of another node. */
    int home(int node, SplittableRandom random) {
        return random.nextInt(perNode) * nodes + node % nodes;
    }

    /** Another warehouse, if there is one. */
    int otherThan(int home, SplittableRandom random) {
        int all = nodes * perNode;
        return all == 1 ? home : (home + 1 + random.nextInt(all - 1)) % all;
    }

    /** The number of a warehouse's lock. */
    long lock(int warehouse, int ofWarehouse) {
        int node = warehouse % nodes;
        return ((long) (warehouse / nodes) * locksEach + ofWarehouse) * nodes + node;
    }
}
