package dev.rcc.server.raft;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A command to a partition's group. An entry of the group's log is a run of commands, as many as were waiting:
 *
 * <pre>
 *   0   63..32 kind | 31..0 bytes of the transaction's entry, a multiple of 8; 0 if there is none
 *   8   LOG and LOG_ALONE: the number of the log of the worker that coordinates; DECIDED: the id
 *  16   LOG and LOG_ALONE: the transaction's entry ({@link dev.rcc.core.log.LogEntry})
 * </pre>
 */
final class Command {
    /** A transaction that writes this partition and other ones: it has committed when all their groups have it. */
    static final int LOG = 1;
    /** A transaction that writes no other partition: it has committed. */
    static final int LOG_ALONE = 2;
    /** A transaction has committed, according to its coordinator. */
    static final int DECIDED = 3;
    /** Nothing is logged after this. */
    static final int SEAL = 4;

    static final int HEADER_BYTES = 16;

    private static final int KIND_SHIFT = 32;
    private static final int WORD_OFFSET = 8;

    private Command() {}

    /** Writes a command's header. */
    static void put(byte[] bytes, int at, int kind, int entryBytes, long word) {
        words(bytes).putLong(at, (long) kind << KIND_SHIFT | entryBytes).putLong(at + WORD_OFFSET, word);
    }

    static int kind(byte[] bytes, int at) {
        return (int) (words(bytes).getLong(at) >>> KIND_SHIFT);
    }

    static int entryBytes(byte[] bytes, int at) {
        return (int) words(bytes).getLong(at);
    }

    static long word(byte[] bytes, int at) {
        return words(bytes).getLong(at + WORD_OFFSET);
    }

    private static ByteBuffer words(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The offset of the command after this one. */
    static int next(byte[] bytes, int at) {
        return at + HEADER_BYTES + entryBytes(bytes, at);
    }
}
