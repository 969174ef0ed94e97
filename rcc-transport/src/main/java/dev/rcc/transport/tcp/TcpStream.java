package dev.rcc.transport.tcp;

import dev.rcc.core.memory.Memory;
import dev.rcc.transport.control.LinkFaults;
import dev.rcc.transport.tcp.TcpFrames.BadFrame;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.handler.codec.DecoderException;
import java.lang.foreign.MemorySegment;

/**
 * A data connection: splits the arriving bytes into frames, and sends frames in few writes. It is used on the thread whose
 * event loop it is registered with; this changes once for connections that a worker uses (see {@link TcpLink}).
 *
 * <p>Allocates nothing once warm. Bytes are read into the buffer that frames are taken from. {@link #out} is filled while the
 * buffer filled before is being sent. So at most two buffers wait for a peer that does not read, and {@link Receiver} must
 * bound the growth of the second.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel reports failures by its events
final class TcpStream extends ChannelInboundHandlerAdapter {
    /** Takes the frames. */
    interface Receiver {
        /** Bytes have arrived: {@link TcpStream#process} hands over their frames, now or later. */
        void arrived(TcpStream stream);

        /**
         * Takes a frame of a well-formed length, at {@code offset} in {@code in}, which is valid during the call only.
         *
         * @throws BadFrame when the bytes are no valid frame; the connection ends then
         */
        void frame(Memory in, int offset, int length) throws BadFrame;

        /** Sent bytes wait for the socket, perhaps since after {@link TcpStream#flush} has returned: a fault handler may write late. */
        default void waiting(TcpStream stream) {}

        /** The sent bytes are on their way. Called only after {@link TcpStream#tellDrained}. */
        default void drained(TcpStream stream) {}

        /**
         * The connection has ended.
         *
         * @param misbehaved whether the peer broke the protocol, rather than just left
         */
        void ended(TcpStream stream, String reason, boolean misbehaved);
    }

    private static final int BUFFER_BYTES = 1 << 16;
    /** Least room that is offered to the operating system for arriving bytes. */
    static final int READ_BYTES = 1 << 14;
    /** Buffers that grew longer than this are shrunk to it when they are empty. */
    private static final int KEPT_BYTES = 1 << 20;

    private final TcpTraffic traffic;
    private Receiver receiver;
    private Channel channel;
    private ChannelHandlerContext context;
    private boolean ended;
    private boolean tellDrained;
    private boolean stopped;

    /** Whether the stream is on its endpoint's list of streams to flush. */
    boolean flushListed;

    boolean processListed;
    private long blockedNanos;
    private long blockedProgress;

    private final TcpBuffer in = new TcpBuffer(BUFFER_BYTES);
    private int consumed;
    private int needed = TcpFrames.HEADER_BYTES;

    private TcpBuffer out = new TcpBuffer(BUFFER_BYTES);
    private TcpBuffer sending = new TcpBuffer(BUFFER_BYTES);

    TcpStream(Receiver receiver, TcpTraffic traffic) {
        this.receiver = receiver;
        this.traffic = traffic;
    }

    Channel channel() {
        return channel;
    }

    void receiver(Receiver next) {
        receiver = next;
    }

    boolean hasEnded() {
        return ended;
    }

    /** Calls {@link Receiver#drained} whenever all sent bytes are on their way. */
    void tellDrained() {
        tellDrained = true;
        tellOfEachByte(channel);
    }

    /** Has Netty tell whether bytes wait for the socket; else it tells only of many. */
    static void tellOfEachByte(Channel channel) {
        channel.config().setWriteBufferWaterMark(new WriteBufferWaterMark(1, 1));
    }

    // Receiving.

    /** The buffer that Netty reads into, which is the stream's own. */
    ByteBuf room() {
        makeRoom(READ_BYTES);
        return in.netty().setIndex(0, in.size).retain();
    }

    private void makeRoom(int bytes) {
        if (consumed == in.size) {
            in.size = 0;
            consumed = 0;
            in.shrink(KEPT_BYTES);
        }
        int room = Math.max(bytes, needed - (in.size - consumed));
        if (in.capacity() - in.size < room) {
            in.dropFirst(consumed);
            consumed = 0;
            in.reserve(room);
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // compares identity: the own buffer or another
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf bytes = (ByteBuf) message;
        try {
            if (bytes == in.netty()) {
                traffic.received(bytes.writerIndex() - in.size);
                in.size = bytes.writerIndex();
            } else { // decrypted
                int count = bytes.readableBytes();
                makeRoom(count);
                MemorySegment.copy(
                        MemorySegment.ofBuffer(bytes.nioBuffer()),
                        0,
                        in.memory().segment(),
                        in.size,
                        count);
                in.size += count;
                traffic.received(count);
            }
        } finally {
            bytes.release();
        }
        if (ended) {
            in.size = consumed;
        } else {
            receiver.arrived(this);
        }
    }

    /**
     * Hands over the complete frames that have arrived, until there are no more or {@link #stop} was called.
     *
     * @return the number of frames
     */
    int process() {
        int count = 0;
        try {
            while (!ended && in.size - consumed >= TcpFrames.HEADER_BYTES) {
                int length = in.getInt(consumed);
                if (length < TcpFrames.HEADER_BYTES || length > TcpFrames.MAX_FRAME_BYTES || (length & 7) != 0) {
                    throw new BadFrame("its length is " + length + "; it must be a multiple of 8 from "
                            + TcpFrames.HEADER_BYTES + " to " + TcpFrames.MAX_FRAME_BYTES);
                }
                if (in.size - consumed < length) {
                    needed = length;
                    return count;
                }
                int offset = consumed;
                consumed += length;
                count++;
                receiver.frame(in.memory(), offset, length);
                if (stopped) {
                    break;
                }
            }
            needed = TcpFrames.HEADER_BYTES;
        } catch (BadFrame e) {
            reject("it sent a malformed frame: " + e.getMessage());
        } catch (RuntimeException | Error e) {
            reject("it sent a frame that could not be processed: " + e);
        }
        return count;
    }

    /** Makes {@link #process} stop after its current frame. */
    void stop() {
        stopped = true;
    }

    /** Lets {@link #process} go on. */
    void goOn() {
        stopped = false;
    }

    boolean isStopped() {
        return stopped;
    }

    // Sending.

    /** The frames that the next {@link #flush} sends; frames are appended here. */
    TcpBuffer out() {
        return out;
    }

    /** Appends an empty frame and returns its offset. */
    int append(int length) {
        TcpBuffer to = out;
        to.reserve(length);
        int offset = to.size;
        to.size = offset + length;
        return offset;
    }

    /**
     * Sends the appended frames, if the frames sent before are on their way. Ends the connection if that fails.
     *
     * @return whether all frames are on their way, or never will be
     */
    boolean flush() {
        TcpBuffer full = out;
        if (ended) {
            full.size = 0;
            return true;
        }
        boolean idle = isIdle();
        if (full.size == 0 || !idle) {
            return full.size == 0 && idle;
        }
        unblocked();
        out = sending;
        sending = full;
        out.size = 0;
        traffic.sent(full.size);
        try {
            context.writeAndFlush(full.netty().setIndex(0, full.size).retain(), context.voidPromise());
            out.shrink(KEPT_BYTES);
        } catch (RuntimeException | Error e) {
            end("its frames could not be sent: " + e);
            return true;
        }
        return isIdle();
    }

    /** Whether the socket has taken the frames, and what a handler has made of them: TLS copies frames, and releases them long before. */
    private boolean isIdle() {
        if (!sending.isOurs() || isDelayed()) {
            return false;
        }
        ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
        return pending == null || pending.totalPendingWriteBytes() == 0;
    }

    /** Whether bytes wait for the end of a simulated delay, which is not the peer's fault, and not for the socket. */
    boolean isDelayed() {
        return LinkFaults.isFull(channel);
    }

    /** Whether the peer has taken no byte for {@code timeoutNanos}; to be called while bytes are being sent. */
    boolean isStalled(long now, long timeoutNanos) {
        if (isDelayed()) {
            unblocked();
            return false;
        }
        long progress = progress();
        if (blockedNanos == 0 || progress != blockedProgress) {
            blockedNanos = now;
            blockedProgress = progress;
        }
        return now - blockedNanos > timeoutNanos;
    }

    /** A number that grows whenever the socket takes bytes. */
    private long progress() {
        ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
        if (pending == null) {
            return 0;
        }
        int ofFirst = pending.current() instanceof ByteBuf first ? first.readerIndex() : 0;
        return ofFirst - pending.totalPendingWriteBytes();
    }

    /** All frames were sent. */
    void unblocked() {
        blockedNanos = 0;
    }

    // Netty's events.

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
        channel = ctx.channel();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ended) {
            return;
        }
        if (!channel.isWritable()) {
            receiver.waiting(this);
        } else if (tellDrained) {
            receiver.drained(this);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end("its connection was closed");
    }

    @Override
    @SuppressWarnings("deprecation") // ChannelInboundHandlerAdapter inherits it from a class where it is deprecated
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        end((cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause).toString());
    }

    /** Ends the connection, on its thread. */
    void end(String reason) {
        end(reason, false);
    }

    /** Ends the connection of a peer that broke the protocol, on its thread. */
    void reject(String reason) {
        end(reason, true);
    }

    private void end(String reason, boolean misbehaved) {
        if (!ended) {
            ended = true;
            channel.close();
            receiver.ended(this, reason, misbehaved);
        }
    }
}
