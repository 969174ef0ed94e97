package dev.rcc.transport;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import java.util.Arrays;

/**
 * A doorbell batch whose work requests are recorded in parallel arrays until they are posted: request {@code i} is at index
 * {@code i}. Reused; allocates nothing once its arrays hold the largest batch. Used on its endpoint's worker.
 */
public abstract class RecordedBatch implements Batch {
    /** Opcode of a READ. */
    protected static final byte READ = 0;
    /** Opcode of a WRITE from the buffers. */
    protected static final byte WRITE = 1;
    /** Opcode of a WRITE of a word that the request carries. */
    protected static final byte WRITE_WORD = 2;
    /** Opcode of a CAS; this opcode and the later ones are atomics. */
    protected static final byte CAS = 3;
    /** Opcode of a FETCH_ADD. */
    protected static final byte FETCH_ADD = 4;

    /** The bits of an offset that are 0 if it is aligned to words. */
    protected static final int UNALIGNED = Memory.WORD_BYTES - 1;

    private static final int INITIAL_REQUESTS = 8;

    /** Whether requests may be appended: from the start until the post. */
    protected boolean open;
    /** Number of requests. */
    protected int size;
    /** The requests' opcodes. */
    protected byte[] opcodes = new byte[INITIAL_REQUESTS];
    /** The requests' addresses on the peer. */
    protected long[] addresses = new long[INITIAL_REQUESTS];
    /** Offsets in the buffers where the bytes or the result go, or come from; unused by a WRITE_WORD. */
    protected long[] locals = new long[INITIAL_REQUESTS];
    /** Bytes that are read or written on the peer. */
    protected int[] lengths = new int[INITIAL_REQUESTS];
    /** The value of a WRITE_WORD, the word that a CAS expects, or the delta of a FETCH_ADD. */
    protected long[] operands = new long[INITIAL_REQUESTS];
    /** The word that a CAS writes. */
    protected long[] desired = new long[INITIAL_REQUESTS];

    private final WorkerCounters counters;
    private int peer;

    /** An empty batch, which must be {@link #open(int) opened}. */
    protected RecordedBatch(WorkerCounters counters) {
        this.counters = counters;
    }

    /** Takes the batch out of a pool, for requests to {@code toPeer}. */
    protected final void open(int toPeer) {
        assert !open : "a batch in use was in the pool";
        open = true;
        peer = toPeer;
        size = 0;
        counters.batch();
    }

    @Override
    public final Batch read(long sourceAddress, int bytes, long targetOffset) {
        int i = append(READ, sourceAddress, bytes);
        locals[i] = targetOffset;
        return this;
    }

    @Override
    public final Batch write(long sourceOffset, int bytes, long targetAddress) {
        int i = append(WRITE, targetAddress, bytes);
        locals[i] = sourceOffset;
        return this;
    }

    @Override
    public final Batch writeWord(long value, long targetAddress) {
        checkAligned(targetAddress);
        int i = append(WRITE_WORD, targetAddress, Memory.WORD_BYTES);
        operands[i] = value;
        return this;
    }

    @Override
    public Batch cas(long targetAddress, long expectedWord, long desiredWord, long resultOffset) {
        checkAligned(targetAddress);
        checkResultAligned(resultOffset);
        int i = append(CAS, targetAddress, Memory.WORD_BYTES);
        operands[i] = expectedWord;
        desired[i] = desiredWord;
        locals[i] = resultOffset;
        return this;
    }

    @Override
    public final Batch fetchAdd(long targetAddress, long delta, long resultOffset) {
        checkAligned(targetAddress);
        checkResultAligned(resultOffset);
        int i = append(FETCH_ADD, targetAddress, Memory.WORD_BYTES);
        operands[i] = delta;
        locals[i] = resultOffset;
        return this;
    }

    @Override
    public final int peer() {
        return peer;
    }

    @Override
    public final int size() {
        return size;
    }

    /** The exception for a request to a region that the peer does not have. */
    protected static IllegalArgumentException unknownRegion(long address) {
        return new IllegalArgumentException("node " + RemoteAddress.node(address) + " has no region "
                + RemoteAddress.region(address) + ", asked for " + RemoteAddress.toString(address));
    }

    private int append(byte opcode, long address, int bytes) {
        assert open : "a batch was used after it was posted";
        if (RemoteAddress.node(address) != peer) {
            throw new IllegalArgumentException(
                    "a batch to node " + peer + " cannot reach " + RemoteAddress.toString(address));
        }
        int i = size++;
        if (i == opcodes.length) {
            grow();
        }
        opcodes[i] = opcode;
        counters.operation(opcode);
        addresses[i] = address;
        lengths[i] = bytes;
        return i;
    }

    private void grow() {
        int longer = opcodes.length * 2;
        opcodes = Arrays.copyOf(opcodes, longer);
        addresses = Arrays.copyOf(addresses, longer);
        locals = Arrays.copyOf(locals, longer);
        lengths = Arrays.copyOf(lengths, longer);
        operands = Arrays.copyOf(operands, longer);
        desired = Arrays.copyOf(desired, longer);
    }

    private static void checkAligned(long address) {
        // The low bits of a packed address are those of its offset.
        if ((address & UNALIGNED) != 0) {
            throw new IllegalArgumentException(
                    "a word's address must be a multiple of 8, got " + RemoteAddress.toString(address));
        }
    }

    private static void checkResultAligned(long resultOffset) {
        if ((resultOffset & UNALIGNED) != 0) {
            throw new IllegalArgumentException("a result's offset must be a multiple of 8, got " + resultOffset);
        }
    }
}
