package dev.rcc.transport.sim;

import dev.rcc.core.memory.Memory;

/**
 * A node's NIC: two queueing servers, for what its node posts and for what peers ask of it, and the lock that its own
 * atomics exclude each other by.
 */
final class SimNic {
    private final CostModel costs;
    private long queuePairNanos;
    private long sendFreeNanos;
    private long serveFreeNanos;
    private long atomicFreeNanos;
    private Memory lockedMemory;
    private long lockedOffset;
    private long lockedUntilNanos;

    SimNic(CostModel costs) {
        this.costs = costs;
    }

    void useQueuePairs(int count) {
        queuePairNanos = costs.nic().qpNanos(count);
    }

    /** Queues a batch of {@code requests} requests with {@code bytes} bytes of payload; returns when the first is on the link. */
    long send(long at, int requests, long bytes) {
        return send(at, requests, bytes, queuePairNanos);
    }

    /** Queues a datagram, whose one queue pair for all peers is always at hand; returns when it is on the link. */
    long sendDatagram(long at, long bytes) {
        return send(at, 1, bytes, 0);
    }

    private long send(long at, int requests, long bytes, long stateNanos) {
        long start = Math.max(at, sendFreeNanos);
        long transfer = costs.link().transferNanos(bytes);
        sendFreeNanos = start + Math.max(transfer, requests * costs.nic().sendNanos() + stateNanos);
        return start + costs.nic().sendNanos() + stateNanos + transfer;
    }

    /** Queues bytes that answer a READ; returns when they are on the link. */
    long answer(long at, long bytes) {
        long start = Math.max(at, sendFreeNanos);
        sendFreeNanos = start + costs.link().transferNanos(bytes);
        return sendFreeNanos;
    }

    /**
     * Queues a peer's request; returns when it takes effect.
     *
     * @param first whether it is the first one of its batch
     */
    long serve(long at, boolean first) {
        return serve(at, first ? queuePairNanos : 0);
    }

    /** Queues a datagram; returns when it has been received. */
    long serveDatagram(long at) {
        return serve(at, 0);
    }

    private long serve(long at, long stateNanos) {
        serveFreeNanos = Math.max(at, serveFreeNanos) + costs.nic().serveNanos() + stateNanos;
        return serveFreeNanos;
    }

    /**
     * Queues a peer's atomic; returns when it begins, {@code nicAtomicNanos} before it ends.
     *
     * @param first whether it is the first one of its batch
     */
    long beginAtomic(long at, boolean first) {
        long start = Math.max(at + (first ? queuePairNanos : 0), atomicFreeNanos);
        atomicFreeNanos = start + costs.nic().atomicNanos() + 1; // events of one time come in any order
        return start;
    }

    /** Keeps other operations of this NIC from a word that an atomic is changing. */
    void lock(Memory memory, long offset, long untilNanos) {
        lockedMemory = memory;
        lockedOffset = offset;
        lockedUntilNanos = untilNanos;
    }

    void unlock() {
        lockedMemory = null;
    }

    /** Until when a WRITE of these bytes must wait; 0 if it need not. */
    long lockedUntil(Memory memory, long offset, int bytes) {
        boolean overlaps =
                memory == lockedMemory && offset < lockedOffset + Memory.WORD_BYTES && lockedOffset < offset + bytes;
        return overlaps ? lockedUntilNanos + 1 : 0;
    }
}
