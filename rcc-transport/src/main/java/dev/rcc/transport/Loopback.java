package dev.rcc.transport;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Prefetch;
import dev.rcc.core.worker.Completion;
import java.util.ArrayDeque;
import java.util.function.Supplier;

/**
 * A worker's batches and calls to its own node, for a network whose connections lead to other nodes only. Request and reply are not
 * copied. A coroutine's batch or call completes before the post returns, so the coroutine need not wait. A handler's or a poller's batch
 * or call completes at the next poll, as they do not expect it earlier. Belongs to its worker.
 *
 * <p>A network on which a node is a peer of itself, or on which every request takes modelled time, does not use the loopback: there a
 * request to the own node takes as long as a request to a peer, and overlaps with it. {@link
 * dev.rcc.core.fabric.Endpoint#completesAtOnce} returns which of the two an endpoint does.
 */
public final class Loopback {
    /**
     * The most operations that complete at once in a turn: with more, a coroutine whose data are all local would hold up the others.
     */
    private static final int AT_ONCE_MAX = 32;

    private final int node;
    private final Memory buffers;
    private final Supplier<Memory[]> regions;
    private final RpcHandlers handlers;
    private final WorkerCounters counters;
    private final PolledCompletions completions;
    private final Prefetch prefetch = new Prefetch();
    private final ArrayDeque<OwnCall> calls = new ArrayDeque<>();
    private final ArrayDeque<OwnCall> freeCalls = new ArrayDeque<>();
    private final ArrayDeque<OwnBatch> freeBatches = new ArrayDeque<>();
    private int atOnce;
    private boolean serving;

    /**
     * The loopback of one worker.
     *
     * @param buffers the memory that local offsets refer to
     * @param regions gives the node's memory by region id, or null once the node has left the network
     * @param completions takes the completions that are not given at once; drained by the worker's poll
     */
    public Loopback(
            int node,
            Memory buffers,
            Supplier<Memory[]> regions,
            RpcHandlers handlers,
            WorkerCounters counters,
            PolledCompletions completions) {
        this.node = node;
        this.buffers = buffers;
        this.regions = regions;
        this.handlers = handlers;
        this.counters = counters;
        this.completions = completions;
    }

    /** Starts a doorbell batch. */
    public Batch batch() {
        OwnBatch batch = freeBatches.poll();
        return (batch == null ? new OwnBatch() : batch).start();
    }

    /** Calls a handler, with arguments that {@link RpcHandlers#checkCall} has checked. */
    public void call(
            int rpcId, long requestOffset, int requestBytes, long replyOffset, int replyBytes, Completion completion) {
        completion.add();
        if (regions.get() == null) {
            completions.add(completion, node);
            return;
        }
        OwnCall call = freeCalls.poll();
        if (call == null) {
            call = new OwnCall();
        }
        call.start(rpcId, requestOffset, requestBytes, replyOffset, replyBytes, completion);
        if (!serving && takesAtOnce()) {
            serving = true;
            call.serveAtOnce();
            serving = false;
        } else {
            calls.add(call);
        }
    }

    /** Begins a turn: serves the waiting calls and returns their number. */
    public int poll() {
        atOnce = 0;
        int count = calls.size();
        for (int i = 0; i < count; i++) {
            handlers.serve(calls.remove());
        }
        return count;
    }

    private boolean takesAtOnce() {
        boolean takes = atOnce < AT_ONCE_MAX && Thread.currentThread().isVirtual();
        atOnce += takes ? 1 : 0;
        return takes;
    }

    private final class OwnCall extends ServedCall {
        private Completion completion;
        private boolean isAtOnce;

        void start(int handler, long request, int bytesOfRequest, long reply, int bytesOfReply, Completion waiting) {
            setRequest(node, handler, buffers, request, bytesOfRequest);
            setResponse(buffers, reply, bytesOfReply);
            completion = waiting;
            begin();
        }

        /** Has the handler serve the call now; if the handler replies later, the call completes later. */
        void serveAtOnce() {
            isAtOnce = true;
            handlers.serve(this);
            isAtOnce = false;
        }

        @Override
        protected void sendReply(int bytes) {
            finish(Completion.NO_PEER);
        }

        @Override
        protected void sendFailure() {
            finish(node);
        }

        private void finish(int failedPeer) {
            Completion waiting = completion;
            completion = null;
            if (!isAtOnce) {
                completions.add(waiting, failedPeer);
            } else if (failedPeer == Completion.NO_PEER) {
                waiting.succeed();
            } else {
                waiting.fail(failedPeer);
            }
            freeCalls.push(this);
        }
    }

    private final class OwnBatch extends DirectBatch {
        OwnBatch() {
            super(buffers, counters);
        }

        /** Takes the batch out of the pool. */
        OwnBatch start() {
            open(node);
            return this;
        }

        @Override
        public void post(Completion completion) {
            boolean reached = carryOutNow(prefetch);
            completion.add();
            if (reached && takesAtOnce()) {
                completion.succeed();
            } else {
                completions.add(completion, reached ? Completion.NO_PEER : node);
            }
        }

        @Override
        protected Memory[] reach() {
            return regions.get();
        }

        @Override
        protected void recycle() {
            freeBatches.push(this);
        }
    }
}
