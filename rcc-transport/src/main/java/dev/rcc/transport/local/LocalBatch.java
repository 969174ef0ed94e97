package dev.rcc.transport.local;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import dev.rcc.transport.RecordedBatch;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A doorbell batch on shared memory. Posting carries the recorded work requests out, in
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
final class LocalBatch extends RecordedBatch {
    private final LocalEndpoint endpoint;
    private final Memory buffers;

    /** The peer's regions when the batch was started, to touch; what counts is what {@link #post} finds. */
    private Memory[] regions;

    @SuppressWarnings("UnusedVariable") // what was touched is of no use, but the JIT must not know that
    private long touched;

    LocalBatch(LocalEndpoint endpoint, Memory buffers) {
        this.endpoint = endpoint;
        this.buffers = buffers;
    }

    /** Takes the batch out of the pool. */
    LocalBatch start(int toPeer) {
        open(toPeer);
        LocalFabric target = endpoint.reach(toPeer);
        regions = target == null ? null : target.regions();
        return this;
    }

    @Override
    public Batch cas(long targetAddress, long expectedWord, long desiredWord, long resultOffset) {
        super.cas(targetAddress, expectedWord, desiredWord, resultOffset);
        touch(targetAddress);
        return this;
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
        int to = peer();
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
}
