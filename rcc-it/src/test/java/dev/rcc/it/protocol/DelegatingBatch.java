package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.worker.Completion;

/** A batch that delegates everything: a test overrides some of it. */
abstract class DelegatingBatch implements Batch {
    private final Batch batch;

    DelegatingBatch(Batch batch) {
        this.batch = batch;
    }

    @Override
    public Batch read(long sourceAddress, int bytes, long targetOffset) {
        batch.read(sourceAddress, bytes, targetOffset);
        return this;
    }

    @Override
    public Batch write(long sourceOffset, int bytes, long targetAddress) {
        batch.write(sourceOffset, bytes, targetAddress);
        return this;
    }

    @Override
    public Batch writeWord(long value, long targetAddress) {
        batch.writeWord(value, targetAddress);
        return this;
    }

    @Override
    public Batch cas(long targetAddress, long expected, long desired, long resultOffset) {
        batch.cas(targetAddress, expected, desired, resultOffset);
        return this;
    }

    @Override
    public Batch fetchAdd(long targetAddress, long delta, long resultOffset) {
        batch.fetchAdd(targetAddress, delta, resultOffset);
        return this;
    }

    @Override
    public int peer() {
        return batch.peer();
    }

    @Override
    public int size() {
        return batch.size();
    }

    @Override
    public void post(Completion completion) {
        batch.post(completion);
    }
}
