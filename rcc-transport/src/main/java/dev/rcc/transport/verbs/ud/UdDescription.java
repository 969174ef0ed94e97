package dev.rcc.transport.verbs.ud;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A node's description of itself for peers that call it.
 *
 * @param incarnation distinguishes this run of the node from earlier ones
 * @param lid local identifier of its port; 0 on Ethernet
 * @param gidHigh first half of the port's global identifier
 * @param gidLow second half of it
 * @param packetBytes largest packet that the node takes
 * @param credits packets that a peer's worker may have under way to one of its workers without acknowledgement
 * @param workers its workers' queue pairs, by worker index
 */
record UdDescription(
        int incarnation, int lid, long gidHigh, long gidLow, int packetBytes, int credits, List<QueuePairKey> workers) {
    private static final int FORMAT = 1;
    private static final int FIXED_BYTES = 6 * Integer.BYTES + 2 * Long.BYTES;
    private static final int WORKER_BYTES = 2 * Integer.BYTES;

    /**
     * A worker's queue pair.
     *
     * @param queuePair its number
     * @param qkey the key that packets to it must carry
     */
    record QueuePairKey(int queuePair, int qkey) {}

    /** Takes a copy of the list. */
    UdDescription {
        workers = List.copyOf(workers);
    }

    byte[] encode() {
        ByteBuffer buffer = ByteBuffer.allocate(FIXED_BYTES + workers.size() * WORKER_BYTES);
        buffer.putInt(FORMAT)
                .putInt(incarnation)
                .putInt(lid)
                .putLong(gidHigh)
                .putLong(gidLow)
                .putInt(packetBytes)
                .putInt(credits)
                .putInt(workers.size());
        for (QueuePairKey worker : workers) {
            buffer.putInt(worker.queuePair).putInt(worker.qkey);
        }
        return buffer.array();
    }

    /**
     * Reads the bytes that {@link #encode} wrote.
     *
     * @throws IllegalArgumentException when they are malformed, or of another format
     */
    static UdDescription decode(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        try {
            int format = buffer.getInt();
            if (format != FORMAT) {
                throw new IllegalArgumentException(
                        "the peer's RPC over UD is of format " + format + ", this one of format " + FORMAT);
            }
            int incarnation = buffer.getInt();
            int lid = buffer.getInt();
            long gidHigh = buffer.getLong();
            long gidLow = buffer.getLong();
            int packetBytes = buffer.getInt();
            int credits = buffer.getInt();
            int count = buffer.getInt();
            if (count < 1 || (long) count * WORKER_BYTES != buffer.remaining() || credits < 1 || packetBytes < 1) {
                throw malformed(bytes);
            }
            List<QueuePairKey> workers = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                workers.add(new QueuePairKey(buffer.getInt(), buffer.getInt()));
            }
            return new UdDescription(incarnation, lid, gidHigh, gidLow, packetBytes, credits, workers);
        } catch (BufferUnderflowException e) {
            throw malformed(bytes);
        }
    }

    private static IllegalArgumentException malformed(byte[] bytes) {
        return new IllegalArgumentException(
                "these " + bytes.length + " bytes do not describe a node that is called by RPC over UD");
    }
}
