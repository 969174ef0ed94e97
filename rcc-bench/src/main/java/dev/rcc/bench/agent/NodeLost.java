package dev.rcc.bench.agent;

/**
 * A node does not answer its driver, or has closed a connection to it. The message is written for users: it names the node, and says whether its
 * process has ended.
 */
public final class NodeLost extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    NodeLost(String message, Throwable cause) {
        super(message, cause);
    }
}
