package dev.rcc.transport.verbs.ibv;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Receive work requests in native memory, each with one piece of local memory. The device copies them when they are posted.
 * Request {@code i} is linked to request {@code i + 1} to begin with. For one thread; allocates nothing.
 */
public final class RecvWrs {
    private static final int SGE = RecvWrLayout.BYTES;
    private static final int STRIDE = SGE + SgeLayout.BYTES;

    private final MemorySegment wrs;
    private final long base;
    private final int count;

    /** Makes {@code count} requests. */
    public RecvWrs(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("there must be 1 request or more, got " + count);
        }
        this.count = count;
        this.wrs = Arena.ofAuto().allocate((long) count * STRIDE, Long.BYTES);
        this.base = wrs.address();
        for (int i = 0; i < count; i++) {
            putLong(i, RecvWrLayout.SG_LIST, address(i) + SGE);
            putInt(i, RecvWrLayout.NUM_SGE, 1);
            if (i < count - 1) {
                link(i, i + 1);
            }
        }
    }

    /** The number of requests. */
    public int count() {
        return count;
    }

    /** The address of a request. */
    public long address(int i) {
        Objects.checkIndex(i, count);
        return base + (long) i * STRIDE;
    }

    /** Sets the local memory that a message is received into. */
    public void set(int i, long wrId, long local, int bytes, int lkey) {
        putLong(i, RecvWrLayout.WR_ID, wrId);
        putLong(i, SGE + SgeLayout.ADDR, local);
        putInt(i, SGE + SgeLayout.LENGTH, bytes);
        putInt(i, SGE + SgeLayout.LKEY, lkey);
    }

    /** Makes request {@code next} follow request {@code i}. */
    public void link(int i, int next) {
        putLong(i, RecvWrLayout.NEXT, address(next));
    }

    /** Ends the chain with request {@code i}. */
    public void end(int i) {
        putLong(i, RecvWrLayout.NEXT, 0);
    }

    private void putInt(int i, int offset, int value) {
        wrs.set(ValueLayout.JAVA_INT, (long) i * STRIDE + offset, value);
    }

    private void putLong(int i, int offset, long value) {
        wrs.set(ValueLayout.JAVA_LONG, (long) i * STRIDE + offset, value);
    }
}
