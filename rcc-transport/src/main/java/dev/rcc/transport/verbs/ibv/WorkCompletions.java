package dev.rcc.transport.verbs.ibv;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Room for work completions in native memory, which lasts as long as this object. For one thread; allocates nothing. */
public final class WorkCompletions {
    /** {@code IBV_WC_RECV}: the bit that an opcode has if a receive completed. */
    public static final int OPCODE_RECV = 1 << 7;
    /** {@code IBV_WC_GRH}: the bit of the flags that is set if 40 bytes of a global route header come first. */
    public static final int FLAG_GRH = 1;
    /** {@code IBV_WC_WITH_IMM}: the bit of the flags that is set if {@link #imm} is valid. */
    public static final int FLAG_IMM = 2;

    private final MemorySegment entries;
    private final int capacity;

    /** Makes room for {@code capacity} completions. */
    public WorkCompletions(int capacity) {
        this.capacity = capacity;
        this.entries = Arena.ofAuto().allocate((long) capacity * WcLayout.BYTES, Long.BYTES);
    }

    /** The number of completions that there is room for. */
    public int capacity() {
        return capacity;
    }

    /** The address of the first completion. */
    public long address() {
        return entries.address();
    }

    /** The number that the work request was given. A failed completion contains only this number, status, vendor error and queue pair. */
    public long wrId(int i) {
        return entries.get(ValueLayout.JAVA_LONG, offset(i) + WcLayout.WR_ID);
    }

    /** Whether the work request succeeded. */
    public boolean isSuccess(int i) {
        return entries.get(ValueLayout.JAVA_INT, offset(i) + WcLayout.STATUS) == 0;
    }

    /** The result of the work request. */
    public WcStatus status(int i) {
        return WcStatus.of(entries.get(ValueLayout.JAVA_INT, offset(i) + WcLayout.STATUS));
    }

    /** The kind of the completed request ({@code enum ibv_wc_opcode}). */
    public int opcode(int i) {
        return entries.get(ValueLayout.JAVA_INT, offset(i) + WcLayout.OPCODE);
    }

    /** The driver's own number for an error. */
    public int vendorError(int i) {
        return entries.get(ValueLayout.JAVA_INT, offset(i) + WcLayout.VENDOR_ERR);
    }

    /** Bytes that were received, or read. */
    public int bytes(int i) {
        return entries.get(ValueLayout.JAVA_INT, offset(i) + WcLayout.BYTE_LEN);
    }

    /** The immediate data that came with a message. */
    public int imm(int i) {
        return Integer.reverseBytes(entries.get(ValueLayout.JAVA_INT, offset(i) + WcLayout.IMM_DATA));
    }

    /** Number of the local queue pair. */
    public int queuePair(int i) {
        return entries.get(ValueLayout.JAVA_INT, offset(i) + WcLayout.QP_NUM);
    }

    /** Number of the queue pair that a datagram came from. */
    public int sourceQueuePair(int i) {
        return entries.get(ValueLayout.JAVA_INT, offset(i) + WcLayout.SRC_QP);
    }

    /** Bits of {@code enum ibv_wc_flags}. */
    public int flags(int i) {
        return entries.get(ValueLayout.JAVA_INT, offset(i) + WcLayout.WC_FLAGS);
    }

    private static long offset(int i) {
        return (long) i * WcLayout.BYTES;
    }
}
