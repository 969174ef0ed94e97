package dev.rcc.protocols.locks;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Completion;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.LockAndVersion;

/** Requests to words by one-sided verbs, in one doorbell batch to each node. */
final class OneSidedVerbs extends LockVerbs {
    private final Batches batches;
    private final Completion completion;

    OneSidedVerbs(LockSite site, Completion completion, BufferSlice buffer) {
        super(buffer.memory(), site.counters());
        this.batches = new Batches(site.endpoint(), site.nodes());
        this.completion = completion;
    }

    /** {@inheritDoc} Work requests take no room in the buffer. */
    @Override
    public void reserve(long address) {}

    @Override
    public void endReservations() {}

    @Override
    void append(int opcode, long address, long first, long second, long result) {
        Batch batch = batches.to(RemoteAddress.node(address));
        switch (opcode) {
            case WordRequests.READ -> read(batch, address, (int) first, result);
            case WordRequests.WRITE -> batch.writeWord(first, address);
            case WordRequests.FETCH_ADD -> batch.fetchAdd(address, first, result);
            default -> batch.cas(address, first, second, result);
        }
    }

    /** If two words are read, the first is not younger than the second, in whichever cache lines they are. */
    private static void read(Batch batch, long address, int words, long result) {
        if (words == 1) {
            batch.read(address, Memory.WORD_BYTES, result);
        } else {
            long second = address + Memory.WORD_BYTES;
            LockAndVersion.first(batch, address, second, result);
            LockAndVersion.then(batch, address, second, result);
        }
    }

    @Override
    public void post() {
        batches.post(completion);
    }

    @Override
    public boolean await() {
        post();
        return completion.await();
    }

    @Override
    boolean hasFailed(int node) {
        return completion.hasFailed(node);
    }
}
