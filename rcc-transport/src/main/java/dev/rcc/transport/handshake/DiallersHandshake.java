package dev.rcc.transport.handshake;

import dev.rcc.transport.handshake.HandshakeFailed.Kind;
import dev.rcc.transport.handshake.HandshakeFrames.Hello;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** The end that dials: says hello, answers the challenge, and accepts the other end when that has proven itself, too. */
@SuppressWarnings("FutureReturnValueIgnored") // a channel reports its failure by events
final class DiallersHandshake extends Handshake {
    private final int acceptor;
    private final int connection;
    private final byte[] context;

    private Hello hello;
    private ClusterSecret secret;
    private byte[] acceptorNonce;

    DiallersHandshake(Handshakes own, PeerPort port, int acceptor, int connection, byte[] context) {
        super(own, port);
        this.acceptor = acceptor;
        this.connection = connection;
        this.context = context.clone();
    }

    @Override
    void begin(ChannelHandlerContext ctx) {
        if (!certifies(ctx, acceptor)) {
            fail(ctx, Kind.REFUSED, NodeCertificates.refusal(own.cluster(), acceptor));
            return;
        }
        hello = new Hello(port.code(), own.node(), acceptor, own.incarnation(), connection, own.nonce());
        ctx.writeAndFlush(HandshakeFrames.hello(ctx.alloc(), hello), ctx.voidPromise());
    }

    @Override
    boolean receive(ChannelHandlerContext ctx, ByteBuf in) {
        byte type = in.getByte(in.readerIndex());
        if (type == HandshakeFrames.REFUSED) {
            return refused(ctx, in);
        } else if (type == HandshakeFrames.CHALLENGE && hello != null && acceptorNonce == null) {
            return challenged(ctx, in);
        } else if (type == HandshakeFrames.ACCEPTED && acceptorNonce != null) {
            return accepted(ctx, in);
        }
        fail(ctx, Kind.MALFORMED, "it answers this node's hello by a frame of type " + type);
        return false;
    }

    private boolean challenged(ChannelHandlerContext ctx, ByteBuf in) {
        if (in.readableBytes() < HandshakeFrames.CHALLENGE_BYTES) {
            return false;
        }
        in.skipBytes(1);
        acceptorNonce = HandshakeFrames.bytes(in, HandshakeFrames.NONCE_BYTES);
        secret = own.secrets().getFirst();
        byte[] proof = secret.prove(transcript(HandshakeFrames.DIALLER, 0));
        ctx.writeAndFlush(HandshakeFrames.proof(ctx.alloc(), proof), ctx.voidPromise());
        return true;
    }

    private boolean accepted(ChannelHandlerContext ctx, ByteBuf in) {
        if (in.readableBytes() < HandshakeFrames.ACCEPTED_BYTES) {
            return false;
        }
        in.skipBytes(1);
        long incarnation = in.readLong();
        byte[] proof = HandshakeFrames.bytes(in, ClusterSecret.PROOF_BYTES);
        if (MessageDigest.isEqual(proof, secret.prove(transcript(HandshakeFrames.ACCEPTOR, incarnation)))) {
            succeed(ctx, new ProvenPeer(acceptor, incarnation, connection));
        } else {
            fail(ctx, Kind.REFUSED, "it does not prove to be node " + acceptor + " of " + own);
        }
        return true;
    }

    private boolean refused(ChannelHandlerContext ctx, ByteBuf in) {
        if (in.readableBytes() < HandshakeFrames.REFUSED_BYTES_MIN) {
            return false;
        }
        int length = in.getUnsignedShort(in.readerIndex() + 1);
        if (length > HandshakeFrames.MAX_REASON_BYTES) {
            fail(ctx, Kind.MALFORMED, "it refuses this node with " + length + " bytes of reasons");
            return false;
        }
        if (in.readableBytes() < HandshakeFrames.REFUSED_BYTES_MIN + length) {
            return false;
        }
        in.skipBytes(HandshakeFrames.REFUSED_BYTES_MIN);
        String reason = in.readString(length, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
        fail(
                ctx,
                Kind.REFUSED,
                "it refuses this node: "
                        + (reason.isEmpty()
                                ? "not accepted as node " + own.node() + " of " + own
                                        + "; see its log. Check cluster, secret-file and tls.* on both nodes"
                                : reason));
        return true;
    }

    private byte[] transcript(byte who, long acceptorIncarnation) {
        return HandshakeFrames.transcript(who, hello, acceptorIncarnation, acceptorNonce, own.cluster(), context);
    }
}
