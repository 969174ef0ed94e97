package dev.rcc.transport.verbs.ud;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.worker.Completion;

/**
 * The caller's side of a call. Request and reply lie in the caller's buffers.
 *
 * <pre>
 *            start            in packets             whole reply, failure or time-out
 *   (pool) --------&gt; queued ------------&gt; outstanding --------------------------------&gt; (pool)
 *                       \___ time-out: abandoned, until it leaves the queue ___/
 * </pre>
 *
 * When it ends, its generation is incremented, so a late reply to it is distinguished from a reply to the slot's next call.
 */
final class UdCall extends UdMessage {
    private final UdChannel channel;

    /** Gets the result when it ends; null when no caller waits. */
    Completion completion;

    /** The time when it fails. */
    long deadlineNanos;

    /** Neighbours in the order of deadlines. */
    UdCall earlier;

    UdCall later;

    private long requestOffset;
    private long replyOffset;
    private int replyBytes;
    private int replyArrived;

    UdCall(UdChannel channel, int slot, int firstGeneration) {
        this.channel = channel;
        this.slot = slot;
        this.generation = firstGeneration;
        this.kind = UdPacketLayout.REQUEST;
    }

    void start(UdPeer to, int handler, Completion waiting, long deadline) {
        assert completion == null && !queued : "a call in use was in the pool";
        peer = to;
        rpcId = handler;
        completion = waiting;
        deadlineNanos = deadline;
        packed = 0;
        replyArrived = 0;
    }

    void place(long request, int bytesOfRequest, long reply, int bytesOfReply) {
        requestOffset = request;
        bytes = bytesOfRequest;
        replyOffset = reply;
        replyRoom = bytesOfReply;
    }

    /** Takes a part of the reply that {@linkplain #canTake fits}. Returns whether the reply is complete now. */
    boolean take(Memory from, long fragment, Memory buffers) {
        int part = UdPacketLayout.fragmentBytes(from, fragment);
        int message = UdPacketLayout.messageBytes(from, fragment);
        if (replyArrived == 0) {
            replyBytes = message;
        }
        from.copy(
                fragment + UdPacketLayout.FRAGMENT_BYTES,
                buffers,
                replyOffset + UdPacketLayout.offset(from, fragment),
                part);
        replyArrived += part;
        return replyArrived == replyBytes;
    }

    /** Whether a part of a reply can belong to this call's reply. */
    boolean canTake(int message, int part) {
        return message <= replyRoom
                && (replyArrived == 0 || (message == replyBytes && part <= replyBytes - replyArrived));
    }

    /** Ends the call and returns its completion. */
    Completion end() {
        Completion waiting = completion;
        completion = null;
        generation++;
        return waiting;
    }

    @Override
    Memory source() {
        return channel.buffers();
    }

    @Override
    long sourceOffset() {
        return requestOffset;
    }

    @Override
    boolean isAbandoned() {
        return completion == null;
    }

    @Override
    void left() {
        if (isAbandoned()) {
            channel.recycle(this);
        }
    }
}
