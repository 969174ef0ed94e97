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
 * What a connection does until it is part of an active link: waits until both ends have proven who they are, and makes room for frames only
 * then; the end that has dialled waits for the welcome. Used on an I/O thread.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails tells so by its events
final class TcpHandshake extends ChannelInboundHandlerAdapter implements TcpStream.Receiver {
    private final TcpFabric fabric;
    /** Of a connection that was dialled here; of another, the one that it turns out to be part of. */
    private TcpLink link;

    /** The link whose token the other end has to know. */
    private TcpLink expected;

    private final boolean dialled;
    private final TcpRoom room = new TcpRoom();
    private boolean ended;
    private TcpStream current;

    /** Of a connection that {@code link} has dialled, or, if null, of one that a peer has dialled. */
    TcpHandshake(TcpFabric fabric, TcpLink link) {
        this.fabric = fabric;
        this.link = link;
        this.dialled = link != null;
    }

    /** Where Netty reads to if nothing is in between. */
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

    /** What a connection must know that {@code peer} has dialled; null if none of it is expected. */
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

    // Once there is one.

    @Override
    public void arrived(TcpStream stream) {
        if (!stream.isStopped()) { // what follows is for the connection's next owner
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
