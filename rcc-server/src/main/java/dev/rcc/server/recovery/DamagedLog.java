package dev.rcc.server.recovery;

/** A node cannot replay what was logged at it, as one of its logs is not what coordinators have written. */
public final class DamagedLog extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    public DamagedLog(int node) {
        super("a log ring of node " + node + " is damaged");
    }
}
