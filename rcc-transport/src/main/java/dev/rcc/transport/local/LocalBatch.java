package dev.rcc.transport.local;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * A doorbell batch on shared memory. Appending records work requests in parallel arrays; posting carries them out, in
 * order, on the worker that posts. They have taken effect when {@link #post} returns, but the completion is told by the
 * endpoint's next poll, so that coroutines overlap at a round trip as they do on a NIC.
 *
 * <p>How the promised order comes about:
 * <ul>
 *   <li>WRITE: a release before it, so that whoever acquires its word sees all that the batch did earlier.
 *   <li>READ: an acquire behind it, so that nothing later in the batch is done before it.
 *   <li>WRITE, then READ: a full fence between them. Neither release nor acquire keeps a load behind an earlier store
 *       to another address, and two workers that each WRITE and then READ the other's word must not both miss.
 *   <li>CAS and FETCH_ADD: fully ordered by {@link Memory}.
 *   <li>The end: a full fence if a WRITE is not yet fenced, as a completed WRITE is visible to all.
 * </ul>
 */
final class LocalBatch implements Batch {
    private static final byte READ = 0;
    private static final byte WRITE = 1;
    private static final byte WRITE_WORD = 2;
    private static final byte CAS = 3;
    private static final byte FETCH_ADD = 4;

    private static final int INITIAL_REQUESTS = 8;
    private static final int UNALIGNED = Memory.WORD_BYTES - 1;

    private final LocalEndpoint endpoint;
    private final Memory buffers;
    private boolean open;
    private int peer;
    private int size;

    /** The peer's regions when the batch was started, to touch; what counts is what {@link #post} finds. */
    private Memory[] regions;

    @SuppressWarnings("UnusedVariable") // what was touched is of no use, but the JIT must not know that
    private long touched;

    // Request i is at index i; each opcode fills in only what it needs.
    private byte[] opcodes = new byte[INITIAL_REQUESTS];
    private long[] addresses = new long[INITIAL_REQUESTS];
    private long[] locals = new long[INITIAL_REQUESTS];
    private int[] lengths = new int[INITIAL_REQUESTS];
    /** The value of a WRITE_WORD, what a CAS expects, or what a FETCH_ADD adds. */
    private long[] operands = new long[INITIAL_REQUESTS];

    private long[] desired = new long[INITIAL_REQUESTS];

    LocalBatch(LocalEndpoint endpoint, Memory buffers) {
        this.endpoint = endpoint;
        this.buffers = buffers;
    }

    /** Takes the batch out of the pool. */
    LocalBatch start(int toPeer) {
        assert !open : "a batch in use was in the pool";
        open = true;
        peer = toPeer;
        size = 0;
        LocalFabric target = endpoint.reach(toPeer);
        regions = target == null ? null : target.regions();
        return this;
    }

    @Override
    public Batch read(long sourceAddress, int bytes, long targetOffset) {
        int i = append(READ, sourceAddress);
        lengths[i] = bytes;
        locals[i] = targetOffset;
        return this;
    }

    @Override
    public Batch write(long sourceOffset, int bytes, long targetAddress) {
        int i = append(WRITE, targetAddress);
        lengths[i] = bytes;
        locals[i] = sourceOffset;
        return this;
    }

    @Override
    public Batch writeWord(long value, long targetAddress) {
        checkAligned(targetAddress);
        int i = append(WRITE_WORD, targetAddress);
        operands[i] = value;
        return this;
    }

    @Override
    public Batch cas(long targetAddress, long expectedWord, long desiredWord, long resultOffset) {
        checkAligned(targetAddress);
        checkResultAligned(resultOffset);
        int i = append(CAS, targetAddress);
        touch(targetAddress);
        operands[i] = expectedWord;
        desired[i] = desiredWord;
        locals[i] = resultOffset;
        return this;
    }

    @Override
    public Batch fetchAdd(long targetAddress, long delta, long resultOffset) {
        checkAligned(targetAddress);
        checkResultAligned(resultOffset);
        int i = append(FETCH_ADD, targetAddress);
        operands[i] = delta;
        locals[i] = resultOffset;
        return this;
    }

    @Override
    public int peer() {
        return peer;
    }

    @Override
    public int size() {
        return size;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException when the peer has no such region; the completion is not told and the requests
     *     before have taken effect
     * @throws IndexOutOfBoundsException likewise, when an address or offset is outside its region
     */
    @Override
    public void post(Completion completion) {
        assert open : "a batch was posted twice";
        int to = peer;
        LocalFabric target = endpoint.reach(to);
        try {
            if (target != null) {
                carryOut(target.regions());
            }
        } finally {
            open = false;
            endpoint.recycle(this);
        }
        completion.add();
        endpoint.complete(completion, target != null ? Completion.NO_PEER : to);
    }

    private void carryOut(Memory[] regions) {
        boolean unfencedWrite = false;
        for (int i = 0, n = size; i < n; i++) {
            long address = addresses[i];
            Memory target = LocalFabric.region(regions, RemoteAddress.region(address));
            if (target == null) {
                throw unknownRegion(address);
            }
            long offset = RemoteAddress.offset(address);
            switch (opcodes[i]) {
                case READ -> {
                    if (unfencedWrite) {
                        VarHandle.fullFence();
                        unfencedWrite = false;
                    }
                    read(target, offset, lengths[i], locals[i]);
                }
                case WRITE -> {
                    write(locals[i], lengths[i], target, offset);
                    unfencedWrite = true;
                }
                case WRITE_WORD -> {
                    target.putRelease(offset, operands[i]);
                    unfencedWrite = true;
                }
                case CAS -> {
                    buffers.putLong(locals[i], target.compareAndExchange(offset, operands[i], desired[i]));
                    unfencedWrite = false;
                }
                case FETCH_ADD -> {
                    buffers.putLong(locals[i], target.getAndAdd(offset, operands[i]));
                    unfencedWrite = false;
                }
                default -> throw new AssertionError("opcode " + opcodes[i]);
            }
        }
        if (unfencedWrite) {
            VarHandle.fullFence();
        }
    }

    /** A word that is aligned on the peer is read atomically, wherever it goes in the buffers. */
    private void read(Memory source, long offset, int bytes, long local) {
        if (bytes == Memory.WORD_BYTES && (offset & UNALIGNED) == 0) {
            buffers.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, local, source.getAcquire(offset));
        } else {
            source.copy(offset, buffers, local, bytes);
            VarHandle.acquireFence();
        }
    }

    private void write(long local, int bytes, Memory target, long offset) {
        if (bytes == Memory.WORD_BYTES && (offset & UNALIGNED) == 0) {
            target.putRelease(offset, buffers.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, local));
        } else {
            VarHandle.releaseFence();
            buffers.copy(local, target, offset, bytes);
        }
    }

    /**
     * Has the target's cache line fetched while more requests are appended. A CAS waits for all loads before it, so
     * without this the misses of a stage's batches would add up, where a NIC's overlap.
     */
    private void touch(long address) {
        Memory target = regions == null ? null : LocalFabric.region(regions, RemoteAddress.region(address));
        long offset = RemoteAddress.offset(address);
        if (target != null && offset <= target.size() - Memory.WORD_BYTES) {
            touched += target.getLong(offset);
        }
    }

    private int append(byte opcode, long address) {
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
        addresses[i] = address;
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

    private static IllegalArgumentException unknownRegion(long address) {
        return new IllegalArgumentException("node " + RemoteAddress.node(address) + " has no region "
                + RemoteAddress.region(address) + ", asked for " + RemoteAddress.toString(address));
    }
}
