package dev.rcc.transport.handshake;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The frames of a handshake, all numbers big-endian, and the content of a proof. D dials, A accepts:
 * <pre>
 *   D to A   HELLO      1 (1) magic (8) version (1) port (1) D's node (4) A's node (4) D's incarnation (8) connection (4) D's nonce (32)
 *   A to D   CHALLENGE  2 (1) A's nonce (32)
 *   D to A   PROOF      3 (1) proof (32)
 *   A to D   ACCEPTED   4 (1) A's incarnation (8) proof (32)
 *            REFUSED    5 (1) reason: length (2), bytes of UTF-8; empty until D has proven its node
 *
 *   proof = HMAC-SHA256(secret, label, the end that proves (1), port (1), D's node (4), A's node (4), D's incarnation (8),
 *                       A's incarnation (8; 0 in D's proof), connection (4), D's nonce (32), A's nonce (32),
 *                       cluster: length (4), UTF-8; context: length (4), bytes)
 * </pre>
 *
 * Each end draws its nonce anew, so that no proof is valid twice. A proof names the end that proves, so that it cannot be sent back to its origin.
 * The context is data that both ends have from elsewhere and do not send.
 */
final class HandshakeFrames {
    static final byte HELLO = 1;
    static final byte CHALLENGE = 2;
    static final byte PROOF = 3;
    static final byte ACCEPTED = 4;
    static final byte REFUSED = 5;

    static final long MAGIC = 0x5243_4320_5045_4552L; // "RCC PEER"
    static final byte VERSION = 1;
    static final int NONCE_BYTES = 32;
    static final int MAX_REASON_BYTES = 2048;

    static final int HELLO_BYTES = 1 + 8 + 1 + 1 + 4 + 4 + 8 + 4 + NONCE_BYTES;
    static final int CHALLENGE_BYTES = 1 + NONCE_BYTES;
    static final int PROOF_BYTES = 1 + ClusterSecret.PROOF_BYTES;
    static final int ACCEPTED_BYTES = 1 + 8 + ClusterSecret.PROOF_BYTES;
    static final int REFUSED_BYTES_MIN = 1 + 2;

    static final byte DIALLER = 1;
    static final byte ACCEPTOR = 2;

    private static final byte[] LABEL = "rcc peers' handshake 1".getBytes(StandardCharsets.US_ASCII);

    /** The content of D's HELLO; not trusted before its PROOF. */
    @SuppressWarnings("ArrayRecordComponent") // they are not compared
    record Hello(byte port, int dialler, int acceptor, long incarnation, int connection, byte[] nonce) {}

    private HandshakeFrames() {}

    static ByteBuf hello(ByteBufAllocator allocator, Hello hello) {
        return allocator
                .buffer(HELLO_BYTES)
                .writeByte(HELLO)
                .writeLong(MAGIC)
                .writeByte(VERSION)
                .writeByte(hello.port)
                .writeInt(hello.dialler)
                .writeInt(hello.acceptor)
                .writeLong(hello.incarnation)
                .writeInt(hello.connection)
                .writeBytes(hello.nonce);
    }

    /** Reads the bytes behind the type; null if they are no HELLO of this version. */
    static Hello readHello(ByteBuf in) {
        if (in.readLong() != MAGIC || in.readByte() != VERSION) {
            return null;
        }
        return new Hello(
                in.readByte(), in.readInt(), in.readInt(), in.readLong(), in.readInt(), bytes(in, NONCE_BYTES));
    }

    static ByteBuf challenge(ByteBufAllocator allocator, byte[] nonce) {
        return allocator.buffer(CHALLENGE_BYTES).writeByte(CHALLENGE).writeBytes(nonce);
    }

    static ByteBuf proof(ByteBufAllocator allocator, byte[] proof) {
        return allocator.buffer(PROOF_BYTES).writeByte(PROOF).writeBytes(proof);
    }

    static ByteBuf accepted(ByteBufAllocator allocator, long incarnation, byte[] proof) {
        return allocator
                .buffer(ACCEPTED_BYTES)
                .writeByte(ACCEPTED)
                .writeLong(incarnation)
                .writeBytes(proof);
    }

    static ByteBuf refused(ByteBufAllocator allocator, String reason) {
        byte[] bytes = reason.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, MAX_REASON_BYTES);
        return allocator
                .buffer(REFUSED_BYTES_MIN + length)
                .writeByte(REFUSED)
                .writeShort(length)
                .writeBytes(bytes, 0, length);
    }

    static byte[] bytes(ByteBuf in, int count) {
        byte[] bytes = new byte[count];
        in.readBytes(bytes);
        return bytes;
    }

    /** The bytes that {@code who} proves. */
    static byte[] transcript(
            byte who, Hello hello, long acceptorIncarnation, byte[] acceptorNonce, String cluster, byte[] context) {
        byte[] name = cluster.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(
                        LABEL.length + 2 + 4 + 4 + 8 + 8 + 4 + 2 * NONCE_BYTES + 4 + name.length + 4 + context.length)
                .put(LABEL)
                .put(who)
                .put(hello.port)
                .putInt(hello.dialler)
                .putInt(hello.acceptor)
                .putLong(hello.incarnation)
                .putLong(acceptorIncarnation)
                .putInt(hello.connection)
                .put(hello.nonce)
                .put(acceptorNonce)
                .putInt(name.length)
                .put(name)
                .putInt(context.length)
                .put(context)
                .array();
    }
}
