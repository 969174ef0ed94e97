package dev.rcc.transport.tcp;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.tcp.TcpFrames.BadFrame;
import java.util.ArrayDeque;
import java.util.Arrays;

/**
 * A connection between a worker here and a worker of a peer, on which both call each other: the requests and the replies of a turn
 * leave in one write. A call that would be one too many for the peer waits until others are answered: its caller may have locks to drop.
 * Used on its worker.
 */
final class TcpRpcConnection implements TcpStream.Receiver {
    /** Most calls that may be outstanding on a connection, either way. */
    static final int MAX_CALLS = 1 << 16;
    /** Most bytes of requests, and of room for replies, that may be outstanding on a connection, either way. */
    static final long MAX_CALL_BYTES = 1L << 26;

    private static final int INITIAL_CALLS = 16;

    private final TcpEndpoint endpoint;
    private final TcpLink link;
    private final TcpStream stream;
    private boolean failed;

    // This worker's outstanding calls, by slot.
    private Completion[] completions = new Completion[INITIAL_CALLS];
    private long[] replyOffsets = new long[INITIAL_CALLS];
    private int[] replyRooms = new int[INITIAL_CALLS];
    private int[] askedBytes = new int[INITIAL_CALLS];
    private int[] freeSlots = new int[INITIAL_CALLS];
    private int slotCount;
    private int freeCount;
    private long outstandingBytes;
    /** The calls that wait until the peer has answered others, in their order. */
    private final ArrayDeque<HeldCall> held = new ArrayDeque<>();

    // The peer's calls that this worker serves.
    private TcpServedCall[] freeServed = new TcpServedCall[INITIAL_CALLS];
    private int freeServedCount;
    private int servedCount;
    private long servedBytes;

    TcpRpcConnection(TcpEndpoint endpoint, TcpLink link, TcpStream stream) {
        this.endpoint = endpoint;
        this.link = link;
        this.stream = stream;
    }

    TcpLink link() {
        return link;
    }

    int peer() {
        return link.peer();
    }

    // The caller's side.

    /** A call that waits; its request stays in the buffers meanwhile. */
    private record HeldCall(
            int rpcId, Memory buffers, long request, int requestBytes, long reply, int replyRoom, Completion waiting) {}

    /** Sends a call with the next flush, or once the peer may have it; the caller has checked the arguments. */
    void call(
            int rpcId, Memory buffers, long request, int requestBytes, long reply, int replyRoom, Completion waiting) {
        if (requestBytes > TcpFrames.MAX_MESSAGE_BYTES || replyRoom > TcpFrames.MAX_MESSAGE_BYTES) {
            throw new IllegalArgumentException("request and reply must have " + TcpFrames.MAX_MESSAGE_BYTES
                    + " bytes at most, got " + requestBytes + " and " + replyRoom);
        }
        waiting.add();
        if (held.isEmpty() && mayHave(requestBytes + replyRoom)) {
            send(rpcId, buffers, request, requestBytes, reply, replyRoom, waiting);
        } else {
            held.add(new HeldCall(rpcId, buffers, request, requestBytes, reply, replyRoom, waiting));
        }
    }

    /** Whether the peer would serve a call that asks for so many bytes, beside the calls that are outstanding. */
    private boolean mayHave(int bytes) {
        return slotCount - freeCount < MAX_CALLS && outstandingBytes + bytes <= MAX_CALL_BYTES;
    }

    private void send(
            int rpcId, Memory buffers, long request, int requestBytes, long reply, int replyRoom, Completion waiting) {
        int bytes = requestBytes + replyRoom;
        int slot = freeCount > 0 ? freeSlots[--freeCount] : newSlot();
        completions[slot] = waiting;
        replyOffsets[slot] = reply;
        replyRooms[slot] = replyRoom;
        askedBytes[slot] = bytes;
        outstandingBytes += bytes;

        int length = TcpFrames.REQUEST_HEADER_BYTES + Memory.alignToWord(requestBytes);
        int offset = stream.append(length);
        TcpBuffer buffer = stream.out();
        Memory out = buffer.memory();
        buffer.putHeader(offset, length, TcpFrames.REQUEST, rpcId, 0);
        out.putLong(offset + TcpFrames.CALL_OFFSET, slot | (long) requestBytes << 32);
        out.putLong(offset + TcpFrames.REPLY_ROOM_OFFSET, replyRoom);
        putPayload(buffers, request, requestBytes, out, offset, TcpFrames.REQUEST_HEADER_BYTES, length);
        endpoint.toFlush(stream);
    }

    private static void putPayload(
            Memory from, long fromOffset, int bytes, Memory out, int frame, int header, int length) {
        if (length > header) {
            out.putLong(frame + length - Memory.WORD_BYTES, 0); // the padding
        }
        from.copy(fromOffset, out, frame + header, bytes);
    }

    private int newSlot() {
        if (slotCount == completions.length) {
            int longer = 2 * slotCount;
            completions = Arrays.copyOf(completions, longer);
            replyOffsets = Arrays.copyOf(replyOffsets, longer);
            replyRooms = Arrays.copyOf(replyRooms, longer);
            askedBytes = Arrays.copyOf(askedBytes, longer);
            freeSlots = Arrays.copyOf(freeSlots, longer);
        }
        return slotCount++;
    }

    private void takeReply(Memory in, int offset, int length, int status) throws BadFrame {
        if (length < TcpFrames.REPLY_HEADER_BYTES) {
            throw new BadFrame("a reply of " + length + " bytes");
        }
        long word = in.getLong(offset + TcpFrames.CALL_OFFSET);
        int slot = (int) word;
        int bytes = (int) (word >>> 32);
        if (slot < 0 || slot >= slotCount || completions[slot] == null) {
            throw new BadFrame("a reply to call " + slot + ", which is not outstanding");
        }
        if (bytes < 0
                || bytes > replyRooms[slot]
                || length != TcpFrames.REPLY_HEADER_BYTES + Memory.alignToWord(bytes)) {
            throw new BadFrame("a reply of " + bytes + " bytes, for which " + length + " were sent and "
                    + replyRooms[slot] + " have room");
        }
        in.copy(offset + TcpFrames.REPLY_HEADER_BYTES, endpoint.buffers(), replyOffsets[slot], bytes);
        finish(slot, status != TcpFrames.SUCCEEDED);
        sendHeld();
    }

    private void sendHeld() {
        for (HeldCall next = held.peek();
                next != null && mayHave(next.requestBytes + next.replyRoom);
                next = held.peek()) {
            held.remove();
            send(next.rpcId, next.buffers, next.request, next.requestBytes, next.reply, next.replyRoom, next.waiting);
        }
    }

    private void finish(int slot, boolean hasFailed) {
        Completion waiting = completions[slot];
        completions[slot] = null;
        freeSlots[freeCount++] = slot;
        outstandingBytes -= askedBytes[slot];
        if (hasFailed) {
            waiting.fail(peer());
        } else {
            waiting.succeed();
        }
    }

    // The server's side.

    private void serve(Memory in, int offset, int length, int rpcId) throws BadFrame {
        if (length < TcpFrames.REQUEST_HEADER_BYTES) {
            throw new BadFrame("a request of " + length + " bytes");
        }
        long word = in.getLong(offset + TcpFrames.CALL_OFFSET);
        int call = (int) word;
        int bytes = (int) (word >>> 32);
        int room = (int) in.getLong(offset + TcpFrames.REPLY_ROOM_OFFSET);
        if (bytes < 0
                || bytes > TcpFrames.MAX_MESSAGE_BYTES
                || length != TcpFrames.REQUEST_HEADER_BYTES + Memory.alignToWord(bytes)) {
            throw new BadFrame("a request of " + bytes + " bytes, for which " + length + " were sent");
        }
        if (room < 0 || room > TcpFrames.MAX_MESSAGE_BYTES) {
            throw new BadFrame("a request with room for a reply of " + room + " bytes");
        }
        if (servedCount == MAX_CALLS || servedBytes + bytes + room > MAX_CALL_BYTES) {
            throw new BadFrame("a request when " + servedCount + " with " + servedBytes + " bytes are outstanding");
        }
        TcpServedCall served = freeServedCount > 0 ? freeServed[--freeServedCount] : new TcpServedCall(this);
        served.start(call, rpcId, in, offset + TcpFrames.REQUEST_HEADER_BYTES, bytes, room);
        servedCount++;
        servedBytes += served.bytes();
        endpoint.handlers().serve(served);
    }

    /** Sends a reply with the next flush. */
    void reply(TcpServedCall served, byte status, int bytes) {
        servedCount--;
        servedBytes -= served.bytes();
        if (freeServedCount == freeServed.length) {
            freeServed = Arrays.copyOf(freeServed, 2 * freeServedCount);
        }
        freeServed[freeServedCount++] = served;
        if (failed) {
            return; // no caller waits for the reply any more
        }
        if (stream.out().size > TcpEndpoint.MAX_UNSENT_BYTES) {
            stream.reject("it does not read the replies to its calls");
            return;
        }
        int length = TcpFrames.REPLY_HEADER_BYTES + Memory.alignToWord(bytes);
        int offset = stream.append(length);
        TcpBuffer buffer = stream.out();
        buffer.putHeader(offset, length, TcpFrames.REPLY, status, 0);
        buffer.memory().putLong(offset + TcpFrames.CALL_OFFSET, (served.call() & 0xFFFF_FFFFL) | (long) bytes << 32);
        putPayload(
                served.response(),
                served.responseOffset(),
                bytes,
                buffer.memory(),
                offset,
                TcpFrames.REPLY_HEADER_BYTES,
                length);
        endpoint.toFlush(stream);
    }

    // Both sides.

    @Override
    public void arrived(TcpStream from) {
        endpoint.toProcess(from);
    }

    @Override
    public void waiting(TcpStream from) {
        endpoint.toFlush(from);
    }

    @Override
    public void frame(Memory in, int offset, int length) throws BadFrame {
        if (link.hasFailed()) { // the peer may have been cut off
            stream.end("its link has failed");
            return;
        }
        long header = in.getLong(offset);
        byte type = (byte) (header >>> TcpFrames.TYPE_SHIFT);
        int a = (int) (header >>> TcpFrames.A_SHIFT) & 0xFF;
        switch (type) {
            case TcpFrames.REQUEST -> serve(in, offset, length, a);
            case TcpFrames.REPLY -> takeReply(in, offset, length, a);
            default -> throw new BadFrame("of type " + type + ", when requests and replies are to come");
        }
    }

    /** Fails every outstanding call, and those that wait. */
    void fail() {
        failed = true;
        for (int slot = 0; slot < slotCount; slot++) {
            if (completions[slot] != null) {
                finish(slot, true);
            }
        }
        for (HeldCall call = held.poll(); call != null; call = held.poll()) {
            call.waiting.fail(peer());
        }
    }

    @Override
    public void ended(TcpStream from, String reason, boolean misbehaved) {
        link.fail(reason, misbehaved);
    }
}
