package dev.rcc.transport.verbs.darpc;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.PeerGates;
import dev.rcc.transport.RpcHandlers;
import dev.rcc.transport.verbs.rpc.RpcChannel;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jctools.queues.varhandle.MpscUnboundedVarHandleArrayQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A worker's calls by DaRPC. Belongs to that worker, except the connections and the inbox, which other threads fill. */
final class DarpcChannel implements RpcChannel {
    private static final Logger LOG = LoggerFactory.getLogger(DarpcChannel.class);

    private static final int REQUESTS_PER_POLL = 64;
    private static final int INBOX_CHUNK = 256;

    private final Worker worker;
    private final Memory buffers;
    private final RpcHandlers handlers;
    private final DarpcOptions options;
    private final PeerGates gates;
    private final LastLinks lastLinks;
    private final AtomicReferenceArray<DarpcConnection> connections;
    private final MpscUnboundedVarHandleArrayQueue<DarpcRequest> inbox =
            new MpscUnboundedVarHandleArrayQueue<>(INBOX_CHUNK);
    private final ArrayDeque<DarpcRequest> replies = new ArrayDeque<>();

    DarpcChannel(
            Worker worker, Memory buffers, RpcHandlers handlers, DarpcOptions options, int nodes, PeerGates gates) {
        this.worker = worker;
        this.buffers = buffers;
        this.handlers = handlers;
        this.options = options;
        this.gates = gates;
        this.lastLinks = new LastLinks(nodes);
        this.connections = new AtomicReferenceArray<>(nodes);
    }

    Worker worker() {
        return worker;
    }

    Memory buffers() {
        return buffers;
    }

    /** Lets the worker use another connection, or none, and returns the former one. Called on any thread. */
    DarpcConnection replace(int peer, DarpcConnection connection) {
        return connections.getAndSet(peer, connection);
    }

    /** A request came in. Called by DaRPC's thread. */
    void deliver(DarpcRequest request) {
        inbox.offer(request);
        worker.wakeUp();
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
        if (requestBytes > options.messageBytesMax()) {
            LOG.error(
                    "event=request_too_long bytes={} rpc={} peer={} allowed={}: for DaRPC, see darpc-message-bytes",
                    requestBytes,
                    rpcId,
                    peer,
                    options.messageBytesMax());
            completion.fail(peer);
            return;
        }
        DarpcConnection connection = connections.getAcquire(peer);
        if (connection == null) {
            completion.fail(peer);
            return;
        }
        connection.call(rpcId, requestOffset, requestBytes, replyOffset, replyBytes, completion);
    }

    @Override
    public int messageBytesMax() {
        return options.messageBytesMax();
    }

    @Override
    public int poll() {
        int work = 0;
        for (int peer = 0; peer < connections.length(); peer++) {
            DarpcConnection connection = connections.getAcquire(peer);
            if (connection != null) {
                work += connection.poll();
            }
        }
        int served = 0;
        while (served < REQUESTS_PER_POLL) {
            DarpcRequest request = inbox.poll();
            if (request == null) {
                break;
            }
            request.take(replies);
            if (lets(request)) {
                handlers.serve(request);
            } else {
                request.fail();
            }
            served++;
        }
        return work + served + sendReplies();
    }

    /** Whether the caller is one of the cluster's nodes, its incarnation is let in, and it still waits for the reply. */
    private boolean lets(DarpcRequest request) {
        int caller = request.caller();
        long incarnation = request.callersIncarnation();
        return caller >= 0
                && caller < connections.length()
                && gates.lets(caller, incarnation)
                && lastLinks.takes(caller, incarnation, request.link());
    }

    /** Sends the replies of this turn: after the handlers, so that DaRPC does not refill a request while they run. */
    private int sendReplies() {
        int sent = 0;
        for (DarpcRequest request = replies.pollFirst(); request != null; request = replies.pollFirst()) {
            request.transmit();
            sent++;
        }
        return sent;
    }

    @Override
    public void arm() {
        for (int peer = 0; peer < connections.length(); peer++) {
            DarpcConnection connection = connections.getAcquire(peer);
            if (connection != null) {
                connection.arm();
            }
        }
    }
}
