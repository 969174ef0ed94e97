package dev.rcc.transport.verbs.darpc;

import com.ibm.darpc.DaRPCClientEndpoint;
import com.ibm.darpc.DaRPCStream;
import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.SVCReqNotify;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Worker;
import dev.rcc.transport.verbs.rpc.RpcSetting;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A worker's connection to a peer, for the calls that it makes. Used on the worker, except {@link #close} and the thread that
 * waits for the completion queue's events while the worker sleeps.
 */
final class DarpcConnection {
    private static final Logger LOG = LoggerFactory.getLogger(DarpcConnection.class);

    /** The longest wait for an event, after which the thread checks whether it must end. */
    private static final int EVENT_MILLIS = 200;
    /** The time between two checks whether the connection is still there, while replies are outstanding. */
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final int peer;
    private final int link;
    private final Worker worker;
    private final long ownIncarnation;
    private final DarpcOptions options;
    private final RpcSetting.WhenBroken whenBroken;
    private final Memory buffers;
    private final DaRPCClientEndpoint<DarpcMessage, DarpcMessage> endpoint;
    private final DaRPCStream<DarpcMessage, DarpcMessage> stream;
    private final IbvCQ queue;
    private final SVCReqNotify armQueue;
    private final Thread events;

    private final ArrayDeque<DarpcCall> free = new ArrayDeque<>();
    private final ArrayDeque<DarpcCall> waiting = new ArrayDeque<>();
    private final ArrayDeque<DarpcCall> replied = new ArrayDeque<>();
    private final List<DarpcCall> underWay = new ArrayList<>();
    private long nextCheckNanos;
    private boolean broken;
    private volatile boolean closed;

    /**
     * Takes a connected endpoint.
     *
     * @param link the number of the link that it belongs to
     * @param whenBroken called once if it breaks by itself
     */
    DarpcConnection(
            int peer,
            int link,
            Worker worker,
            long ownIncarnation,
            Memory buffers,
            DarpcOptions options,
            RpcSetting.WhenBroken whenBroken,
            DaRPCClientEndpoint<DarpcMessage, DarpcMessage> endpoint)
            throws IOException {
        this.peer = peer;
        this.link = link;
        this.worker = worker;
        this.ownIncarnation = ownIncarnation;
        this.buffers = buffers;
        this.options = options;
        this.whenBroken = whenBroken;
        this.endpoint = endpoint;
        this.stream = endpoint.createStream();
        this.queue = endpoint.getCqProvider().getCQ();
        this.armQueue = queue.reqNotification(false);
        this.events = new Thread(
                this::awaitEvents, "rcc-node" + worker.node() + "-worker" + worker.index() + "-darpc-node" + peer);
        events.setDaemon(true);
        events.start();
    }

    int peer() {
        return peer;
    }

    int link() {
        return link;
    }

    int ownNode() {
        return worker.node();
    }

    long ownIncarnation() {
        return ownIncarnation;
    }

    int ownWorker() {
        return worker.index();
    }

    /** Makes a call, now or, if too many are under way, later. */
    void call(
            int rpcId, long requestOffset, int requestBytes, long replyOffset, int replyBytes, Completion completion) {
        if (broken) {
            completion.fail(peer);
            return;
        }
        DarpcCall call = free.pollLast();
        if (call == null) {
            call = new DarpcCall(this, buffers, options.messageBytesMax());
        }
        call.start(rpcId, requestOffset, requestBytes, replyOffset, replyBytes, completion);
        waiting.addLast(call);
        send();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // DaRPC calls replied() when the reply has come
    private void send() {
        while (underWay.size() < options.callsPerPeer() && !waiting.isEmpty()) {
            DarpcCall call = waiting.pollFirst();
            underWay.add(call);
            try {
                stream.request(call.request(), call.reply(), false);
            } catch (IOException e) {
                breaks(e.getMessage());
                return;
            }
        }
    }

    /** A reply has come. Called by DaRPC while this connection polls it. */
    void replied(DarpcCall call) {
        replied.addLast(call);
    }

    /** Takes replies. Returns their number, or 1 if the connection breaks. */
    int poll() {
        if (broken || underWay.isEmpty()) {
            return 0;
        }
        try {
            endpoint.pollOnce();
        } catch (IOException e) {
            complete();
            breaks(e.getMessage());
            return 1;
        }
        int count = complete();
        if (count > 0) {
            send();
        } else if (worker.nanoTime() - nextCheckNanos >= 0) {
            nextCheckNanos = worker.nanoTime() + CHECK_NANOS;
            if (!endpoint.isConnected()) {
                breaks("the peer has closed the connection");
            }
        }
        return count;
    }

    private int complete() {
        int count = 0;
        for (DarpcCall call = replied.pollFirst(); call != null; call = replied.pollFirst()) {
            underWay.remove(call);
            call.complete();
            free.addLast(call);
            count++;
        }
        return count;
    }

    /** Asks for an event with the next reply, as the worker is about to sleep. */
    void arm() {
        if (!broken && !underWay.isEmpty()) {
            try {
                armQueue.execute();
            } catch (IOException e) {
                breaks(e.getMessage());
            }
        }
    }

    private void breaks(String reason) {
        boolean isNew = !broken && !closed;
        fail();
        if (isNew) {
            whenBroken.broken(peer, link, ownWorker(), reason);
        }
    }

    /** Fails all outstanding and later calls. DaRPC is not polled any more, so no reply can come late. */
    void fail() {
        broken = true;
        complete();
        for (DarpcCall call : underWay) {
            call.fail();
        }
        underWay.clear();
        for (DarpcCall call : waiting) {
            call.fail();
        }
        waiting.clear();
    }

    private void awaitEvents() {
        while (!closed) {
            try {
                if (queue.getChannel().getCqEvent(queue, EVENT_MILLIS)) {
                    worker.wakeUp();
                }
            } catch (IOException e) {
                if (!closed) {
                    LOG.warn("event=connection_events_ended node={} peer={}: {}", ownNode(), peer, e.getMessage());
                }
                return;
            }
        }
    }

    /** Closes the connection; takes up to a second. Called on any thread but the worker, which detects it if it still uses the connection. */
    void close() {
        closed = true;
        close(endpoint);
    }

    /** Closes an endpoint, which may be only partly opened. */
    static void close(DaRPCClientEndpoint<DarpcMessage, DarpcMessage> endpoint) {
        try {
            endpoint.close();
        } catch (IOException | RuntimeException e) {
            LOG.debug("closing a connection", e); // DaRPC's endpoints may throw if they were never connected
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        try {
            if (endpoint.getCqProvider() != null) {
                endpoint.getCqProvider().close();
            }
        } catch (IOException e) {
            LOG.debug("closing a connection's completion queue", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
