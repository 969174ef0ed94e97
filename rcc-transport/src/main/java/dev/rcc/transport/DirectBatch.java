package dev.rcc.transport;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A doorbell batch to a peer whose memory this process can touch. Posting carries the recorded work requests out, in
 * order, on the worker that posts. They have taken effect when {@link #post} returns, but the completion gets its result by the
 * endpoint's next poll, so that coroutines overlap at a round trip as they do on a NIC.
 *
 * <p>The batch keeps the promised order like this:
 * <ul>
 *   <li>WRITE: a release before it, so that a thread that acquires its word sees all that the batch did earlier.
 *   <li>READ: an acquire after it, so that nothing later in the batch is done before it.
 *   <li>WRITE, then READ: a full fence between them. Neither release nor acquire keeps a load behind an earlier store
 *       to another address, and two workers that each WRITE and then READ the other's word must not both miss.
 *   <li>CAS and FETCH_ADD: fully ordered by {@link Memory}.
 *   <li>The end: a full fence if a WRITE is not yet fenced, as a completed WRITE is visible to all threads.
 * </ul>
 */
public abstract class DirectBatch extends RecordedBatch {
    private final Memory buffers;

    @SuppressWarnings("UnusedVariable") // nothing reads it; it keeps the JIT from removing the loads
    private long touched;

    /** A batch whose local offsets refer to {@code buffers}. */
    protected DirectBatch(Memory buffers, WorkerCounters counters) {
        super(counters);
        this.buffers = buffers;
    }

    /** The peer's memory by region id, to carry requests out on now; null if the peer cannot be reached. */
    protected abstract Memory[] reach();

    /** The peer's memory by region id, to touch while requests are appended; null if it is unknown or may be gone. */
    protected abstract Memory[] touchable();

    /** Returns the batch, which was carried out or has failed, to the pool. */
    protected abstract void recycle();

    /** Has the next poll complete {@code completion}. */
    protected abstract void complete(Completion completion, int failedPeer);

    @Override
    public final Batch cas(long targetAddress, long expectedWord, long desiredWord, long resultOffset) {
        super.cas(targetAddress, expectedWord, desiredWord, resultOffset);
        touch(targetAddress);
        return this;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException when the peer has no such region; the completion gets no result and the earlier
     *     requests have taken effect
     * @throws IndexOutOfBoundsException when an address or offset is outside its region, with the same effects
     */
    @Override
    public final void post(Completion completion) {
        assert open : "a batch was posted twice";
        int to = peer();
        Memory[] regions = reach();
        try {
            if (regions != null) {
                carryOut(regions);
            }
        } finally {
            open = false;
            recycle();
        }
        completion.add();
        complete(completion, regions != null ? Completion.NO_PEER : to);
    }

    private void carryOut(Memory[] regions) {
        boolean unfenced = false;
        for (int i = 0, n = size; i < n; i++) {
            long address = addresses[i];
            Memory target = Regions.find(regions, RemoteAddress.region(address));
            if (target == null) {
                throw unknownRegion(address);
            }
            long offset = RemoteAddress.offset(address);
            switch (opcodes[i]) {
                case READ -> {
                    if (unfenced) {
                        VarHandle.fullFence();
                        unfenced = false;
                    }
                    target.copyAsRead(offset, buffers, locals[i], lengths[i]);
                }
                case WRITE -> {
                    write(locals[i], lengths[i], target, offset);
                    unfenced = true;
                }
                case WRITE_WORD -> {
                    target.putRelease(offset, operands[i]);
                    unfenced = true;
                }
                case CAS -> {
                    buffers.putLong(locals[i], target.compareAndExchange(offset, operands[i], desired[i]));
                    unfenced =
                            true; // an atomic is no full fence where it only orders like a volatile access, as on ARM
                }
                case FETCH_ADD -> {
                    buffers.putLong(locals[i], target.getAndAdd(offset, operands[i]));
                    unfenced = true;
                }
                default -> throw new AssertionError("opcode " + opcodes[i]);
            }
        }
        if (unfenced) {
            VarHandle.fullFence();
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
     * Fetches the target's cache line while more requests are appended. A CAS waits for all earlier loads. So without
     * this the cache misses of a stage's batches would add up, where a NIC's requests overlap.
     */
    private void touch(long address) {
        Memory[] regions = touchable();
        Memory target = regions == null ? null : Regions.find(regions, RemoteAddress.region(address));
        long offset = RemoteAddress.offset(address);
        if (target != null && offset <= target.size() - Memory.WORD_BYTES) {
            touched += target.getLong(offset);
        }
    }
}
