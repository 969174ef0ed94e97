package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;

/**
 * The producer's end of a ring. Used by one worker. The consumer sees written records after {@link #publish}. The count that
 * the consumer stores is checked, as nothing in shared memory is trusted.
 */
final class ShmRingWriter {
    private final Memory ring;
    private final long capacity;
    private long tail;
    private long published;
    private long head;

    ShmRingWriter(Memory ring) {
        this.ring = ring;
        this.capacity = ring.size() - ShmRingLayout.RECORDS;
    }

    /**
     * Writes a record if there is room.
     *
     * @return false when there is no room now
     * @throws CorruptRing when the consumer's count is impossible
     */
    boolean write(int kind, int rpcId, long call, int room, Memory source, long sourceOffset, int bytes) {
        int record = ShmRingLayout.recordBytes(bytes);
        long at = tail & (capacity - 1);
        long toEnd = capacity - at;
        long padding = record <= toEnd ? 0 : toEnd;
        long needed = padding + record;
        if (tail + needed - head > capacity) {
            head = readHead();
            if (tail + needed - head > capacity) {
                return false;
            }
        }
        if (padding > 0) {
            ring.putLong(ShmRingLayout.RECORDS + at, ShmRingLayout.header(ShmRingLayout.PADDING, 0, 0));
            at = 0;
        }
        long start = ShmRingLayout.RECORDS + at;
        ring.putLong(start, ShmRingLayout.header(kind, rpcId, bytes));
        ring.putLong(start + ShmRingLayout.call(), call);
        ring.putLong(start + ShmRingLayout.room(), room);
        source.copy(sourceOffset, ring, start + ShmRingLayout.HEADER_BYTES, bytes);
        tail += needed;
        return true;
    }

    /** Publishes the written records to the consumer; returns whether there were any. */
    boolean publish() {
        if (tail == published) {
            return false;
        }
        ring.putRelease(ShmRingLayout.TAIL, tail);
        published = tail;
        return true;
    }

    /** For tests that play a peer that breaks the rules. */
    Memory memory() {
        return ring;
    }

    private long readHead() {
        long now = ring.getAcquire(ShmRingLayout.HEAD);
        if (now < head || now > published || (now & (Memory.WORD_BYTES - 1)) != 0) {
            throw new CorruptRing("the consumer claims to have read to byte " + now + ", after " + head + ", of "
                    + published + " bytes written");
        }
        return now;
    }
}
