package dev.rcc.transport.control;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.util.ReferenceCountUtil;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * Adds the faults of {@link LinkFaults} to one connection. Used on the connection's thread. Delayed bytes count as written only when they are: so a
 * connection that moves to another event loop after a write has succeeded leaves nothing behind. While more than {@value #LATE_BYTES_MAX} bytes are
 * delayed, the connection is not writable: its users stop then, as when a socket takes no more.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty logs the exceptions of its tasks
final class LinkFaultHandler extends ChannelDuplexHandler {
    /** As many as Linux keeps for a socket by default. */
    static final int LATE_BYTES_MAX = 4 << 20;
    /** The reason of a connection not to be writable, among those that are not Netty's. */
    private static final int DELAYED = 1;

    private record Late(ByteBuf bytes, ChannelPromise sent, long dueNanos) {}

    private final LinkFaults faults;
    private final SplittableRandom random;
    private final ArrayDeque<Late> late = new ArrayDeque<>();
    private long lateBytes;
    private boolean isFull;
    private int peer;
    private long lastDueNanos;
    private boolean broken;

    LinkFaultHandler(LinkFaults faults, int peer, long seed) {
        this.faults = faults;
        this.peer = peer;
        this.random = new SplittableRandom(seed);
    }

    void peer(int known) {
        peer = known;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        LinkFaults.Link link = faults.link(peer);
        broken |= link.dropsSent();
        long now = System.nanoTime();
        if (broken) {
            ReferenceCountUtil.release(message);
            promise.trySuccess();
        } else if (link.delayNanos() + link.jitterNanos() > 0 || !late.isEmpty()) {
            ByteBuf bytes = (ByteBuf) message;
            long jitter = link.jitterNanos() == 0 ? 0 : random.nextLong(link.jitterNanos() + 1);
            lastDueNanos = Math.max(now + link.delayNanos() + jitter, late.isEmpty() ? now : lastDueNanos);
            lateBytes += bytes.readableBytes();
            late.add(new Late(context.alloc().buffer(bytes.readableBytes()).writeBytes(bytes), promise, lastDueNanos));
            bytes.release();
            limit(context.channel());
            if (late.size() == 1) {
                sendLater(context, lastDueNanos - now);
            }
        } else {
            context.write(message, promise);
        }
    }

    private void sendLater(ChannelHandlerContext context, long nanos) {
        context.channel().eventLoop().schedule(() -> send(context), nanos, TimeUnit.NANOSECONDS);
    }

    private void send(ChannelHandlerContext context) {
        EventLoop present = context.channel().eventLoop();
        if (!present.inEventLoop()) { // the channel has moved since
            present.execute(() -> send(context));
            return;
        }
        broken |= faults.link(peer).dropsSent();
        long now = System.nanoTime();
        while (!late.isEmpty() && (broken || late.peek().dueNanos() - now <= 0)) {
            Late next = late.remove();
            lateBytes -= next.bytes().readableBytes();
            if (broken) {
                next.bytes().release();
                next.sent().trySuccess();
            } else {
                context.write(next.bytes(), next.sent());
            }
        }
        context.flush();
        limit(context.channel());
        if (!late.isEmpty()) {
            sendLater(context, late.peek().dueNanos() - now);
        }
    }

    private void limit(Channel channel) {
        boolean becomesFull = lateBytes > LATE_BYTES_MAX;
        ChannelOutboundBuffer sent = channel.unsafe().outboundBuffer();
        if (becomesFull != isFull && sent != null) {
            isFull = becomesFull;
            sent.setUserDefinedWritability(DELAYED, !isFull);
        }
    }

    /** Whether so many bytes are delayed on a connection that it is not writable. */
    static boolean isFull(Channel channel) {
        ChannelOutboundBuffer sent = channel.unsafe().outboundBuffer();
        return sent != null && !sent.getUserDefinedWritability(DELAYED);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        broken |= faults.link(peer).dropsReceived();
        if (broken) {
            ReferenceCountUtil.release(message);
        } else {
            context.fireChannelRead(message);
        }
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        while (!late.isEmpty()) {
            Late unsent = late.remove();
            unsent.bytes().release();
            unsent.sent().tryFailure(new ClosedChannelException());
        }
    }
}
