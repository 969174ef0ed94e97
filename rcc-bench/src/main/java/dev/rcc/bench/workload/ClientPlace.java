package dev.rcc.bench.workload;

/**
 * The node of one of a workload's clients. All nodes have the same number of clients, the first clients on node 0. Clients that are left over
 * are on the last node.
 *
 * @param node the client's node
 * @param number the client's number among the clients of its node, from 0; clients that are left over count anew
 */
public record ClientPlace(int node, int number) {
    /** The place of a client, from 0, of {@code count} on {@code nodes} nodes. */
    public static ClientPlace of(int client, int count, int nodes) {
        int clientsOfNode = Math.max(1, count / nodes);
        return new ClientPlace(Math.min(nodes - 1, client / clientsOfNode), client % clientsOfNode);
    }
}
