package dev.rcc.transport.verbs.darpc;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** A call, on the caller's side: its request is written from the worker's buffers, and its reply into them. Reused. */
final class DarpcCall {
    private final DarpcConnection connection;
    private final MemorySegment buffers;
    private final int messageBytesMax;
    private final DarpcMessage request;
    private final DarpcMessage reply;

    private int rpcId;
    private long requestOffset;
    private int requestBytes;
    private long replyOffset;
    private int replyBytes;
    private boolean failed;
    private Completion completion;

    DarpcCall(DarpcConnection connection, Memory buffers, int messageBytesMax) {
        this.connection = connection;
        this.buffers = buffers.segment();
        this.messageBytesMax = messageBytesMax;
        this.request = new Request();
        this.reply = new Reply();
    }

    /** Prepares the call. */
    void start(
            int rpc,
            long offsetOfRequest,
            int bytesOfRequest,
            long offsetOfReply,
            int bytesOfReply,
            Completion waiting) {
        rpcId = rpc;
        requestOffset = offsetOfRequest;
        requestBytes = bytesOfRequest;
        replyOffset = offsetOfReply;
        replyBytes = bytesOfReply;
        failed = false;
        completion = waiting;
    }

    DarpcMessage request() {
        return request;
    }

    DarpcMessage reply() {
        return reply;
    }

    /** Completes the call, as failed or succeeded. */
    void complete() {
        if (failed) {
            completion.fail(connection.peer());
        } else {
            completion.succeed();
        }
        completion = null;
    }

    /** Fails the call: there will be no reply. */
    void fail() {
        failed = true;
        complete();
    }

    private final class Request implements DarpcMessage {
        @Override
        public int payloadBytesMax() {
            return messageBytesMax;
        }

        @Override
        public int write(ByteBuffer to) {
            int at = to.position();
            to.putInt(at, requestBytes);
            to.putInt(at + REQUEST_REPLY_ROOM, replyBytes);
            to.putInt(at + REQUEST_CALLER, connection.ownNode());
            to.putShort(at + REQUEST_WORKER, (short) connection.ownWorker());
            to.putShort(at + REQUEST_RPC, (short) rpcId);
            to.putLong(at + REQUEST_INCARNATION, connection.ownIncarnation());
            to.putInt(at + REQUEST_LINK, connection.link());
            MemorySegment.ofBuffer(to)
                    .asSlice(REQUEST_HEADER_BYTES)
                    .copyFrom(buffers.asSlice(requestOffset, requestBytes));
            return REQUEST_HEADER_BYTES + requestBytes;
        }

        @Override
        public void update(ByteBuffer from) {
            throw new AssertionError("a client received a request");
        }
    }

    private final class Reply implements DarpcMessage {
        @Override
        public int payloadBytesMax() {
            return messageBytesMax;
        }

        @Override
        public int write(ByteBuffer to) {
            throw new AssertionError("a client sent a reply");
        }

        @Override
        public void update(ByteBuffer from) {
            int bytes = from.getInt(from.position());
            failed = bytes < 0 || bytes > replyBytes;
            if (!failed) {
                MemorySegment payload = MemorySegment.ofBuffer(from).asSlice(REPLY_HEADER_BYTES, bytes);
                buffers.asSlice(replyOffset, bytes).copyFrom(payload);
            }
            connection.replied(DarpcCall.this);
        }
    }
}
