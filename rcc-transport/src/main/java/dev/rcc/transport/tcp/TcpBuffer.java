package dev.rcc.transport.tcp;

import dev.rcc.core.memory.Memory;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Growing off-heap bytes that RCC uses as {@link Memory}, and Netty as a {@link ByteBuf}. Used by one thread. */
final class TcpBuffer {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

    /** Bytes from 0 on that are in use. */
    int size;

    private Memory memory;
    private ByteBuf netty;

    TcpBuffer(int capacity) {
        allocate(capacity);
    }

    private void allocate(int capacity) {
        memory = Memory.allocate(Arena.ofAuto(), capacity);
        netty = Unpooled.wrappedBuffer(memory.segment().asByteBuffer());
    }

    Memory memory() {
        return memory;
    }

    int capacity() {
        return (int) memory.size();
    }

    /** The bytes as Netty's buffer; Netty holds references of its own while it sends or receives. */
    ByteBuf netty() {
        return netty;
    }

    /** Whether only the caller uses the bytes. */
    boolean isOurs() {
        return netty.refCnt() == 1;
    }

    /** Makes room after the bytes in use. Must be {@linkplain #isOurs ours}. */
    void reserve(int bytes) {
        if (capacity() - size < bytes) {
            replace(Math.max(2 * capacity(), Integer.highestOneBit(size + bytes - 1) << 1), 0);
        }
    }

    /** Drops the first bytes in use. Must be {@linkplain #isOurs ours}. */
    void dropFirst(int bytes) {
        if (bytes > 0) {
            MemorySegment segment = memory.segment();
            MemorySegment.copy(segment, bytes, segment, 0, size - bytes);
            size -= bytes;
        }
    }

    /** Frees the capacity that a burst added. Must be {@linkplain #isOurs ours}, and empty. */
    void shrink(int toCapacity) {
        if (capacity() > toCapacity) {
            replace(toCapacity, 0);
        }
    }

    private void replace(int capacity, int from) {
        Memory before = memory;
        allocate(capacity);
        before.copy(from, memory, 0, size - from);
    }

    int getInt(long offset) {
        return memory.segment().get(INT, offset);
    }

    void putInt(long offset, int value) {
        memory.segment().set(INT, offset, value);
    }

    /** Writes a frame's header, which is one word: length, type, a and b. */
    void putHeader(long offset, int length, byte type, int a, int b) {
        memory.putLong(
                offset,
                (length & 0xFFFF_FFFFL)
                        | ((long) type << TcpFrames.TYPE_SHIFT)
                        | ((a & 0xFFL) << TcpFrames.A_SHIFT)
                        | ((b & 0xFFFFL) << TcpFrames.B_SHIFT));
    }
}
