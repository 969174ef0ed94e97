package dev.rcc.bench.workload;

/**
 * Where one of a workload's clients is: there are as many on each node, the first ones on node 0, and those that are left over on the last.
 *
 * @param node the client's node
 * @param number the client's number among those of its node, from 0; those that are left over begin anew
 */
public record ClientPlace(int node, int number) {
    /** The place of a client, from 0, of {@code count} on {@code nodes} nodes. */
    public static ClientPlace of(int client, int count, int nodes) {
        int clientsOfNode = Math.max(1, count / nodes);
        return new ClientPlace(Math.min(nodes - 1, client / clientsOfNode), client % clientsOfNode);
    }
}
