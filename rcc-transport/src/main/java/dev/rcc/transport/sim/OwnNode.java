package dev.rcc.transport.sim;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.Loopback;
import dev.rcc.transport.PolledCompletions;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.WorkerCounters;

/** A worker's own node as on a network of sockets: the worker carries out requests to it by the {@link Loopback}, in its own time. */
final class OwnNode {
    private final SimFabric fabric;
    private final SimWorker worker;
    private final long memoryNanos;
    private final PolledCompletions completions = new PolledCompletions();
    private final Loopback loopback;

    /** The own node of an endpoint; the worker has to call {@link #poll}. */
    OwnNode(
            SimFabric fabric,
            SimWorker worker,
            Memory buffers,
            RpcHandlers handlers,
            WorkerCounters counters,
            long memoryNanos) {
        this.fabric = fabric;
        this.worker = worker;
        this.memoryNanos = memoryNanos;
        this.loopback = new Loopback(fabric.node(), buffers, this::reach, handlers, counters, completions);
    }

    Batch batch() {
        return loopback.batch();
    }

    void call(int rpcId, long requestOffset, int requestBytes, long replyOffset, int replyBytes, Completion waiting) {
        loopback.call(rpcId, requestOffset, requestBytes, replyOffset, replyBytes, waiting);
    }

    /** Serves the calls and delivers the completions that wait for the worker's next turn; returns their number. */
    int poll() {
        return loopback.poll() + completions.drain();
    }

    /**
     * The node's memory, for a request that may change it; null once the node has left the network. The request of a coroutine takes effect when
     * the events before the coroutine's own time have happened.
     */
    private Memory[] reach() {
        worker.compute(memoryNanos);
        if (fabric.isStopped()) {
            return null;
        }
        fabric.memoryChanged();
        return fabric.regions();
    }
}
