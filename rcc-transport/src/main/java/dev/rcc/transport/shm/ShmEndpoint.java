package dev.rcc.transport.shm;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Poller;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.PolledCompletions;
import dev.rcc.transport.PostedBatches;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.WorkerCounters;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A worker's access to its peers. All of it belongs to that worker.
 *
 * <p>A message is written to its ring at once; the next {@link #poll} publishes it, with all other messages of the turn. A message that
 * finds no room waits in its link; no thread blocks.
 *
 * <p>When a connection goes down, a task on this worker fails its calls and releases its rings. A call either is made before that
 * task, which then fails it, or is made later and finds no connection. Late replies stay unread in the rings of the connection that
 * they belong to, so they are never taken for replies to later calls.
 */
final class ShmEndpoint implements Endpoint, Poller {
    /** Messages received in one poll, so that a flood of requests leaves turns for the coroutines. */
    private static final int MESSAGES_PER_POLL = 256;

    private static final int INITIAL_POOL = 16;

    private final ShmFabric fabric;
    private final Worker worker;
    private final int workerIndex;
    private final Memory buffers;
    private final int maxPayloadBytes;
    private final RpcHandlers handlers;
    private final WorkerCounters counters = new WorkerCounters();
    private final PolledCompletions completions = new PolledCompletions();
    private final PostedBatches posted = new PostedBatches(completions);

    private ShmBatch[] freeBatches = new ShmBatch[INITIAL_POOL];
    private int freeBatchCount;

    /** Every call that was ever made, by slot. */
    private ShmCall[] calls = new ShmCall[INITIAL_POOL];

    private int callCount;
    private ShmCall[] freeCalls = new ShmCall[INITIAL_POOL];
    private int freeCallCount;
    private ShmRequest[] freeRequests = new ShmRequest[INITIAL_POOL];
    private int freeRequestCount;

    /** The links to read from: of all connections, the links that end at this worker. */
    private ShmLink[] links = {};

    private int nextLink;
    /** The workers of all peers that are connected. */
    private int neighbours;
    /** The links with something to publish. */
    private ShmLink[] dirty = new ShmLink[INITIAL_POOL];

    private int dirtyCount;

    /** Whether the worker has announced to its peers that it sleeps. */
    private boolean armed;

    private boolean lastLook;

    ShmEndpoint(ShmFabric fabric, Worker worker, Memory buffers, int maxPayloadBytes) {
        this.fabric = fabric;
        this.worker = worker;
        this.workerIndex = worker.index();
        this.buffers = buffers;
        this.maxPayloadBytes = maxPayloadBytes;
        this.handlers = new RpcHandlers(fabric.node(), counters);
    }

    WorkerCounters counters() {
        return counters;
    }

    Worker worker() {
        return worker;
    }

    /** Objects that exist, for tests of the pools. */
    int objectsMade() {
        return callCount + freeBatchCount + freeRequestCount;
    }

    // One-sided.

    @Override
    public Batch batch(int peer) {
        ShmBatch batch = freeBatchCount > 0 ? freeBatches[--freeBatchCount] : new ShmBatch(this, buffers);
        return batch.start(peer);
    }

    /** The connection to a peer, or null when there is none. */
    ShmConnection reach(int peer) {
        return fabric.connection(peer);
    }

    /** Returns a batch to the pool. */
    void recycle(ShmBatch batch) {
        if (freeBatchCount == freeBatches.length) {
            freeBatches = Arrays.copyOf(freeBatches, freeBatchCount * 2);
        }
        freeBatches[freeBatchCount++] = batch;
    }

    /** The batches that the next poll carries out. */
    PostedBatches posted() {
        return posted;
    }

    // RPC, the caller's side.

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException also when the request or the reply is longer than the rings allow
     */
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
        if (requestBytes > maxPayloadBytes || replyBytes > maxPayloadBytes) {
            throw new IllegalArgumentException("a request or a reply has at most " + maxPayloadBytes + " bytes, got "
                    + requestBytes + " and " + replyBytes + ": make ringBytes larger");
        }
        ShmConnection connection = reach(peer);
        completion.add();
        if (connection == null) {
            completions.add(completion, peer);
            return;
        }
        ShmLink link = connection.link(workerIndex);
        ShmCall call = freeCallCount > 0 ? freeCalls[--freeCallCount] : newCall();
        call.start(link, rpcId, completion);
        call.place(requestOffset, requestBytes, replyOffset, replyBytes);
        send(link, call);
    }

    private ShmCall newCall() {
        if (callCount == calls.length) {
            calls = Arrays.copyOf(calls, callCount * 2);
            freeCalls = Arrays.copyOf(freeCalls, callCount * 2);
        }
        ShmCall call = new ShmCall(callCount, buffers);
        calls[callCount++] = call;
        return call;
    }

    /** Ends a call with its reply. */
    private void finish(ShmLink link, ShmRingReader reader) {
        long name = reader.call();
        int slot = ShmCall.slot(name);
        if (slot < 0 || slot >= callCount || calls[slot].link() != link || calls[slot].name() != name) {
            throw new CorruptRing("a reply to call " + Long.toHexString(name) + ", which is not outstanding there");
        }
        ShmCall call = calls[slot];
        boolean succeeded = reader.kind() == ShmRingLayout.REPLY;
        if (succeeded) {
            if (reader.payloadBytes() > call.replyBytes()) {
                throw new CorruptRing(
                        "a reply of " + reader.payloadBytes() + " bytes, where " + call.replyBytes() + " have room");
            }
            reader.copyPayload(buffers, call.replyOffset());
        }
        end(call, succeeded);
    }

    private void end(ShmCall call, boolean succeeded) {
        int peer = call.link().peer();
        Completion completion = call.end();
        freeCalls[freeCallCount++] = call;
        if (succeeded) {
            completion.succeed();
        } else {
            completion.fail(peer);
        }
    }

    // RPC, the server's side.

    @Override
    public int maxCallBytes() {
        return maxPayloadBytes;
    }

    @Override
    public void handle(int rpcId, RpcHandler handler) {
        handlers.register(rpcId, handler);
    }

    private void serve(ShmLink link, ShmRingReader reader) {
        if (reader.room() < 0 || reader.room() > maxPayloadBytes) {
            throw new CorruptRing(
                    "a request with room for a reply of " + reader.room() + " bytes, of at most " + maxPayloadBytes);
        }
        link.serving();
        ShmRequest request = freeRequestCount > 0 ? freeRequests[--freeRequestCount] : new ShmRequest(this);
        request.receive(link, reader);
        handlers.serve(request);
    }

    /** Returns a request to the pool. */
    void recycle(ShmRequest request) {
        if (freeRequestCount == freeRequests.length) {
            freeRequests = Arrays.copyOf(freeRequests, freeRequestCount * 2);
        }
        freeRequests[freeRequestCount++] = request;
    }

    /** Memory for requests, as long as the fabric lives. */
    Memory allocate(int bytes) {
        return fabric.allocate(bytes);
    }

    // Both sides: sending and receiving.

    /** Sends a message, or has it wait for room. */
    void send(ShmLink link, ShmMessage message) {
        if (link.isClosed()) {
            message.drop();
            return;
        }
        try {
            if (link.send(message)) {
                if (dirtyCount == dirty.length) {
                    dirty = Arrays.copyOf(dirty, dirtyCount * 2);
                }
                dirty[dirtyCount++] = link;
            }
        } catch (CorruptRing e) {
            message.drop();
            fabric.cutOff(link.connection(), e);
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>Never 0 while messages wait for room, as no event reports when a full ring has room again. With no other work it then
     * yields the processor, which the reader of that ring is likely to need on a crowded machine.
     */
    @Override
    @SuppressWarnings("ThreadPriorityCheck") // only a hint is wanted
    public int poll() {
        int work = posted.carryOut() + completions.drain();
        if (fabric.isClosed()) {
            return work;
        }
        if (armed && !lastLook) {
            armed = false;
            fabric.doorbell().announceAwake(workerIndex);
        }
        lastLook = false;
        work += flush();
        work += receive();
        work += flush();
        if (work == 0 && dirtyCount > 0) {
            Thread.yield();
        }
        return work + dirtyCount;
    }

    /** Announces that peers must ring from now on; the last look follows, after the fence that announcing makes. */
    @Override
    public void arm() {
        if (!fabric.isClosed()) {
            armed = true;
            lastLook = true;
            fabric.doorbell().announceSleep(workerIndex);
        }
    }

    @Override
    public int neighbours() {
        return neighbours;
    }

    private int flush() {
        int count = dirtyCount;
        int published = 0;
        for (int i = 0; i < count; i++) {
            ShmLink link = dirty[i];
            if (!link.isClosed()) {
                try {
                    published += link.flush() ? 1 : 0;
                } catch (CorruptRing e) {
                    fabric.cutOff(link.connection(), e);
                }
            }
        }
        if (published > 0) {
            VarHandle.fullFence(); // a worker going to sleep sees the messages, or ring() sees it asleep
        }
        int kept = 0;
        for (int i = 0; i < count; i++) {
            ShmLink link = dirty[i];
            dirty[i] = null;
            if (!link.isClosed()) {
                link.ring();
                if (link.isWaiting()) {
                    dirty[kept++] = link;
                }
            }
        }
        dirtyCount = kept;
        return published;
    }

    /** Reads from one ring after the other, beginning where the last poll stopped. */
    private int receive() {
        int count = 0;
        int ofLinks = links.length;
        for (int i = 0; i < ofLinks && count < MESSAGES_PER_POLL; i++) {
            if (nextLink >= ofLinks) {
                nextLink = 0;
            }
            ShmLink link = links[nextLink++];
            if (!link.isClosed()) {
                try {
                    count += receive(link, MESSAGES_PER_POLL - count);
                } catch (CorruptRing e) {
                    fabric.cutOff(link.connection(), e);
                }
            }
        }
        return count;
    }

    private int receive(ShmLink link, int limit) {
        ShmRingReader reader = link.reader();
        int count = 0;
        while (count < limit && !link.isClosed() && reader.next()) { // may close at any time, if the peer is cut off
            if (reader.kind() == ShmRingLayout.REQUEST) {
                serve(link, reader);
            } else {
                finish(link, reader);
            }
            count++;
        }
        reader.release();
        return count;
    }

    // Connections that begin and end, each by a task on the worker.

    /** Begins to read a connection's rings. */
    void adopt(ShmConnection connection) {
        ShmLink[] all = connection.links();
        int workers = fabric.workers();
        for (int link = workerIndex; link < all.length; link += workers) {
            links = Arrays.copyOf(links, links.length + 1);
            links[links.length - 1] = all[link];
        }
        neighbours += workersThere(connection);
    }

    /** The workers at the other end of a connection; none at that of the node to itself. */
    private int workersThere(ShmConnection connection) {
        return connection.peer() == fabric.node() ? 0 : connection.peerWorkers();
    }

    /** Fails the outstanding calls of a connection and releases it. */
    void abandon(ShmConnection connection) {
        ShmLink[] kept = new ShmLink[links.length];
        int count = 0;
        for (ShmLink link : links) {
            if (link.connection() == connection) {
                link.close();
            } else {
                kept[count++] = link;
            }
        }
        if (count < links.length) { // otherwise it was never adopted
            neighbours -= workersThere(connection);
        }
        links = Arrays.copyOf(kept, count);
        for (int slot = 0; slot < callCount; slot++) {
            ShmCall call = calls[slot];
            if (call.link() != null && call.link().connection() == connection) {
                end(call, false);
            }
        }
        posted.forgetPrefetch();
        connection.release();
    }
}
