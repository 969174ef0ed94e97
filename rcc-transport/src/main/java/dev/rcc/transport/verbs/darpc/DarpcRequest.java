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
 * A request, on the server's side. DaRPC has one for each that may be under way, and fills it in its thread; then it belongs to
 * the worker that serves it, until that replies.
 */
final class DarpcRequest extends ServedCall implements DarpcMessage {
    private static final Logger LOG = LoggerFactory.getLogger(DarpcRequest.class);

    private final Memory payload;
    private final int messageBytesMax;
    private DaRPCServerEvent<DarpcMessage, DarpcMessage> event;
    private int replyRoom;
    private long callersIncarnation;
    private int worker;
    /** Where the worker that serves this puts it when it has been replied to. */
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

    @Override
    public void update(ByteBuffer from) throws IOException {
        int at = from.position();
        int bytes = from.getInt(at);
        if (bytes < 0 || bytes > messageBytesMax) {
            throw new IOException("a request says that it has " + bytes + " bytes; there are 0 to " + messageBytesMax);
        }
        int caller = from.getInt(at + REQUEST_CALLER);
        setRequest(caller, from.getShort(at + REQUEST_RPC), payload, 0, bytes);
        replyRoom = Math.min(from.getInt(at + REQUEST_REPLY_ROOM), messageBytesMax);
        worker = Short.toUnsignedInt(from.getShort(at + REQUEST_WORKER));
        callersIncarnation = from.getLong(at + REQUEST_INCARNATION);
        payload.segment()
                .asSlice(0, bytes)
                .copyFrom(MemorySegment.ofBuffer(from).asSlice(REQUEST_HEADER_BYTES, bytes));
    }

    @Override
    public int write(ByteBuffer to) {
        throw new AssertionError("a server sent a request");
    }

    /** The request came with this event. Returns the index of the worker that called. */
    int begin(DaRPCServerEvent<DarpcMessage, DarpcMessage> with) {
        event = with;
        setResponse(reply().payload, 0, replyRoom);
        return worker;
    }

    // The worker.

    /**
     * The worker takes it. Only here does it begin to be served: DaRPC may have filled it again while a handler that has
     * replied is still running, and fails.
     */
    void take(ArrayDeque<DarpcRequest> repliesOfWorker) {
        replies = repliesOfWorker;
        begin();
    }

    /** Which incarnation of its node has called. */
    long callersIncarnation() {
        return callersIncarnation;
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
            LOG.debug("no caller to reply to: {}", e.getMessage()); // the caller's side tells who waits
        }
    }

    /** What a request is replied to with. */
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
