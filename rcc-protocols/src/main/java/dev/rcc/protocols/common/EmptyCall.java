package dev.rcc.protocols.common;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.core.worker.Completion;

/**
 * A call without items, for what its reply shows: a worker serves the calls of a peer's worker in their order, so a lost call was served before, or
 * never will be. A READ that succeeds does not show that, as it needs no worker of the peer. Used on one coroutine; allocates nothing.
 */
public final class EmptyCall {
    private final Endpoint endpoint;
    private final Memory buffers;
    private final Completion completion;
    private final int rpcId;
    private final long request;

    /** Creates the calls of the handler {@code rpcId} for {@code txn}'s coroutine. */
    public EmptyCall(WorkerSite site, Transaction txn, int rpcId) {
        this.endpoint = site.endpoint();
        this.buffers = site.buffers();
        this.completion = txn.completion();
        this.rpcId = rpcId;
        this.request = txn.buffer().keep(Calls.HEADER_BYTES);
    }

    /** Calls {@code node} with {@code headerWord} in the header, and waits; false if the node has not replied. */
    public boolean await(int node, long headerWord) {
        buffers.putLong(request, 0);
        buffers.putLong(request + Memory.WORD_BYTES, headerWord);
        endpoint.call(node, rpcId, request, Calls.HEADER_BYTES, request, 0, completion);
        return completion.await();
    }
}
