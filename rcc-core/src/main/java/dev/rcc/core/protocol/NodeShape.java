package dev.rcc.core.protocol;

/**
 * The dimensions that all nodes of a cluster have in common: from them every node computes offsets on any other node.
 *
 * @param nodes number of nodes
 * @param workers workers of each node
 * @param coroutines coroutines of each worker, without its service coroutine
 * @param bufferBytes bytes of each coroutine's buffer
 */
public record NodeShape(int nodes, int workers, int coroutines, int bufferBytes) {
    /** Number of a node's coroutines that run transactions; they are numbered from 0, worker after worker. */
    public int transactionCoroutines() {
        return workers * coroutines;
    }

    /** Where the bytes that the protocol shares start in the buffers region: behind the buffers of all coroutines. */
    public long sharedOffset() {
        return (long) workers * (coroutines + 1) * bufferBytes;
    }
}
