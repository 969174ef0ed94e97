package dev.rcc.core.fabric;

import dev.rcc.core.worker.Completion;

/**
 * A doorbell batch: one-sided work requests to one peer that are posted together, take effect in the order that
 * {@link dev.rcc.core.fabric} promises, and complete together. Addresses are {@link dev.rcc.core.memory.RemoteAddress}es on the batch's peer; local
 * offsets refer to the endpoint's buffers region; results of atomics must land on multiples of 8, records may lie anywhere. A request outside a
 * region of the peer is the protocol's error: it throws, where the network can detect it at once, or fails the completion. A batch may have any
 * number of requests; a fabric whose queues are shorter splits it and keeps the order.
 */
public interface Batch {
    /** Reads {@code bytes} bytes at {@code sourceAddress} into the buffers at {@code targetOffset}. */
    Batch read(long sourceAddress, int bytes, long targetOffset);

    /**
     * Writes {@code bytes} bytes from the buffers at {@code sourceOffset} to {@code targetAddress}. The source is read
     * when the batch is carried out, not when the request is appended.
     */
    Batch write(long sourceOffset, int bytes, long targetAddress);

    /** Writes one word, whose value is in the work request itself (an inline WRITE). */
    Batch writeWord(long value, long targetAddress);

    /**
     * Compares and swaps the word at {@code targetAddress}; the word found lands in the buffers at
     * {@code resultOffset}. The swap succeeded if and only if that word equals {@code expected}.
     */
    Batch cas(long targetAddress, long expected, long desired, long resultOffset);

    /** Adds to the word at {@code targetAddress}; the word found lands in the buffers at {@code resultOffset}. */
    Batch fetchAdd(long targetAddress, long delta, long resultOffset);

    /** The peer that this batch goes to. */
    int peer();

    /** Work requests appended so far. */
    int size();

    /**
     * Rings the doorbell: all requests are carried out and {@code completion} gets one result, when the last has
     * taken effect or the peer is unreachable.
     */
    void post(Completion completion);

    /**
     * As {@link #post}, for a batch that has no cache misses to wait for: WRITEs, for whose lines a processor does not wait, and atomics on memory that
     * the coroutine has just accessed, as when it drops the locks that it took. So a worker that carries batches out itself has nothing to overlap with
     * the misses of other batches, and may complete this one before the method returns.
     */
    default void postAtOnce(Completion completion) {
        post(completion);
    }
}
