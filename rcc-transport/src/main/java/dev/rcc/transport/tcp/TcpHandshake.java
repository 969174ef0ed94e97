package dev.rcc.transport.tcp;

import dev.rcc.core.memory.Memory;
import dev.rcc.transport.control.LinkFaults;
import dev.rcc.transport.handshake.HandshakeFailed;
import dev.rcc.transport.handshake.ProvenPeer;
import dev.rcc.transport.tcp.TcpFrames.BadFrame;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;

/**
 * Handles a connection until it is part of an active link. Waits until both ends have proven their identity, and allocates buffers for
 * frames only then. The dialling end then waits for the welcome. Used on an I/O thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel reports failures by its events
final class TcpHandshake extends ChannelInboundHandlerAdapter implements TcpStream.Receiver {
    private final TcpFabric fabric;
    /** The link of the connection. On the accepting side null until the peer has proven its identity. */
    private TcpLink link;

    /** The link whose token the peer must know. */
    private TcpLink expected;

    private final boolean dialled;
    private final TcpRoom room = new TcpRoom();
    private boolean ended;
    private TcpStream current;

    /** The handshake of a connection that this node has dialled for {@code link}, or, if null, that a peer has dialled. */
    TcpHandshake(TcpFabric fabric, TcpLink link) {
        this.fabric = fabric;
        this.link = link;
        this.dialled = link != null;
    }

    /** The allocator that Netty reads with if there is no TLS handler. */
    TcpRoom room() {
        return room;
    }

    // Before there is a stream.

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof ProvenPeer peer && !ended) {
            proven(context, peer);
        }
        super.userEventTriggered(context, event);
    }

    /** The token that a connection dialled by {@code peer} must know; null if no connection of the peer is expected. */
    byte[] token(int peer) {
        expected = fabric.linkDialledBy(peer);
        return expected == null ? null : expected.token();
    }

    private void proven(ChannelHandlerContext context, ProvenPeer peer) {
        current = fabric.stream(this, context.channel());
        room.of(current);
        context.pipeline().replace(this, null, current);
        if (dialled) {
            if (!link.dialled(peer.connection(), current)) {
                context.channel().close();
            }
            return;
        }
        if (expected.admit(peer.connection(), current)) {
            link = expected;
            LinkFaults.peer(context.channel(), link.peer());
            link.greeted();
        } else {
            current.reject("it is connection " + peer.connection() + " of node " + peer.node()
                    + ", which is not expected or is there already");
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end(context, "its connection was closed", false);
    }

    @Override
    @SuppressWarnings("deprecation") // ChannelInboundHandlerAdapter inherits it from a class where it is deprecated
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        Throwable reason = cause instanceof DecoderException && cause.getCause() != null ? cause.getCause() : cause;
        if (reason instanceof HandshakeFailed failure) {
            boolean isTheirs = failure.kind() == HandshakeFailed.Kind.MALFORMED
                    || (!dialled && failure.kind() == HandshakeFailed.Kind.REFUSED);
            end(context, failure.getMessage(), isTheirs);
        } else {
            end(context, reason.toString(), false);
        }
        context.close();
    }

    private void end(ChannelHandlerContext context, String reason, boolean misbehaved) {
        if (!ended) {
            ended = true;
            fabric.leftHandshake(context.channel());
            tell(context.channel(), reason, misbehaved);
        }
    }

    private void tell(Channel channel, String reason, boolean misbehaved) {
        if (link != null) {
            link.fail(reason, misbehaved);
        } else {
            fabric.unauthenticatedPeerLeft(channel, reason, misbehaved);
        }
    }

    // Once there is a stream.

    @Override
    public void arrived(TcpStream stream) {
        if (!stream.isStopped()) { // later frames are for the connection's next owner
            stream.process();
        }
    }

    @Override
    public void frame(Memory in, int offset, int length) throws BadFrame {
        byte type = (byte) (in.getLong(offset) >>> TcpFrames.TYPE_SHIFT);
        if (!dialled
                || type != TcpFrames.WELCOME
                || length != TcpFrames.WELCOME_BYTES
                || in.getLong(offset + TcpFrames.WELCOME_MAGIC_OFFSET) != TcpFrames.MAGIC) {
            throw new BadFrame("of type " + type + " with " + length + " bytes, not what a connection begins with");
        }
        current.stop();
        link.welcomed();
    }

    @Override
    public void ended(TcpStream stream, String reason, boolean misbehaved) {
        fabric.leftHandshake(stream.channel());
        tell(stream.channel(), reason, misbehaved);
    }
}
