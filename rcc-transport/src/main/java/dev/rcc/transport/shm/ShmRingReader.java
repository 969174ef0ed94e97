package dev.rcc.transport.shm;

import dev.rcc.core.memory.Memory;

/**
 * The consumer's end of a ring: {@link #next} goes to a record, whose parts the getters return; {@link #release} frees the bytes of
 * all records read. Used by one worker. Headers are read once and checked before use, so the checked value is the one
 * used; but a payload can change until it is copied.
 */
final class ShmRingReader {
    private final Memory ring;
    private final long capacity;
    private final int maxPayloadBytes;
    private long position;
    private long released;
    private long end;

    private int kind;
    private int rpcId;
    private int payloadBytes;
    private long payloadOffset;
    private long call;
    private long room;

    ShmRingReader(Memory ring) {
        this.ring = ring;
        this.capacity = ring.size() - ShmRingLayout.RECORDS;
        this.maxPayloadBytes = ShmRingLayout.maxPayloadBytes((int) capacity);
    }

    /**
     * Goes to the next record.
     *
     * @return false when there is none now
     * @throws CorruptRing when the bytes there cannot be a record
     */
    boolean next() {
        if (position == end && !refill()) {
            return false;
        }
        long at = position & (capacity - 1);
        long header = ring.getLong(ShmRingLayout.RECORDS + at);
        if (ShmRingLayout.kind(header) == ShmRingLayout.PADDING) {
            if (at == 0 || capacity - at >= end - position) {
                throw corrupt("padding", header);
            }
            position += capacity - at;
            at = 0;
            header = ring.getLong(ShmRingLayout.RECORDS);
        }
        int bytes = ShmRingLayout.payloadBytes(header);
        if (bytes < 0 || bytes > maxPayloadBytes) {
            throw corrupt("a payload of " + bytes + " bytes, of at most " + maxPayloadBytes, header);
        }
        int record = ShmRingLayout.recordBytes(bytes);
        if (record > end - position || record > capacity - at) {
            throw corrupt("a record that is not whole", header);
        }
        int found = ShmRingLayout.kind(header);
        if (found != ShmRingLayout.REQUEST && found != ShmRingLayout.REPLY && found != ShmRingLayout.FAILURE) {
            throw corrupt("a record of no known kind", header);
        }
        long start = ShmRingLayout.RECORDS + at;
        kind = found;
        rpcId = ShmRingLayout.rpcId(header);
        payloadBytes = bytes;
        payloadOffset = start + ShmRingLayout.HEADER_BYTES;
        call = ring.getLong(start + ShmRingLayout.call());
        room = ring.getLong(start + ShmRingLayout.room());
        position += record;
        return true;
    }

    /** Frees the bytes of every record so far, including the current one. */
    void release() {
        if (position != released) {
            ring.putRelease(ShmRingLayout.HEAD, position);
            released = position;
        }
    }

    int kind() {
        return kind;
    }

    int rpcId() {
        return rpcId;
    }

    int payloadBytes() {
        return payloadBytes;
    }

    long call() {
        return call;
    }

    /** Room for the reply as the caller set it; not checked. */
    long room() {
        return room;
    }

    /** Copies the current record's payload out. */
    void copyPayload(Memory target, long targetOffset) {
        ring.copy(payloadOffset, target, targetOffset, payloadBytes);
    }

    private boolean refill() {
        long now = ring.getAcquire(ShmRingLayout.TAIL);
        if (now == end) {
            return false;
        }
        if (now < end || now - released > capacity || (now & (Memory.WORD_BYTES - 1)) != 0) {
            throw new CorruptRing("the producer claims to have written to byte " + now + ", after " + end
                    + ", of which " + released + " are given back, in a ring of " + capacity);
        }
        end = now;
        return true;
    }

    private CorruptRing corrupt(String what, long header) {
        return new CorruptRing(what + " at byte " + position + " of " + end + ", header " + Long.toHexString(header)
                + ", in a ring of " + capacity);
    }
}
