package dev.rcc.server.recovery;

/** A node cannot replay what was logged at it, as one of its logs is not what coordinators have written. */
final class DamagedLog extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    DamagedLog(int node) {
        super("a log ring of node " + node + " is damaged");
    }
}
