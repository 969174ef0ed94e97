package dev.rcc.transport.verbs.ud;

import dev.rcc.core.memory.Memory;

/**
 * A packet: a header, and the fragments of messages that travel in it. All of it is in words, little-endian. (In front
 * of a packet that has arrived, the device leaves the 40 bytes of its global routing header, which are not shown here.)
 *
 * <pre>
 *       63       56 55       48 47                32 31                              0
 *      +-----------+-----------+--------------------+---------------------------------+
 *   0  |  version  |   node    |       worker       |       incarnation of the node   |  the sender
 *      +-----------+-----------+--------------------+---------------------------------+
 *   8  |             acknowledged                   |            sequence             |  numbers of packets
 *      +-----------+-----------+--------------------+----------------+----------------+
 *  16  |   flags   | fragments |       bytes        |       0        |    session     |
 *      +-----------+-----------+--------------------+----------------+----------------+
 *      |  fragments, each padded to words                                             |
 *
 *  a fragment:
 *      +----------------------------------------+-------------------------------------+
 *   0  |               generation               |                slot                 |  the call
 *      +-----------+-----------+----------------+-------------------------------------+
 *   8  |   kind    |  rpc id   |     bytes      |      offset in the message          |
 *      +-----------+-----------+----------------+-------------------------------------+
 *  16  |          room for the reply            |        bytes of the message         |
 *      +----------------------------------------+-------------------------------------+
 *  24  |  the bytes                                                                   |
 * </pre>
 *
 * The caller chooses slot and generation: the slot is the call's index in its table, the generation distinguishes the calls
 * of one slot. A session is one connection of two nodes; sequence numbers start anew with it.
 */
final class UdPacketLayout {
    static final int VERSION = 2;
    /** Bytes of a packet's header. */
    static final int HEADER_BYTES = 24;
    /** Bytes of a fragment's header. */
    static final int FRAGMENT_BYTES = 24;
    /** Most fragments of a packet. */
    static final int FRAGMENTS_MAX = 255;
    /** Largest packet, whatever the device allows: its length has 16 bits. */
    static final int PACKET_BYTES_MAX = 1 << 15;

    /** Flag: acknowledge this packet at once. */
    static final int PROBE = 1;

    /** Kind of a fragment: part of a request. */
    static final int REQUEST = 1;
    /** Kind of a fragment: part of a reply. */
    static final int REPLY = 2;
    /** Kind of a fragment: the handler failed, or there is none. */
    static final int FAILURE = 3;

    private static final int IDENTITY = 0;
    private static final int NUMBERS = 8;
    private static final int CONTENTS = 16;

    private static final int CALL = 0;
    private static final int PART = 8;
    private static final int MESSAGE = 16;

    private static final int BYTE_BITS = 8;
    private static final int SHORT_BITS = 16;
    private static final int INT_BITS = 32;
    private static final int TOP_BYTE_SHIFT = Long.SIZE - BYTE_BITS;
    private static final int SECOND_BYTE_SHIFT = TOP_BYTE_SHIFT - BYTE_BITS;
    private static final int BYTE_MASK = (1 << BYTE_BITS) - 1;
    private static final int SHORT_MASK = (1 << SHORT_BITS) - 1;
    private static final long INT_MASK = (1L << INT_BITS) - 1;

    private UdPacketLayout() {}

    // The packet's header.

    static long identity(int node, int worker, int incarnation) {
        return word(VERSION, node, worker, incarnation);
    }

    static void putHeader(Memory memory, long packet, long identity, int sequence, int acknowledged) {
        memory.putLong(packet + IDENTITY, identity);
        memory.putLong(packet + NUMBERS, word(acknowledged, sequence));
    }

    static void putContents(Memory memory, long packet, int flags, int fragments, int bytes, int session) {
        memory.putLong(packet + CONTENTS, word(flags, fragments, bytes, session & SHORT_MASK));
    }

    static int version(Memory memory, long packet) {
        return topByte(memory.getLong(packet + IDENTITY));
    }

    static int node(Memory memory, long packet) {
        return secondByte(memory.getLong(packet + IDENTITY));
    }

    static int worker(Memory memory, long packet) {
        return upperShort(memory.getLong(packet + IDENTITY));
    }

    static int incarnation(Memory memory, long packet) {
        return (int) memory.getLong(packet + IDENTITY);
    }

    static int sequence(Memory memory, long packet) {
        return (int) memory.getLong(packet + NUMBERS);
    }

    static int acknowledged(Memory memory, long packet) {
        return (int) (memory.getLong(packet + NUMBERS) >>> INT_BITS);
    }

    static int flags(Memory memory, long packet) {
        return topByte(memory.getLong(packet + CONTENTS));
    }

    static int fragments(Memory memory, long packet) {
        return secondByte(memory.getLong(packet + CONTENTS));
    }

    static int bytes(Memory memory, long packet) {
        return upperShort(memory.getLong(packet + CONTENTS));
    }

    static short session(Memory memory, long packet) {
        return (short) memory.getLong(packet + CONTENTS);
    }

    // A fragment.

    static void putFragment(
            Memory memory, long fragment, int slot, int generation, int kind, int rpcId, int bytes, int offset) {
        memory.putLong(fragment + CALL, word(generation, slot));
        memory.putLong(fragment + PART, word(kind, rpcId, bytes, offset));
    }

    static void putMessage(Memory memory, long fragment, int messageBytes, int replyRoom) {
        memory.putLong(fragment + MESSAGE, word(replyRoom, messageBytes));
    }

    static int slot(Memory memory, long fragment) {
        return (int) memory.getLong(fragment + CALL);
    }

    static int generation(Memory memory, long fragment) {
        return (int) (memory.getLong(fragment + CALL) >>> INT_BITS);
    }

    static int kind(Memory memory, long fragment) {
        return topByte(memory.getLong(fragment + PART));
    }

    static int rpcId(Memory memory, long fragment) {
        return secondByte(memory.getLong(fragment + PART));
    }

    static int fragmentBytes(Memory memory, long fragment) {
        return upperShort(memory.getLong(fragment + PART));
    }

    static int offset(Memory memory, long fragment) {
        return (int) memory.getLong(fragment + PART);
    }

    static int messageBytes(Memory memory, long fragment) {
        return (int) memory.getLong(fragment + MESSAGE);
    }

    static int replyRoom(Memory memory, long fragment) {
        return (int) (memory.getLong(fragment + MESSAGE) >>> INT_BITS);
    }

    /**
     * The first flaw in the contents of a packet, or null. If there is none, all lengths in the header and the fragments
     * are true.
     *
     * @param length bytes that arrived
     * @param messageBytesMax longest message
     */
    static String flaw(Memory memory, long packet, int length, int messageBytesMax) {
        if (length < HEADER_BYTES) {
            return "it is shorter than its header";
        }
        if (version(memory, packet) != VERSION) {
            return "it is of another version";
        }
        if (bytes(memory, packet) != length) {
            return "its length differs from that in its header";
        }
        int at = HEADER_BYTES;
        for (int i = 0, n = fragments(memory, packet); i < n; i++) {
            if (length - at < FRAGMENT_BYTES) {
                return "a fragment's header is cut off";
            }
            long fragment = packet + at;
            int bytes = fragmentBytes(memory, fragment);
            int end = at + FRAGMENT_BYTES + Memory.alignToWord(bytes);
            if (end > length) {
                return "a fragment is cut off";
            }
            int kind = kind(memory, fragment);
            if (kind < REQUEST || kind > FAILURE) {
                return "a fragment is of no known kind";
            }
            int message = messageBytes(memory, fragment);
            int offset = offset(memory, fragment);
            if (message < 0 || message > messageBytesMax || replyRoom(memory, fragment) < 0) {
                return "a message's length is out of range";
            }
            if (offset < 0 || offset > message - bytes || (bytes == 0 && message > 0)) {
                return "a fragment is no part of its message";
            }
            at = end;
        }
        return at == length ? null : "something follows its fragments";
    }

    private static long word(int upper, int lower) {
        return ((long) upper << INT_BITS) | (lower & INT_MASK);
    }

    private static long word(int topByte, int secondByte, int upperShort, int lower) {
        assert (topByte & ~BYTE_MASK) == 0 && (secondByte & ~BYTE_MASK) == 0 : topByte + ", " + secondByte;
        assert (upperShort & ~SHORT_MASK) == 0 : upperShort;
        return ((long) topByte << TOP_BYTE_SHIFT)
                | ((long) secondByte << SECOND_BYTE_SHIFT)
                | ((long) upperShort << INT_BITS)
                | (lower & INT_MASK);
    }

    private static int topByte(long word) {
        return (int) (word >>> TOP_BYTE_SHIFT);
    }

    private static int secondByte(long word) {
        return (int) (word >>> SECOND_BYTE_SHIFT) & BYTE_MASK;
    }

    private static int upperShort(long word) {
        return (int) (word >>> INT_BITS) & SHORT_MASK;
    }
}
