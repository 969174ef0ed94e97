package dev.rcc.transport.control;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The frames of the control channel behind the {@linkplain dev.rcc.transport.handshake handshake}, all numbers big-endian:
 * <pre>
 *   0        4      5
 *  +--------+------+---------------------------------------------------------------+
 *  | length | type | body                                                          |   length = 1 + bytes of the body
 *  +--------+------+---------------------------------------------------------------+
 *   HELLO            version (4) nodes (4) configuration (text), by the node that has dialled
 *   WELCOME          like HELLO: the other end's answer to it
 *   REFUSED          reason (text), instead of a WELCOME; the connection ends behind it
 *   PING             empty: the sender is alive
 *   QUESTION         number (8) topic (text) question (the rest)
 *   ANSWER           number (8) answer (the rest)
 *   FAILURE          number (8) message (text)
 *
 *   text             length (2), bytes of UTF-8
 * </pre>
 *
 * The form of a frame is checked here, its meaning by {@link ControlConnection}.
 */
final class ControlFrames {
    static final byte HELLO = 1;
    static final byte WELCOME = 2;
    static final byte REFUSED = 3;
    static final byte PING = 4;
    static final byte QUESTION = 5;
    static final byte ANSWER = 6;
    static final byte FAILURE = 7;

    static final int VERSION = 2;

    static final int LENGTH_BYTES = 4;
    static final int MAX_TOPIC_BYTES = 128;
    static final int MAX_REASON_BYTES = 2048;
    /** Longest frame of a peer that has not been admitted. */
    static final int MAX_HELLO_BYTES = 1 + 8 + 2 + ControlOptions.MAX_TEXT_BYTES + MAX_REASON_BYTES;

    static final int MAX_FRAME_BYTES = 1 + 8 + 2 + MAX_TOPIC_BYTES + ControlChannel.MAX_MESSAGE_BYTES;

    /** The version and configuration of a peer. */
    record Hello(int version, int nodes, String configuration) {}

    /** The bytes that were read are no valid frame. */
    static final class BadFrame extends Exception {
        private static final long serialVersionUID = 1L;

        BadFrame(String message) {
            super(message, null, false, false);
        }
    }

    private ControlFrames() {}

    static ByteBuf hello(ByteBufAllocator allocator, byte type, Hello hello) {
        ByteBuf frame = begin(allocator, type);
        frame.writeInt(hello.version).writeInt(hello.nodes);
        writeText(frame, hello.configuration, ControlOptions.MAX_TEXT_BYTES);
        return end(frame);
    }

    static Hello readHello(ByteBuf body) throws BadFrame {
        checkBytes(body, 8);
        return checkEnd(body, new Hello(body.readInt(), body.readInt(), readText(body, ControlOptions.MAX_TEXT_BYTES)));
    }

    static ByteBuf refused(ByteBufAllocator allocator, String reason) {
        ByteBuf frame = begin(allocator, REFUSED);
        writeText(frame, reason, MAX_REASON_BYTES);
        return end(frame);
    }

    static String readReason(ByteBuf body) throws BadFrame {
        return checkEnd(body, readText(body, MAX_REASON_BYTES));
    }

    static ByteBuf ping(ByteBufAllocator allocator) {
        return end(begin(allocator, PING));
    }

    static ByteBuf question(ByteBufAllocator allocator, long number, String topic, byte[] question) {
        ByteBuf frame = begin(allocator, QUESTION).writeLong(number);
        writeText(frame, topic, MAX_TOPIC_BYTES);
        return end(frame.writeBytes(question));
    }

    static ByteBuf answer(ByteBufAllocator allocator, long number, byte[] answer) {
        return end(begin(allocator, ANSWER).writeLong(number).writeBytes(answer));
    }

    static ByteBuf failure(ByteBufAllocator allocator, long number, String message) {
        ByteBuf frame = begin(allocator, FAILURE).writeLong(number);
        writeText(frame, message, MAX_REASON_BYTES);
        return end(frame);
    }

    static long readNumber(ByteBuf body) throws BadFrame {
        checkBytes(body, Long.BYTES);
        return body.readLong();
    }

    static String readText(ByteBuf body, int maxBytes) throws BadFrame {
        checkBytes(body, Short.BYTES);
        int bytes = body.readUnsignedShort();
        if (bytes > maxBytes) {
            throw new BadFrame("a text of " + bytes + " bytes, at most " + maxBytes + " are allowed");
        }
        checkBytes(body, bytes);
        byte[] copy = new byte[bytes];
        body.readBytes(copy);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(copy))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new BadFrame("a text that is not UTF-8");
        }
    }

    static byte[] readRest(ByteBuf body) throws BadFrame {
        if (body.readableBytes() > ControlChannel.MAX_MESSAGE_BYTES) {
            throw new BadFrame(
                    body.readableBytes() + " bytes, at most " + ControlChannel.MAX_MESSAGE_BYTES + " are allowed");
        }
        byte[] rest = new byte[body.readableBytes()];
        body.readBytes(rest);
        return rest;
    }

    static <T> T checkEnd(ByteBuf body, T result) throws BadFrame {
        if (body.isReadable()) {
            throw new BadFrame(body.readableBytes() + " bytes too many");
        }
        return result;
    }

    private static void checkBytes(ByteBuf body, int bytes) throws BadFrame {
        if (body.readableBytes() < bytes) {
            throw new BadFrame("it ends inside a field of " + bytes + " bytes");
        }
    }

    private static ByteBuf begin(ByteBufAllocator allocator, byte type) {
        return allocator.buffer().writeInt(0).writeByte(type);
    }

    private static ByteBuf end(ByteBuf frame) {
        return frame.setInt(0, frame.readableBytes() - LENGTH_BYTES);
    }

    private static void writeText(ByteBuf frame, String text, int maxBytes) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, maxBytes);
        while (length < bytes.length && length > 0 && (bytes[length] & 0xC0) == 0x80) {
            length--; // not in the middle of a character
        }
        frame.writeShort(length).writeBytes(bytes, 0, length);
    }
}
