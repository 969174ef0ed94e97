package dev.rcc.server;

/** A node cannot replay what was logged at it, as one of its log rings is not what coordinators have written. */
final class DamagedRing extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    DamagedRing(int node) {
        super("a log ring of node " + node + " is damaged");
    }
}
