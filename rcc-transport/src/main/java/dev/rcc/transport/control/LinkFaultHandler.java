package dev.rcc.transport.control;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Adds the faults of {@link LinkFaults} to one connection. Used on the connection's thread. */
@SuppressWarnings("FutureReturnValueIgnored") // Netty logs the exceptions of its tasks
final class LinkFaultHandler extends ChannelDuplexHandler {
    private record Late(ByteBuf bytes, long dueNanos) {}

    private final LinkFaults faults;
    private final SplittableRandom random;
    private final ArrayDeque<Late> late = new ArrayDeque<>();
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
            late.add(new Late(context.alloc().buffer(bytes.readableBytes()).writeBytes(bytes), lastDueNanos));
            bytes.release();
            promise.trySuccess();
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
        broken |= faults.link(peer).dropsSent();
        long now = System.nanoTime();
        while (!late.isEmpty() && (broken || late.peek().dueNanos() - now <= 0)) {
            ByteBuf bytes = late.remove().bytes();
            if (broken) {
                bytes.release();
            } else {
                context.write(bytes, context.voidPromise());
            }
        }
        context.flush();
        if (!late.isEmpty()) {
            sendLater(context, late.peek().dueNanos() - now);
        }
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
        late.forEach(each -> each.bytes().release());
        late.clear();
    }
}
