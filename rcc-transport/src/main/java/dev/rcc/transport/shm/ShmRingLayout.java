package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;

/**
 * The rings between two nodes, in one file. Worker {@code i} of a node calls worker {@code i % m} of a peer with {@code m}
 * workers; so between nodes with {@code n} and {@code m} workers there are {@code max(n, m)} links, of which link {@code k} joins
 * workers {@code k % n} and {@code k % m}. A link is two rings, one each way, each of which has one producer and one consumer.
 *
 * <pre>
 *   file                                     ring
 *         0 +--------------------------+           0 +--------------------------------+
 *           | link 0, to the opener's  |             | head: bytes consumed, ever (8) |  stored by the consumer
 *           | peer                     |         128 +--------------------------------+
 *           +--------------------------+             | tail: bytes produced, ever (8) |  stored by the producer
 *           | link 0, to the opener    |         256 +--------------------------------+
 *           +--------------------------+             | records, at tail and head      |
 *           | link 1, ...              |             | modulo the ring's bytes        |
 *           +--------------------------+             +--------------------------------+
 *
 *   record
 *         0 +----------------+----------------+---------------------------------------+
 *           | bits 63-48: 0  | rpc id, kind   | bytes of payload (32)                 |
 *           |                | (8 each)       |                                       |
 *         8 +----------------+----------------+---------------------------------------+
 *           | call: the caller's name for it (64)                                     |
 *        16 +-------------------------------------------------------------------------+
 *           | room for the reply, in bytes (64)                                       |
 *        24 +-------------------------------------------------------------------------+
 *           | payload, then up to 7 bytes to the next multiple of 8                   |
 *           +-------------------------------------------------------------------------+
 * </pre>
 *
 * <p>A record does not wrap round the ring's end; where one would, a PADDING record of only the first word fills the ring. The
 * producer's release of {@code tail} publishes all records before it; the consumer's release of {@code head} frees their bytes.
 */
final class ShmRingLayout {
    /** Fills the ring to its end. */
    static final int PADDING = 1;
    /** A call. */
    static final int REQUEST = 2;
    /** A handler's reply. */
    static final int REPLY = 3;
    /** A call's handler has failed. */
    static final int FAILURE = 4;

    /** Bytes of a record before its payload. */
    static final int HEADER_BYTES = 24;
    /** Offset of the consumer's count. */
    static final long HEAD = 0;
    /** Offset of the producer's count. */
    static final long TAIL = 128;
    /** Offset of the first record. */
    static final long RECORDS = 256;

    private static final long CALL = 8;
    private static final long ROOM = 16;
    private static final int KIND_SHIFT = 32;
    private static final int RPC_SHIFT = 40;
    private static final int BYTE_MASK = 0xFF;
    private static final int UNUSED_SHIFT = 48;

    private ShmRingLayout() {}

    /** Bytes of a file with {@code links} links. */
    static long fileBytes(int links, int ringBytes) {
        return 2L * links * (RECORDS + ringBytes);
    }

    /** The offset in the file of link {@code link}'s ring towards the opener or its peer. */
    static long ringOffset(int link, boolean towardsOpener, int ringBytes) {
        return (2L * link + (towardsOpener ? 1 : 0)) * (RECORDS + ringBytes);
    }

    /** The longest payload such that a record fits into an empty ring at any position. */
    static int maxPayloadBytes(int ringBytes) {
        return ringBytes / 2 - HEADER_BYTES;
    }

    /** Bytes of a record with its payload. */
    static int recordBytes(int payloadBytes) {
        return HEADER_BYTES + Memory.alignToWord(payloadBytes);
    }

    /** The first word of a record. */
    static long header(int kind, int rpcId, int payloadBytes) {
        return (long) rpcId << RPC_SHIFT | (long) kind << KIND_SHIFT | payloadBytes;
    }

    /** The kind of the record; 0 if unused bits are set. */
    static int kind(long header) {
        return header >>> UNUSED_SHIFT == 0 ? (int) (header >>> KIND_SHIFT) & BYTE_MASK : 0;
    }

    /** The RPC id of a request. */
    static int rpcId(long header) {
        return (int) (header >>> RPC_SHIFT) & BYTE_MASK;
    }

    /** Length of the payload; may be negative if the header is corrupt. */
    static int payloadBytes(long header) {
        return (int) header;
    }

    /** Offset of the caller's name for the call, from the record's start. */
    static long call() {
        return CALL;
    }

    /** Offset of the room for the reply, from the record's start. */
    static long room() {
        return ROOM;
    }
}
