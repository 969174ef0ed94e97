package dev.rcc.transport.verbs.darpc;

import com.ibm.darpc.DaRPCServerEvent;
import dev.rcc.core.memory.Memory;
import dev.rcc.transport.ServedCall;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A request, on the server's side. DaRPC has one object for each request that may be under way, and fills it in its thread. Then it
 * belongs to the worker that serves it, until the worker has replied.
 */
final class DarpcRequest extends ServedCall implements DarpcMessage {
    private static final Logger LOG = LoggerFactory.getLogger(DarpcRequest.class);

    private static final int STRANGER = -1;

    private final Memory payload;
    private final int messageBytesMax;
    private DaRPCServerEvent<DarpcMessage, DarpcMessage> event;
    private int replyRoom;
    private long callersIncarnation;
    private int link;
    private int worker;
    /** The serving worker's queue of requests that were replied to. */
    private ArrayDeque<DarpcRequest> replies;

    DarpcRequest(int messageBytesMax) {
        this.messageBytesMax = messageBytesMax;
        this.payload = newMemory(messageBytesMax);
    }

    @Override
    public int payloadBytesMax() {
        return messageBytesMax;
    }

    private static Memory newMemory(int bytes) {
        return Memory.of(Arena.ofAuto().allocate(bytes, Memory.WORD_BYTES));
    }

    // DaRPC's thread.

    /** {@inheritDoc} A request that cannot be read is that of a stranger, whom no worker serves. */
    @Override
    public void update(ByteBuffer from) {
        int at = from.position();
        int bytes = from.getInt(at);
        if (bytes < 0 || bytes > messageBytesMax) {
            LOG.debug("a request says that it has {} bytes; there are 0 to {}", bytes, messageBytesMax);
            setRequest(STRANGER, 0, payload, 0, 0);
            replyRoom = 0;
            worker = 0;
            return;
        }
        int caller = from.getInt(at + REQUEST_CALLER);
        setRequest(caller, from.getShort(at + REQUEST_RPC), payload, 0, bytes);
        replyRoom = Math.min(from.getInt(at + REQUEST_REPLY_ROOM), messageBytesMax);
        worker = Short.toUnsignedInt(from.getShort(at + REQUEST_WORKER));
        callersIncarnation = from.getLong(at + REQUEST_INCARNATION);
        link = from.getInt(at + REQUEST_LINK);
        payload.segment()
                .asSlice(0, bytes)
                .copyFrom(MemorySegment.ofBuffer(from).asSlice(REQUEST_HEADER_BYTES, bytes));
    }

    @Override
    public int write(ByteBuffer to) {
        throw new AssertionError("a server sent a request");
    }

    /** Sets the event that the request came with. Returns the index of the calling worker. */
    int begin(DaRPCServerEvent<DarpcMessage, DarpcMessage> with) {
        event = with;
        setResponse(reply().payload, 0, replyRoom);
        return worker;
    }

    // The worker.

    /**
     * Takes the request on its worker. Serving begins only here, not in DaRPC's thread: DaRPC may have refilled the request while
     * a handler that has replied to it is still running, and then fails.
     */
    void take(ArrayDeque<DarpcRequest> repliesOfWorker) {
        replies = repliesOfWorker;
        begin();
    }

    /** The incarnation of the calling node. */
    long callersIncarnation() {
        return callersIncarnation;
    }

    /** The number of the link that the request came over. */
    int link() {
        return link;
    }

    @Override
    protected void sendReply(int bytes) {
        send(bytes);
    }

    @Override
    protected void sendFailure() {
        send(FAILED);
    }

    private void send(int bytes) {
        reply().bytes = bytes;
        replies.addLast(this);
    }

    private Response reply() {
        return (Response) event.getSendMessage();
    }

    /** Sends the reply; from here on, this may serve another request. */
    void transmit() {
        try {
            event.triggerResponse();
        } catch (IOException e) {
            LOG.debug("no caller to reply to: {}", e.getMessage()); // the caller's side fails the call
        }
    }

    /** The reply to a request. */
    static final class Response implements DarpcMessage {
        private final int messageBytesMax;
        private final Memory payload;
        private int bytes;

        Response(int messageBytesMax) {
            this.messageBytesMax = messageBytesMax;
            payload = newMemory(messageBytesMax);
        }

        @Override
        public int payloadBytesMax() {
            return messageBytesMax;
        }

        @Override
        public int write(ByteBuffer to) {
            to.putInt(to.position(), bytes);
            int length = Math.max(bytes, 0);
            MemorySegment.ofBuffer(to)
                    .asSlice(REPLY_HEADER_BYTES)
                    .copyFrom(payload.segment().asSlice(0, length));
            return REPLY_HEADER_BYTES + length;
        }

        @Override
        public void update(ByteBuffer from) {
            throw new AssertionError("a server received a reply");
        }
    }
}
