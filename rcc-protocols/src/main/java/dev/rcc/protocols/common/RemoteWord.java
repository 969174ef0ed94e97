package dev.rcc.protocols.common;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.core.worker.Completion;

/**
 * Reads and changes single words of other nodes' memory, one after the other: so a coordinator finds the locks that it holds
 * after a lost reply. Used on one coroutine; allocates nothing.
 */
public final class RemoteWord {
    private final Endpoint endpoint;
    private final Memory buffers;
    private final Completion completion;
    private final long result;

    /** Creates the access to words for {@code txn}'s coroutine. */
    public RemoteWord(WorkerSite site, Transaction txn) {
        this.endpoint = site.endpoint();
        this.buffers = site.buffers();
        this.completion = txn.completion();
        this.result = txn.buffer().keep(Memory.WORD_BYTES);
    }

    /** READs the word at {@code address}; false if its node was not reached. */
    public boolean read(long address) {
        endpoint.batch(RemoteAddress.node(address))
                .read(address, Memory.WORD_BYTES, result)
                .post(completion);
        return completion.await();
    }

    /** Replaces the word at {@code address} if it is {@code expected}; false if its node was not reached. */
    public boolean cas(long address, long expected, long desired) {
        endpoint.batch(RemoteAddress.node(address))
                .cas(address, expected, desired, result)
                .post(completion);
        return completion.await();
    }

    /** The word that the last {@link #read} or {@link #cas} found. */
    public long found() {
        return buffers.getLong(result);
    }
}
