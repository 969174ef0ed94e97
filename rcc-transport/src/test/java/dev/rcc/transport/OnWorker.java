package dev.rcc.transport;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Coroutine;

/** The resources of a test's coroutine. Offsets are relative to its slice of the buffers. */
public final class OnWorker {
    /** Bytes of a slice. */
    public static final int SLICE_BYTES = 4096;

    private static final int EAGER_ATTEMPTS = 200;
    private static final long BACK_OFF_NANOS = 20_000;

    /** The coroutine itself. */
    public final Coroutine coroutine;
    /** Its worker's endpoint. */
    public final Endpoint endpoint;
    /** The completion that {@link #await} awaits. */
    public final Completion completion;

    private final Memory buffers;
    private final long base;

    OnWorker(Coroutine coroutine, Endpoint endpoint, Memory buffers, long base) {
        this.coroutine = coroutine;
        this.endpoint = endpoint;
        this.completion = new Completion(coroutine);
        this.buffers = buffers;
        this.base = base;
    }

    /** The offset in the buffers region of a byte of the slice. */
    public long local(long offset) {
        return base + offset;
    }

    public long get(long offset) {
        return buffers.getLong(base + offset);
    }

    public void put(long offset, long value) {
        buffers.putLong(base + offset, value);
    }

    public byte[] getBytes(long offset, int bytes) {
        byte[] copy = new byte[bytes];
        buffers.getBytes(base + offset, copy, 0, bytes);
        return copy;
    }

    public void putBytes(long offset, byte[] bytes) {
        buffers.putBytes(base + offset, bytes, 0, bytes.length);
    }

    /** Calls with a request and a reply of one word each. */
    public void call(int peer, int rpcId, long requestOffset, long replyOffset) {
        endpoint.call(
                peer,
                rpcId,
                local(requestOffset),
                Memory.WORD_BYTES,
                local(replyOffset),
                Memory.WORD_BYTES,
                completion);
    }

    /** Awaits everything and returns whether all succeeded. */
    public boolean await() {
        return completion.await();
    }

    /** Awaits everything, which must succeed. */
    public void awaitSuccess() {
        if (!await()) {
            throw new AssertionError("node " + completion.failedPeer() + " failed");
        }
    }

    /** Awaits everything, which must fail in part, and returns the peer that failed. */
    public int awaitFailure() {
        if (await()) {
            throw new AssertionError("nothing failed");
        }
        return completion.failedPeer();
    }

    /**
     * To be called in a loop that waits for another worker, with the number of failed attempts so far. It is eager at first, as tests of races need
     * it. Soon it leaves the processor to other threads, which may include the awaited worker.
     */
    public void backOff(int attempts) {
        if (attempts > EAGER_ATTEMPTS) {
            coroutine.sleep(BACK_OFF_NANOS);
        } else {
            coroutine.pause();
        }
    }

    /** Reads a word of a peer until it is at least {@code word}. */
    public void awaitWord(long address, long word) {
        for (int attempts = 0; read(address) < word; attempts++) {
            backOff(attempts);
        }
    }

    /** Reads one word of a peer. */
    public long read(long address) {
        endpoint.batch(RemoteAddress.node(address))
                .read(address, Memory.WORD_BYTES, local(SLICE_BYTES - Memory.WORD_BYTES))
                .post(completion);
        awaitSuccess();
        return get(SLICE_BYTES - Memory.WORD_BYTES);
    }
}
