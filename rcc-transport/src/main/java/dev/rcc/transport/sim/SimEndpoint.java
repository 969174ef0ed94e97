package dev.rcc.transport.sim;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.WorkerCounters;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A worker's access to its peers on a {@link SimNetwork}. */
final class SimEndpoint implements Endpoint {
    private final SimNetwork network;
    private final SimFabric fabric;
    private final SimWorker worker;
    private final Memory buffers;
    private final RpcHandlers handlers;
    private final WorkerCounters counters = new WorkerCounters();
    private final ArrayDeque<SimBatch> freeBatches = new ArrayDeque<>();
    private final ArrayDeque<SimOwnBatch> freeOwnBatches = new ArrayDeque<>();
    /** The batches that were posted here and have not completed. */
    private final List<SimBatch> batches = new ArrayList<>();
    /** The calls that were made here and have not completed. */
    private final List<SimCall> calls = new ArrayList<>();
    /** The calls that have failed and are to be served by their peers. */
    private final List<SimCall> lateCalls = new ArrayList<>();
    /** By peer: the turn in which the doorbell was last rung for messages to it. */
    private final long[] rungInTurn;
    /** The own node, if requests to it loop back; else null. */
    private final OwnNode ownNode;
    /** The queue pairs by peer. */
    private final SimQueuePair[] queuePairs;

    SimEndpoint(SimNetwork network, SimFabric fabric, SimWorker worker, Memory buffers) {
        this.network = network;
        this.fabric = fabric;
        this.handlers = new RpcHandlers(fabric.node(), counters);
        this.worker = worker;
        this.buffers = buffers;
        this.rungInTurn = new long[network.nodes()];
        Arrays.fill(rungInTurn, -1);
        this.queuePairs = new SimQueuePair[network.nodes()];
        Arrays.setAll(queuePairs, peer -> new SimQueuePair(network.costs().nic().qpReadsMax()));
        if (network.options().loopsBack()) {
            long memoryNanos = network.costs().cpu().memoryNanos();
            this.ownNode = new OwnNode(fabric, worker, buffers, handlers, counters, memoryNanos);
            worker.addPoller(ownNode::poll);
        } else {
            this.ownNode = null;
        }
    }

    WorkerCounters counters() {
        return counters;
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
        if (completesAtOnce(peer)) {
            return ownNode.batch();
        }
        if (reachesByItself(peer)) {
            SimOwnBatch own = freeOwnBatches.isEmpty() ? new SimOwnBatch(this) : freeOwnBatches.pop();
            return own.start();
        }
        SimBatch batch = freeBatches.isEmpty() ? new SimBatch(this) : freeBatches.pop();
        return batch.start(peer);
    }

    /** Returns a batch to the pool. */
    void recycle(SimBatch batch) {
        freeBatches.push(batch);
    }

    /** Returns a batch to the pool. */
    void recycle(SimOwnBatch batch) {
        freeOwnBatches.push(batch);
    }

    /** Whether a node is this node, and requests to it do not pass the NIC. */
    boolean reachesByItself(int peer) {
        return peer == fabric.node() && network.costs().cpu().reachesOwnNode();
    }

    /** Refuses a batch, before it is posted, if a batch under way changes the same cache line. */
    void checkOrder(SimBatch batch, Completion completion) {
        for (SimBatch each : batches) {
            each.checkOrder(batch, completion);
        }
    }

    /** A batch was posted. */
    void underWay(SimBatch batch) {
        batch.position = batches.size();
        batches.add(batch);
    }

    /** The reliable connection to a peer. */
    SimQueuePair queuePair(int peer) {
        return queuePairs[peer];
    }

    /** A batch has completed. */
    void arrived(SimBatch batch) {
        SimBatch last = batches.removeLast();
        if (last != batch) {
            last.position = batch.position;
            batches.set(batch.position, last);
        }
        recycle(batch);
    }

    /** The peer's attachment, or null when the peer or this node is not on the network, or this node does not let the peer in. */
    SimFabric reach(int peer) {
        return fabric.reach(peer);
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
        RpcHandlers.checkCall(rpcId, buffers, requestOffset, requestBytes, replyOffset, replyBytes);
        counters.call();
        if (completesAtOnce(peer)) {
            ownNode.call(rpcId, requestOffset, requestBytes, replyOffset, replyBytes, completion);
            return;
        }
        SimFabric target = reach(peer);
        completion.add();
        SimCall call = new SimCall(this, peer, target, rpcId, completion, replyOffset, replyBytes);
        call.position = calls.size();
        calls.add(call);
        call.send(requestOffset, requestBytes);
    }

    @Override
    public boolean completesAtOnce(int peer) {
        return ownNode != null && peer == fabric.node();
    }

    /** A call has completed. */
    void forget(SimCall call) {
        SimCall last = calls.removeLast();
        if (last != call) {
            last.position = call.position;
            calls.set(call.position, last);
        }
    }

    /** A call has failed, and its peer is to serve it later. */
    void late(SimCall call) {
        lateCalls.add(call);
    }

    /** Has a peer serve the calls that are late there: no later call is served before them. */
    void serveLate(int peer) {
        if (lateCalls.isEmpty()) {
            return;
        }
        List<SimCall> served =
                lateCalls.stream().filter(call -> call.peer() == peer).toList();
        lateCalls.removeAll(served);
        served.forEach(SimCall::serve);
    }

    /** Charges the worker for a message to a peer: it rings the doorbell once for all messages to one peer in one turn. */
    void chargeForMessage(int peer, long bytes) {
        CostModel costs = network.costs();
        worker.charge(costs.cpu().requestNanos() + costs.cpu().copyNanos(bytes));
        if (reachesByItself(peer)) {
            return;
        }
        if (rungInTurn[peer] != worker.turns()) {
            rungInTurn[peer] = worker.turns();
            worker.charge(costs.cpu().postNanos());
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
        handlers.register(rpcId, handler);
    }

    /** Runs the handler of a call, as an item of the worker. */
    void serve(SimCall call) {
        handlers.serve(call);
        fabric.memoryChanged();
    }
}
