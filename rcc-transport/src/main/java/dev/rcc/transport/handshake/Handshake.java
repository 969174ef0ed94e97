package dev.rcc.transport.handshake;

import dev.rcc.transport.handshake.HandshakeFailed.Kind;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One end of a handshake: the handler behind TLS, if there is any, and before the connection's own handlers. On success it fires a {@link ProvenPeer}
 * event, leaves the pipeline and passes on the bytes behind the handshake. On failure it fires a {@link HandshakeFailed} exception and ends the
 * connection. Until then it holds back everything that arrives.
 *
 * <pre>
 *   dialler    TLS --&gt; HELLO sent ------&gt; PROOF sent ---------&gt; proven
 *   acceptor   TLS --&gt; HELLO awaited ---&gt; PROOF awaited ------&gt; proven
 *        \_______________\__________________\______(malformed, refused, late)______&gt; failed
 * </pre>
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel reports its failure by events
public abstract class Handshake extends ByteToMessageDecoder {
    private static final int MAX_LATER_BYTES = 1 << 16;

    final Handshakes own;
    final PeerPort port;
    private Future<?> deadline;
    private boolean done;

    Handshake(Handshakes own, PeerPort port) {
        this.own = own;
        this.port = port;
    }

    /** The connection is established, encrypted if it is to be. */
    abstract void begin(ChannelHandlerContext context);

    /** Takes a frame, and returns whether it was whole. */
    abstract boolean receive(ChannelHandlerContext context, ByteBuf in);

    @Override
    public void channelActive(ChannelHandlerContext context) {
        deadline = context.executor()
                .schedule(
                        () -> fail(context, Kind.LATE, "the handshake did not finish within " + own.deadline()),
                        own.deadline().toNanos(),
                        TimeUnit.NANOSECONDS);
        context.fireChannelActive();
        if (context.channel().isActive() && !isEncrypted(context)) {
            begin(context);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        super.userEventTriggered(context, event);
        if (event instanceof SslHandshakeCompletionEvent tls && tls.isSuccess() && !done) {
            begin(context);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        end();
        super.channelInactive(context);
    }

    @Override
    protected final void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        while (!done && in.isReadable() && receive(context, in)) {}
        if (context.isRemoved()) {
            return; // the rest is for the next handler
        }
        if (done || in.readableBytes() > MAX_LATER_BYTES) {
            in.skipBytes(in.readableBytes());
        }
    }

    static boolean isEncrypted(ChannelHandlerContext context) {
        return context.pipeline().get(SslHandler.class) != null;
    }

    /** Whether the other end may be {@code node}, according to its certificate; without TLS it may be any. */
    boolean certifies(ChannelHandlerContext context, int node) {
        SslHandler tls = context.pipeline().get(SslHandler.class);
        return tls == null || NodeCertificates.names(tls.engine().getSession(), own.cluster(), node);
    }

    void succeed(ChannelHandlerContext context, ProvenPeer peer) {
        end();
        context.fireUserEventTriggered(peer);
        context.pipeline().remove(this);
    }

    /** Ends the connection, for a reason that is not sent to the other end. */
    void fail(ChannelHandlerContext context, Kind kind, String reason) {
        if (!done) {
            end();
            context.fireExceptionCaught(new HandshakeFailed(kind, reason));
            context.close();
        }
    }

    /** Sends a refusal to a dialler, and ends its connection. */
    void refuse(ChannelHandlerContext context, Kind kind, String reason, String reasonForPeer) {
        if (!done) {
            context.writeAndFlush(HandshakeFrames.refused(context.alloc(), reasonForPeer), context.voidPromise());
            fail(context, kind, reason);
        }
    }

    private void end() {
        done = true;
        if (deadline != null) {
            deadline.cancel(false);
        }
    }
}
