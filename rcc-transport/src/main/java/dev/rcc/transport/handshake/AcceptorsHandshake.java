package dev.rcc.transport.handshake;

import dev.rcc.transport.handshake.HandshakeFailed.Kind;
import dev.rcc.transport.handshake.HandshakeFrames.Hello;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.security.MessageDigest;
import java.util.function.IntFunction;

/** The end that is dialled: challenges a dialler, and proves itself only to a dialler that has proven its node number. */
@SuppressWarnings("FutureReturnValueIgnored") // a channel reports its failure by events
final class AcceptorsHandshake extends Handshake {
    /** The answer to unauthenticated peers. */
    private static final String NOTHING = "";

    private final IntFunction<byte[]> contextOfDialler;
    private final byte[] nonce;
    private Hello hello;

    AcceptorsHandshake(Handshakes own, PeerPort port, IntFunction<byte[]> contextOfDialler) {
        super(own, port);
        this.contextOfDialler = contextOfDialler;
        this.nonce = own.nonce();
    }

    @Override
    void begin(ChannelHandlerContext ctx) {} // the dialler begins

    @Override
    boolean receive(ChannelHandlerContext ctx, ByteBuf in) {
        byte type = in.getByte(in.readerIndex());
        if (type != (hello == null ? HandshakeFrames.HELLO : HandshakeFrames.PROOF)) {
            refuse(ctx, Kind.MALFORMED, "unexpected frame of type " + type + " in the handshake", NOTHING);
            return false;
        }
        return hello == null ? greeted(ctx, in) : proven(ctx, in);
    }

    private boolean greeted(ChannelHandlerContext ctx, ByteBuf in) {
        if (in.readableBytes() < HandshakeFrames.HELLO_BYTES) {
            return false;
        }
        in.skipBytes(1);
        hello = HandshakeFrames.readHello(in);
        if (hello == null) {
            refuse(ctx, Kind.MALFORMED, "it does not begin like a peer of this version", NOTHING);
        } else if (hello.port() != port.code()) {
            refuse(ctx, Kind.REFUSED, "it says hello to a port of kind " + hello.port() + ", this is " + port, NOTHING);
        } else {
            ctx.writeAndFlush(HandshakeFrames.challenge(ctx.alloc(), nonce), ctx.voidPromise());
        }
        return true;
    }

    private boolean proven(ChannelHandlerContext ctx, ByteBuf in) {
        if (in.readableBytes() < HandshakeFrames.PROOF_BYTES) {
            return false;
        }
        in.skipBytes(1);
        byte[] shown = HandshakeFrames.bytes(in, ClusterSecret.PROOF_BYTES);
        byte[] context = contextOfDialler.apply(hello.dialler());
        ClusterSecret secret = context == null ? null : secretOf(shown, context);
        if (secret == null) {
            refuse(
                    ctx,
                    Kind.REFUSED,
                    "it claims to be node " + hello.dialler() + " without a valid proof"
                            + (context == null ? ": none of its connections is expected" : "") + "; this is " + own
                            + ". Check that cluster and secret-file are the same on both nodes",
                    NOTHING);
        } else if (!certifies(ctx, hello.dialler())) {
            refuse(ctx, Kind.REFUSED, NodeCertificates.refusal(own.cluster(), hello.dialler()), NOTHING);
        } else if (hello.acceptor() != own.node()) {
            String reason = "it looks for node " + hello.acceptor() + ", this is node " + own.node();
            refuse(ctx, Kind.REFUSED, reason, reason);
        } else {
            byte[] proof = secret.prove(transcript(HandshakeFrames.ACCEPTOR, own.incarnation(), context));
            ctx.writeAndFlush(HandshakeFrames.accepted(ctx.alloc(), own.incarnation(), proof), ctx.voidPromise());
            succeed(ctx, new ProvenPeer(hello.dialler(), hello.incarnation(), hello.connection()));
        }
        return true;
    }

    /** The secret that a proof was made with, or null. */
    private ClusterSecret secretOf(byte[] proof, byte[] context) {
        byte[] transcript = transcript(HandshakeFrames.DIALLER, 0, context);
        for (ClusterSecret secret : own.secrets()) {
            if (MessageDigest.isEqual(proof, secret.prove(transcript))) {
                return secret;
            }
        }
        return null;
    }

    private byte[] transcript(byte who, long incarnation, byte[] context) {
        return HandshakeFrames.transcript(who, hello, incarnation, nonce, own.cluster(), context);
    }
}
