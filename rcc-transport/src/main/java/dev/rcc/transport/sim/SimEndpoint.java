package dev.rcc.transport.sim;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker's way to its peers on a {@link SimNetwork}. */
final class SimEndpoint implements Endpoint {
    private static final Logger LOG = LoggerFactory.getLogger(SimEndpoint.class);

    private final SimNetwork network;
    private final SimFabric fabric;
    private final SimWorker worker;
    private final Memory buffers;
    private final RpcHandler[] handlers = new RpcHandler[MAX_RPC + 1];
    private final ArrayDeque<SimBatch> freeBatches = new ArrayDeque<>();
    /** The calls that were made here and have not come back. */
    private final List<SimCall> calls = new ArrayList<>();
    /** By peer: the turn in which the doorbell was last rung for messages to it. */
    private final long[] rungInTurn;

    SimEndpoint(SimNetwork network, SimFabric fabric, SimWorker worker, Memory buffers) {
        this.network = network;
        this.fabric = fabric;
        this.worker = worker;
        this.buffers = buffers;
        this.rungInTurn = new long[network.nodes()];
        Arrays.fill(rungInTurn, -1);
    }

    SimNetwork network() {
        return network;
    }

    SimFabric fabric() {
        return fabric;
    }

    SimWorker worker() {
        return worker;
    }

    Memory buffers() {
        return buffers;
    }

    @Override
    public Batch batch(int peer) {
        SimBatch batch = freeBatches.isEmpty() ? new SimBatch(this) : freeBatches.pop();
        return batch.start(peer);
    }

    /** Takes a batch back. */
    void recycle(SimBatch batch) {
        freeBatches.push(batch);
    }

    /** The peer's attachment, or null when it, or this node, is off the network. */
    SimFabric reach(int peer) {
        SimFabric target = network.reachable(peer);
        return fabric.isStopped() ? null : target;
    }

    @Override
    public void call(
            int peer,
            int rpcId,
            long requestOffset,
            int requestBytes,
            long replyOffset,
            int replyBytes,
            Completion completion) {
        checkRpc(rpcId);
        checkBuffer("request", requestOffset, requestBytes);
        checkBuffer("reply", replyOffset, replyBytes);
        SimFabric target = reach(peer);
        completion.add();
        SimCall call = new SimCall(this, peer, target, rpcId, completion, replyOffset, replyBytes);
        call.position = calls.size();
        calls.add(call);
        call.send(requestOffset, requestBytes);
    }

    /** A call has come back. */
    void forget(SimCall call) {
        SimCall last = calls.removeLast();
        if (last != call) {
            last.position = call.position;
            calls.set(call.position, last);
        }
    }

    /** Charges the worker for a message to a peer: it packs what it sends to one peer in one turn. */
    void chargeForMessage(int peer, long bytes) {
        CostModel costs = network.costs();
        worker.charge(costs.cpuRequestNanos() + costs.copyNanos(bytes));
        if (rungInTurn[peer] != worker.turns()) {
            rungInTurn[peer] = worker.turns();
            worker.charge(costs.cpuPostNanos());
        }
    }

    /** A node, perhaps this one, has stopped. */
    void peerStopped(SimFabric stopped) {
        for (SimCall call : calls) {
            call.stopped(stopped);
        }
    }

    @Override
    public void handle(int rpcId, RpcHandler handler) {
        checkRpc(rpcId);
        if (handlers[rpcId] != null) {
            throw new IllegalArgumentException("rpc id " + rpcId + " has a handler already");
        }
        handlers[rpcId] = handler;
    }

    /** Runs the handler of a call. An item of the worker. */
    void serve(SimCall call) {
        RpcHandler handler = handlers[call.rpcId()];
        if (handler == null) {
            LOG.error(
                    "node {} called rpc {} of node {}, which has no handler",
                    call.caller(),
                    call.rpcId(),
                    fabric.node());
            call.refuse();
            return;
        }
        try {
            handler.handle(call);
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "the handler of rpc {} failed, called by node {} on node {}",
                    call.rpcId(),
                    call.caller(),
                    fabric.node(),
                    e);
            call.refuse();
        }
        fabric.memoryChanged();
    }

    private static void checkRpc(int rpcId) {
        if (rpcId < 0 || rpcId > MAX_RPC) {
            throw new IllegalArgumentException("rpc id must be 0 to " + MAX_RPC + ", got " + rpcId);
        }
    }

    private void checkBuffer(String what, long offset, int bytes) {
        if ((offset & (Memory.WORD_BYTES - 1)) != 0 || offset < 0 || bytes < 0 || offset > buffers.size() - bytes) {
            throw new IllegalArgumentException("the " + what + " must start at a multiple of 8 and lie in the "
                    + buffers.size() + " bytes of the buffers, got offset " + offset + ", " + bytes + " bytes");
        }
    }
}
