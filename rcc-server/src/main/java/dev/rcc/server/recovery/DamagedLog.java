package dev.rcc.server.recovery;

/** A node cannot replay the entries logged at it, as one of its logs differs from the bytes that coordinators have written. */
final class DamagedLog extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    DamagedLog(int node) {
        super("a log ring of node " + node + " is damaged");
    }
}
