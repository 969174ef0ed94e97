package dev.rcc.transport.verbs;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A node's description of itself, which it sends to a peer before they connect.
 *
 * @param incarnation the node's incarnation
 * @param workers the number of its workers
 * @param qpsPerPeer queue pairs from each worker to each peer, the same on all nodes
 * @param gidHigh first 8 bytes of its port's global identifier
 * @param gidLow last 8 bytes
 * @param lid its port's local identifier
 * @param ethernet whether its link is Ethernet
 * @param mtuBytes its port's active MTU
 * @param readsAccepted READs and atomics that one of its queue pairs can have in progress for a peer
 * @param readsIssued READs and atomics that one of its queue pairs can have in progress on a peer
 * @param rpc the way in which it carries calls
 * @param rpcDescription the data that a peer needs to call it
 * @param regions its registered memory
 */
@SuppressWarnings("ArrayRecordComponent") // bytes on their way; they are not compared or kept
record Hello(
        long incarnation,
        int workers,
        int qpsPerPeer,
        long gidHigh,
        long gidLow,
        int lid,
        boolean ethernet,
        int mtuBytes,
        int readsAccepted,
        int readsIssued,
        String rpc,
        byte[] rpcDescription,
        PeerRegions regions) {
    /** Begins every message of this form, so that another version is recognized. */
    private static final long MAGIC = 0x5243435645524203L;

    private static final int FIXED_BYTES = 4 * Long.BYTES + 8 * Integer.BYTES + 1;

    byte[] encode() {
        byte[] name = rpc.getBytes(StandardCharsets.UTF_8);
        ByteBuffer to = ByteBuffer.allocate(FIXED_BYTES + name.length + rpcDescription.length + regions.encodedBytes());
        to.putLong(MAGIC)
                .putLong(incarnation)
                .putInt(workers)
                .putInt(qpsPerPeer)
                .putLong(gidHigh)
                .putLong(gidLow)
                .putInt(lid);
        to.put((byte) (ethernet ? 1 : 0)).putInt(mtuBytes).putInt(readsAccepted).putInt(readsIssued);
        to.putInt(name.length).put(name).putInt(rpcDescription.length).put(rpcDescription);
        regions.encode(to);
        return to.array();
    }

    /**
     * Decodes a peer's description.
     *
     * @throws IllegalArgumentException when it is of another version or malformed
     */
    static Hello decode(ByteBuffer from) {
        if (from.remaining() < FIXED_BYTES || from.getLong() != MAGIC) {
            throw new IllegalArgumentException(
                    "it runs another version of the verbs network: run one version everywhere");
        }
        try {
            return read(from);
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("it sent a message that ends too early", e);
        }
    }

    private static Hello read(ByteBuffer from) {
        return new Hello(
                from.getLong(),
                from.getInt(),
                from.getInt(),
                from.getLong(),
                from.getLong(),
                from.getInt(),
                from.get() != 0,
                from.getInt(),
                from.getInt(),
                from.getInt(),
                new String(bytes(from), StandardCharsets.UTF_8),
                bytes(from),
                PeerRegions.decode(from));
    }

    private static byte[] bytes(ByteBuffer from) {
        int length = from.getInt();
        if (length < 0 || length > from.remaining()) {
            throw new IllegalArgumentException("it sent a malformed message");
        }
        byte[] bytes = new byte[length];
        from.get(bytes);
        return bytes;
    }
}
