package dev.rcc.transport.tcp;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The data about a peer that a node needs to connect to it, exchanged over the control channel.
 *
 * @param incarnation the peer's incarnation
 * @param workers the number of the peer's workers
 * @param host the host where the peer takes data connections
 * @param port the port where it takes them
 * @param token the token that the connections must show
 */
@SuppressWarnings("ArrayRecordComponent") // they are not compared
record TcpHello(long incarnation, int workers, String host, int port, byte[] token) {
    static final int MAX_HOST = 255;
    static final int MAX_WORKERS = 1024;

    private static final int VERSION = 2;
    private static final byte NOT_READY = 0;
    private static final byte READY = 1;

    /** The data that a node sends about itself when it asks for a link. */
    record Question(long incarnation, int workers) {}

    /** Encodes the question for a link between this node and the asked node. */
    static byte[] question(long incarnation, int workers) {
        return ByteBuffer.allocate(16)
                .putInt(VERSION)
                .putInt(workers)
                .putLong(incarnation)
                .array();
    }

    /** Decodes a question. */
    static Question readQuestion(byte[] question) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(question);
            checkVersion(buffer.getInt());
            int workers = checkWorkers(buffer.getInt());
            return new Question(checkIncarnation(buffer.getLong()), workers);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("a question of " + question.length + " bytes is too short", e);
        }
    }

    static byte[] notReady() {
        return new byte[] {NOT_READY};
    }

    byte[] answer() {
        byte[] name = host.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(1 + 4 + 8 + 4 + 4 + TcpFrames.TOKEN_BYTES + name.length)
                .put(READY)
                .putInt(VERSION)
                .putLong(incarnation)
                .putInt(workers)
                .putInt(port)
                .put(token)
                .put(name)
                .array();
    }

    /** Decodes a peer's answer; empty if the peer does not let this node in yet. */
    static Optional<TcpHello> readAnswer(byte[] answer) {
        try {
            ByteBuffer buffer = ByteBuffer.wrap(answer);
            if (buffer.get() == NOT_READY) {
                return Optional.empty();
            }
            checkVersion(buffer.getInt());
            long incarnation = checkIncarnation(buffer.getLong());
            int workers = checkWorkers(buffer.getInt());
            int port = buffer.getInt();
            byte[] token = new byte[TcpFrames.TOKEN_BYTES];
            buffer.get(token);
            byte[] name = new byte[buffer.remaining()];
            buffer.get(name);
            return Optional.of(
                    new TcpHello(incarnation, workers, new String(name, StandardCharsets.UTF_8), port, token));
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("an answer of " + answer.length + " bytes is too short", e);
        }
    }

    private static void checkVersion(int version) {
        if (version != VERSION) {
            throw new IllegalArgumentException(
                    "version of the tcp network differs: " + version + " there, " + VERSION + " here");
        }
    }

    private static long checkIncarnation(long incarnation) {
        if (incarnation <= 0) {
            throw new IllegalArgumentException("a node's incarnation is positive, got " + incarnation);
        }
        return incarnation;
    }

    private static int checkWorkers(int workers) {
        if (workers < 1 || workers > MAX_WORKERS) {
            throw new IllegalArgumentException("a node must have 1 to " + MAX_WORKERS + " workers, got " + workers);
        }
        return workers;
    }
}
