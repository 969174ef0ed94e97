package dev.rcc.transport.verbs;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Poller;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.WorkerCounters;
import dev.rcc.transport.verbs.ibv.CompletionQueue;
import dev.rcc.transport.verbs.ibv.Errno;
import dev.rcc.transport.verbs.ibv.MemoryRegion;
import dev.rcc.transport.verbs.ibv.SendWrs;
import dev.rcc.transport.verbs.ibv.WorkCompletions;
import dev.rcc.transport.verbs.rpc.RpcChannel;
import java.util.ArrayDeque;

/**
 * A worker's access to its peers: one completion queue for the queue pairs to all of them, which each of the worker's turns
 * polls. All of it belongs to that worker.
 */
final class VerbsEndpoint implements Endpoint, Poller {
    /** The most completions taken in a turn, so that coroutines get their turns. */
    private static final int COMPLETIONS_PER_POLL = 64;
    /** Turns of a busy worker between two checks for overdue completions; an idle worker checks each time before it sleeps. */
    private static final int LOOK_TURNS = 1 << 16;

    /** A WRITE up to this length carries its bytes inline, if the device can: one cache line, which most devices can. */
    static final int INLINE_BYTES = 64;

    private final VerbsFabric fabric;
    private final Worker worker;
    private final int workerIndex;
    private final Memory buffers;
    private final MemoryRegion region;
    private final int lkey;
    private final int messageBytesMax;
    private final CompletionQueue cq;
    private final SendWrs wrs;
    private final WorkCompletions completions = new WorkCompletions(COMPLETIONS_PER_POLL);
    private final RpcHandlers handlers;
    private final WorkerCounters counters = new WorkerCounters();
    /** By index, the connections that were posted to last. */
    private final Connection[] connections;
    /** By peer, the next of the connections to it. */
    private final int[] turns;

    private final ArrayDeque<VerbsBatch> freeBatches = new ArrayDeque<>();
    private RpcChannel rpc;

    /** The completions that the next poll gives: of empty batches, and of batches and calls to peers that are not connected. */
    private final ArrayDeque<Completion> early = new ArrayDeque<>();

    private final ArrayDeque<Integer> earlyPeers = new ArrayDeque<>();

    /** Counts turns down to the next check for overdue completions. */
    private int turnsToLook = LOOK_TURNS;

    /** Whether the next completion will wake the worker. Cleared when that event is taken. */
    private volatile boolean armed;

    VerbsEndpoint(
            VerbsFabric fabric,
            Worker worker,
            Memory buffers,
            MemoryRegion region,
            CompletionQueue cq,
            int nodes,
            int qpsPerPeer,
            int sendQueueDepth,
            int messageBytesMax) {
        this.fabric = fabric;
        this.worker = worker;
        this.workerIndex = worker.index();
        this.buffers = buffers;
        this.region = region;
        this.lkey = region.lkey();
        this.messageBytesMax = messageBytesMax;
        this.cq = cq;
        this.wrs = new SendWrs(sendQueueDepth, INLINE_BYTES);
        this.handlers = new RpcHandlers(fabric.node(), counters);
        this.connections = new Connection[nodes * qpsPerPeer];
        this.turns = new int[nodes];
    }

    WorkerCounters counters() {
        return counters;
    }

    Worker worker() {
        return worker;
    }

    CompletionQueue cq() {
        return cq;
    }

    SendWrs wrs() {
        return wrs;
    }

    int lkey() {
        return lkey;
    }

    MemoryRegion region() {
        return region;
    }

    Memory buffers() {
        return buffers;
    }

    RpcHandlers handlers() {
        return handlers;
    }

    void carryCallsBy(RpcChannel channel) {
        rpc = channel;
    }

    // One-sided.

    @Override
    public Batch batch(int peer) {
        fabric.checkPeer(peer);
        VerbsBatch batch = freeBatches.poll();
        return (batch == null ? new VerbsBatch(this, region, messageBytesMax) : batch).start(peer);
    }

    /** Returns a batch to the pool. */
    void recycle(VerbsBatch batch) {
        freeBatches.push(batch);
    }

    /** Posts a batch, which belongs to the endpoint from now on. */
    void post(VerbsBatch batch, Completion completion) {
        PeerLink link = fabric.link(batch.peer());
        Connection connection = link == null ? null : next(link);
        if (connection == null || connection.isClosed()) { // closed: broken, and the link is about to be dropped
            recycle(batch);
            completeEarly(completion, batch.peer());
            return;
        }
        try {
            batch.check(link.regions());
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            recycle(batch);
            throw e;
        }
        if (batch.size() == 0) {
            recycle(batch);
            completeEarly(completion, Completion.NO_PEER);
            return;
        }
        completion.add();
        batch.begin(link.regions(), completion);
        connections[connection.index()] = connection;
        refusedUnlessZero(connection, connection.post(batch));
    }

    /** A link has ended: fails its outstanding batches. */
    void abandon(PeerLink link) {
        for (Connection connection : link.connections(workerIndex)) {
            connection.abandon(this);
        }
    }

    /** The next connection to a peer: they are used in turns, one batch each. */
    private Connection next(PeerLink link) {
        Connection[] toPeer = link.connections(workerIndex);
        if (toPeer.length == 1) {
            return toPeer[0];
        }
        int turn = turns[link.peer()];
        turns[link.peer()] = turn + 1 == toPeer.length ? 0 : turn + 1;
        return toPeer[turn];
    }

    private void completeEarly(Completion completion, int failedPeer) {
        completion.add();
        early.add(completion);
        earlyPeers.add(failedPeer);
    }

    private int pollCompletions() {
        int count = cq.poll(completions);
        for (int i = 0; i < count; i++) {
            long wrId = completions.wrId(i);
            Connection connection = connections[Connection.index(wrId)];
            if (!connection.isOwn(wrId) || connection.isClosed()) {
                continue; // of an ended incarnation, whose outstanding batches have all failed
            }
            if (completions.isSuccess(i)) {
                refusedUnlessZero(connection, connection.completeOldest(this));
            } else {
                broken(
                        connection,
                        completions.status(i) + ", vendor error 0x" + Integer.toHexString(completions.vendorError(i)));
            }
        }
        return count;
    }

    private void refusedUnlessZero(Connection connection, int error) {
        if (error != 0) {
            broken(connection, "post_send: " + Errno.text(error));
        }
    }

    /**
     * A connection is broken, and with it its link. The worker's other connections of the link end at once: a request that succeeded on one of them
     * would be later than those that have failed here, of which some may still take effect.
     */
    private void broken(Connection connection, String reason) {
        abandon(connection.link());
        fabric.broken(connection.link(), workerIndex, reason);
    }

    // RPC.

    @Override
    public void call(
            int peer,
            int rpcId,
            long requestOffset,
            int requestBytes,
            long replyOffset,
            int replyBytes,
            Completion completion) {
        fabric.checkPeer(peer);
        RpcHandlers.checkCall(rpcId, buffers, requestOffset, requestBytes, replyOffset, replyBytes);
        counters.call();
        if (fabric.link(peer) == null) {
            completeEarly(completion, peer);
            return;
        }
        completion.add();
        rpc.call(peer, rpcId, requestOffset, requestBytes, replyOffset, replyBytes, completion);
    }

    @Override
    public int maxCallBytes() {
        return rpc.messageBytesMax();
    }

    @Override
    public void handle(int rpcId, RpcHandler handler) {
        handlers.register(rpcId, handler);
    }

    // The worker's turns.

    @Override
    public int poll() {
        int work = early.size();
        for (int i = 0; i < work; i++) {
            Completion completion = early.remove();
            int failed = earlyPeers.remove();
            if (failed == Completion.NO_PEER) {
                completion.succeed();
            } else {
                completion.fail(failed);
            }
        }
        if (fabric.isClosed()) {
            return work;
        }
        work += pollCompletions();
        if (--turnsToLook == 0) {
            endWhatIsOverdue();
        }
        return work + rpc.poll();
    }

    /** Ends connections with overdue completions: if the device loses one, a coroutine would wait for ever. */
    private void endWhatIsOverdue() {
        turnsToLook = LOOK_TURNS;
        pollCompletions(); // the process may have been stopped since the last poll
        long nowNanos = worker.nanoTime();
        for (Connection connection : connections) {
            if (connection != null && connection.isOverdue(nowNanos)) {
                broken(connection, "the device has not completed a request for longer than its retries take");
            }
        }
    }

    @Override
    public void arm() {
        if (fabric.isClosed()) {
            return;
        }
        endWhatIsOverdue();
        if (!armed) {
            armed = true; // before the request: its event may come before it returns
            cq.requestNotify();
        }
        rpc.arm();
    }

    /** A completion event of this worker has come. Called on the thread that takes events. */
    void wakeUp() {
        armed = false;
        worker.wakeUp();
    }
}
