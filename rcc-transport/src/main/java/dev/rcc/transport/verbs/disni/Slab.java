package dev.rcc.transport.verbs.disni;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/**
 * Native memory for verb calls: blocks of a few sizes that are cut from chunks and reused. A block that is not returned
 * is not lost, as a chunk is freed when the last of its blocks is garbage; so users of DiSNI may, as they are used to,
 * forget to free a call. An arena of its own for every call would cost a thousand times as much.
 */
final class Slab {
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int BLOCK_SHIFT_MIN = 6;
    private static final int BLOCK_BYTES_MAX = 1 << 13;
    private static final int SIZES = 8;
    private static final int FREE_BLOCKS_MAX = 256;

    private static final Slab SHARED = new Slab();

    private final ArrayDeque<MemorySegment>[] free = newQueues();
    private MemorySegment chunk = MemorySegment.NULL;
    private long used;

    /** The slab for all calls of the process. */
    static Slab shared() {
        return SHARED;
    }

    /** At least {@code bytes} zeroed bytes, aligned to a cache line, for as long as the segment is reachable. */
    synchronized MemorySegment take(int bytes) {
        if (bytes > BLOCK_BYTES_MAX) {
            return Arena.ofAuto().allocate(bytes, 1 << BLOCK_SHIFT_MIN);
        }
        int size = sizeOf(bytes);
        MemorySegment block = free[size].pollLast();
        if (block != null) {
            return block.fill((byte) 0);
        }
        long blockBytes = 1L << (BLOCK_SHIFT_MIN + size);
        if (used + blockBytes > chunk.byteSize()) {
            chunk = Arena.ofAuto().allocate(CHUNK_BYTES, BLOCK_BYTES_MAX);
            used = 0;
        }
        block = chunk.asSlice(used, blockBytes);
        used += blockBytes;
        return block;
    }

    /** Returns a block, which must not be used any more. */
    synchronized void give(MemorySegment block) {
        if (block.byteSize() <= BLOCK_BYTES_MAX) {
            ArrayDeque<MemorySegment> blocks = free[sizeOf((int) block.byteSize())];
            if (blocks.size() < FREE_BLOCKS_MAX) {
                blocks.addLast(block);
            }
        }
    }

    private static int sizeOf(int bytes) {
        int shift = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(bytes, 1) - 1);
        return Math.max(shift - BLOCK_SHIFT_MIN, 0);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generic types
    private static ArrayDeque<MemorySegment>[] newQueues() {
        ArrayDeque<MemorySegment>[] queues = new ArrayDeque[SIZES];
        for (int i = 0; i < SIZES; i++) {
            queues[i] = new ArrayDeque<>();
        }
        return queues;
    }
}
