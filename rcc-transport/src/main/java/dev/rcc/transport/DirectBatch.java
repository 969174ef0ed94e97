package dev.rcc.transport;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Prefetch;
import dev.rcc.core.memory.RemoteAddress;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.Objects;

/**
 * A doorbell batch to a peer whose memory this process can touch: the worker carries the recorded work requests out itself, in order. Either the post does
 * that ({@link #carryOutNow}), or the worker's next poll, for all batches of a turn together ({@link PostedBatches}).
 *
 * <p>The batch keeps the promised order like this:
 * <ul>
 *   <li>WRITE: a release before it, so that a thread that acquires its word sees all that the batch did earlier.
 *   <li>READ: an acquire after it, so that nothing later in the batch is done before it.
 *   <li>WRITE, then READ: a full fence between them. Neither release nor acquire keeps a load behind an earlier store
 *       to another address, and two workers that each WRITE and then READ the other's word must not both miss.
 *   <li>CAS and FETCH_ADD: fully ordered by {@link Memory}.
 *   <li>The end: a full fence if a WRITE is not yet fenced, before the worker carries out another READ.
 * </ul>
 */
public abstract class DirectBatch extends RecordedBatch {
    private final Memory buffers;

    /** A batch whose local offsets refer to {@code buffers}. */
    protected DirectBatch(Memory buffers, WorkerCounters counters) {
        super(counters);
        this.buffers = buffers;
    }

    /**
     * The peer's memory by region id; null if the peer cannot be reached. Once a batch has found an incarnation of its peer, it reaches no other one,
     * until it is opened again.
     */
    protected abstract Memory[] reach();

    /** Returns the batch, which was carried out or has failed, to the pool. */
    protected abstract void recycle();

    /**
     * Closes the batch, and checks all its requests before one of them takes effect. If one is wrong, the batch returns to the pool.
     *
     * @param prefetch gets the memory that the requests read; forgets everything if one is wrong: the memory may be gone before the next fetch
     * @return the peer's memory by region id; null, and nothing was checked, if the peer cannot be reached
     * @throws IllegalArgumentException when the peer has no such region
     * @throws IndexOutOfBoundsException when an address or offset is outside its region
     */
    final Memory[] close(Prefetch prefetch) {
        assert open : "a batch was posted twice";
        open = false;
        boolean right = false;
        try {
            Memory[] regions = reach();
            for (int i = 0; regions != null && i < size; i++) {
                check(i, find(regions, addresses[i]), prefetch);
            }
            right = true;
            return regions;
        } finally {
            if (!right) {
                prefetch.forget();
                recycle();
            }
        }
    }

    private void check(int request, Memory target, Prefetch prefetch) {
        long offset = RemoteAddress.offset(addresses[request]);
        Objects.checkFromIndexSize(offset, lengths[request], target.size());
        byte opcode = opcodes[request];
        if (opcode != WRITE_WORD) {
            Objects.checkFromIndexSize(locals[request], lengths[request], buffers.size());
        }
        if (opcode == READ || opcode >= CAS) {
            prefetch.add(target, offset, lengths[request]);
        }
    }

    /**
     * Carries the checked requests out.
     *
     * @param regions the peer's memory by region id
     * @return whether a WRITE is not fenced yet
     */
    final boolean carryOut(Memory[] regions) {
        boolean unfenced = false;
        for (int i = 0, n = size; i < n; i++) {
            long address = addresses[i];
            Memory target = find(regions, address);
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
                    unfenced = true; // as on ARM: an atomic that orders like a volatile access is no full fence
                }
                case FETCH_ADD -> {
                    buffers.putLong(locals[i], target.getAndAdd(offset, operands[i]));
                    unfenced = true;
                }
                default -> throw new AssertionError("opcode " + opcodes[i]);
            }
        }
        return unfenced;
    }

    /**
     * Carries the requests out now, if the peer can be reached, and returns the batch to the pool.
     *
     * @param prefetch for the requests' cache misses; empty before and afterwards
     * @return whether the peer could be reached
     * @throws IllegalArgumentException when the peer has no such region; no request has taken effect
     * @throws IndexOutOfBoundsException when an address or offset is outside its region; no request has taken effect
     */
    protected final boolean carryOutNow(Prefetch prefetch) {
        Memory[] regions = close(prefetch);
        prefetch.fetch();
        if (regions != null && carryOut(regions)) {
            VarHandle.fullFence();
        }
        recycle();
        return regions != null;
    }

    private static Memory find(Memory[] regions, long address) {
        Memory memory = Regions.find(regions, RemoteAddress.region(address));
        if (memory == null) {
            throw unknownRegion(address);
        }
        return memory;
    }

    private void write(long local, int bytes, Memory target, long offset) {
        if (bytes == Memory.WORD_BYTES && (offset & UNALIGNED) == 0) {
            target.putRelease(offset, buffers.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, local));
        } else {
            VarHandle.releaseFence();
            buffers.copy(local, target, offset, bytes);
        }
    }
}
