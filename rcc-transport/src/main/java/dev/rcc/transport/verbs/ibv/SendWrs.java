package dev.rcc.transport.verbs.ibv;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;

/**
 * Send work requests in native memory, each with one piece of local memory and some room for inline bytes:
 * preformatted, so that filling a request takes a few stores. The device copies them when they are posted, so they can be
 * filled anew at once.
 *
 * <pre>
 *  one request (a multiple of 16 bytes)
 * +-----------------------------+-----------------+----------------------------------+
 * |  ibv_send_wr (128)          |  ibv_sge (16)   |  inline bytes (0 or more)        |
 * +-----------------------------+-----------------+----------------------------------+
 *      sg_list ---------------->     addr ------>   (or registered memory elsewhere)
 * </pre>
 *
 * Request {@code i} is linked to request {@code i + 1} to begin with; {@link #end} ends a chain, {@link #link} continues it.
 * This class does not check local and remote addresses and keys: the device does, and completes a wrong request as failed. For
 * one thread; allocates nothing.
 */
public final class SendWrs {
    private static final int RDMA_WRITE = 0;
    private static final int SEND = 2;
    private static final int SEND_WITH_IMM = 3;
    private static final int RDMA_READ = 4;
    private static final int ATOMIC_CMP_AND_SWP = 5;
    private static final int ATOMIC_FETCH_AND_ADD = 6;

    private static final int SGE = SendWrLayout.BYTES;
    private static final int INLINE = SGE + SgeLayout.BYTES;
    private static final int ALIGNMENT = 16;
    private static final int ATOMIC_BYTES = Long.BYTES;

    private final MemorySegment wrs;
    private final long base;
    private final int count;
    private final int stride;
    private final int inlineBytes;

    /**
     * Makes {@code count} requests.
     *
     * @param inlineBytes room for inline bytes in each request; each queue pair has a limit of its own
     */
    public SendWrs(int count, int inlineBytes) {
        if (count < 1 || inlineBytes < 0) {
            throw new IllegalArgumentException("there must be 1 request or more with 0 bytes inline or more, got "
                    + count + " with " + inlineBytes);
        }
        this.count = count;
        this.inlineBytes = inlineBytes;
        this.stride = (INLINE + inlineBytes + ALIGNMENT - 1) & -ALIGNMENT;
        this.wrs = Arena.ofAuto().allocate((long) count * stride, 64);
        this.base = wrs.address();
        for (int i = 0; i < count; i++) {
            putLong(i, SendWrLayout.SG_LIST, address(i) + SGE);
            putInt(i, SendWrLayout.NUM_SGE, 1);
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
        return base + (long) i * stride;
    }

    /** Reads remote bytes into local memory. */
    public void read(int i, long wrId, long local, int bytes, int lkey, long remote, int rkey, int flags) {
        head(i, wrId, RDMA_READ, flags);
        piece(i, local, bytes, lkey);
        putLong(i, SendWrLayout.REMOTE_ADDR, remote);
        putInt(i, SendWrLayout.RDMA_RKEY, rkey);
    }

    /** Writes local bytes to remote memory. */
    public void write(int i, long wrId, long local, int bytes, int lkey, long remote, int rkey, int flags) {
        head(i, wrId, RDMA_WRITE, flags);
        piece(i, local, bytes, lkey);
        putLong(i, SendWrLayout.REMOTE_ADDR, remote);
        putInt(i, SendWrLayout.RDMA_RKEY, rkey);
    }

    /** Writes a word, which the request carries inline, to remote memory. */
    public void writeWord(int i, long wrId, long word, long remote, int rkey, int flags) {
        if (inlineBytes < Long.BYTES) {
            throw new IllegalArgumentException("a word needs room for 8 bytes inline, there is for " + inlineBytes);
        }
        head(i, wrId, RDMA_WRITE, flags | SendFlags.INLINE);
        putLong(i, INLINE, word);
        piece(i, base + (long) i * stride + INLINE, Long.BYTES, 0);
        putLong(i, SendWrLayout.REMOTE_ADDR, remote);
        putInt(i, SendWrLayout.RDMA_RKEY, rkey);
    }

    /** Compares and swaps a remote word; its former value goes to local memory. Both must be aligned. */
    public void cas(
            int i, long wrId, long local, int lkey, long remote, int rkey, long expected, long desired, int flags) {
        head(i, wrId, ATOMIC_CMP_AND_SWP, flags);
        piece(i, local, ATOMIC_BYTES, lkey);
        putLong(i, SendWrLayout.REMOTE_ADDR, remote);
        putInt(i, SendWrLayout.ATOMIC_RKEY, rkey);
        putLong(i, SendWrLayout.COMPARE_ADD, expected);
        putLong(i, SendWrLayout.SWAP, desired);
    }

    /** Adds to a remote word; its former value goes to local memory. Both must be aligned. */
    public void fetchAdd(int i, long wrId, long local, int lkey, long remote, int rkey, long delta, int flags) {
        head(i, wrId, ATOMIC_FETCH_AND_ADD, flags);
        piece(i, local, ATOMIC_BYTES, lkey);
        putLong(i, SendWrLayout.REMOTE_ADDR, remote);
        putInt(i, SendWrLayout.ATOMIC_RKEY, rkey);
        putLong(i, SendWrLayout.COMPARE_ADD, delta);
    }

    /** Sends local bytes as a message. */
    public void send(int i, long wrId, long local, int bytes, int lkey, int flags) {
        head(i, wrId, SEND, flags);
        piece(i, local, bytes, lkey);
    }

    /** Sends local bytes as a message with four bytes of immediate data. */
    public void sendImm(int i, long wrId, long local, int bytes, int lkey, int imm, int flags) {
        head(i, wrId, SEND_WITH_IMM, flags);
        piece(i, local, bytes, lkey);
        putInt(i, SendWrLayout.IMM_DATA, Integer.reverseBytes(imm));
    }

    /**
     * Makes the request carry bytes inline, which need not be registered, in place of the local memory that was set before.
     * Called after {@link #write}, {@link #send} or {@link #sendImm}.
     */
    public void inline(int i, MemorySegment source, long offset, int bytes) {
        if (bytes > inlineBytes) {
            throw new IllegalArgumentException("there is room for " + inlineBytes + " bytes inline, got " + bytes);
        }
        MemorySegment.copy(source, offset, wrs, address(i) - base + INLINE, bytes);
        piece(i, address(i) + INLINE, bytes, 0);
        putInt(i, SendWrLayout.SEND_FLAGS, getInt(i, SendWrLayout.SEND_FLAGS) | SendFlags.INLINE);
    }

    /** Sets the destination of a datagram. Called after {@link #send} or {@link #sendImm}. */
    public void to(int i, AddressHandle ah, int queuePair, int qkey) {
        putLong(i, SendWrLayout.UD_AH, ah.address());
        putInt(i, SendWrLayout.UD_REMOTE_QPN, queuePair);
        putInt(i, SendWrLayout.UD_REMOTE_QKEY, qkey);
    }

    /** Adds bits of {@link SendFlags} to a request. */
    public void flag(int i, int flags) {
        putInt(i, SendWrLayout.SEND_FLAGS, getInt(i, SendWrLayout.SEND_FLAGS) | flags);
    }

    /** Ends a chain with request {@code i}, which then completes visibly. */
    public void signalAndEnd(int i) {
        flag(i, SendFlags.SIGNALED);
        putLong(i, SendWrLayout.NEXT, 0);
    }

    /** Links request {@code i} to the next one again, after {@link #end} or {@link #signalAndEnd}. */
    public void continueAfter(int i) {
        if (i < count - 1) {
            putLong(i, SendWrLayout.NEXT, base + (long) (i + 1) * stride);
        }
    }

    /** Makes request {@code next} follow request {@code i}. */
    public void link(int i, int next) {
        putLong(i, SendWrLayout.NEXT, address(next));
    }

    /** Ends the chain with request {@code i}. */
    public void end(int i) {
        putLong(i, SendWrLayout.NEXT, 0);
    }

    private void head(int i, long wrId, int opcode, int flags) {
        putLong(i, SendWrLayout.WR_ID, wrId);
        putInt(i, SendWrLayout.OPCODE, opcode);
        putInt(i, SendWrLayout.SEND_FLAGS, flags);
    }

    private void piece(int i, long local, int bytes, int lkey) {
        putLong(i, SGE + SgeLayout.ADDR, local);
        putInt(i, SGE + SgeLayout.LENGTH, bytes);
        putInt(i, SGE + SgeLayout.LKEY, lkey);
        putInt(i, SendWrLayout.NUM_SGE, bytes == 0 ? 0 : 1);
    }

    private int getInt(int i, int offset) {
        return wrs.get(ValueLayout.JAVA_INT, (long) i * stride + offset);
    }

    private void putInt(int i, int offset, int value) {
        wrs.set(ValueLayout.JAVA_INT, (long) i * stride + offset, value);
    }

    private void putLong(int i, int offset, long value) {
        wrs.set(ValueLayout.JAVA_LONG, (long) i * stride + offset, value);
    }
}
