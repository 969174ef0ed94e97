package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Transaction;
import java.util.concurrent.atomic.AtomicInteger;

/** A protocol that counts the writes and atomics that it appends behind a READ of the same batch. */
final class FencedBatches extends DelegatingProtocol {
    /** Writes and atomics that a NIC makes wait for READs. */
    final AtomicInteger fences = new AtomicInteger();
    /** READs. */
    final AtomicInteger reads = new AtomicInteger();

    FencedBatches(Protocol protocol) {
        super(protocol);
    }

    /** {@inheritDoc} Objects that coordinators find on a worker, such as a lock manager, have the worker's way to the network. */
    @Override
    public void serve(WorkerContext c) {
        super.serve(counting(c));
    }

    @Override
    public Coordinator coordinator(WorkerContext c, Transaction txn) {
        return super.coordinator(counting(c), txn);
    }

    private WorkerContext counting(WorkerContext c) {
        return c.withEndpoint(new DelegatingEndpoint(c.endpoint(), CountingBatch::new));
    }

    private final class CountingBatch extends DelegatingBatch {
        private boolean hasRead;

        private CountingBatch(Batch batch) {
            super(batch);
        }

        @Override
        public Batch read(long sourceAddress, int bytes, long targetOffset) {
            hasRead = true;
            reads.incrementAndGet();
            return super.read(sourceAddress, bytes, targetOffset);
        }

        @Override
        public Batch write(long sourceOffset, int bytes, long targetAddress) {
            count();
            return super.write(sourceOffset, bytes, targetAddress);
        }

        @Override
        public Batch writeWord(long value, long targetAddress) {
            count();
            return super.writeWord(value, targetAddress);
        }

        @Override
        public Batch cas(long targetAddress, long expected, long desired, long resultOffset) {
            count();
            return super.cas(targetAddress, expected, desired, resultOffset);
        }

        @Override
        public Batch fetchAdd(long targetAddress, long delta, long resultOffset) {
            count();
            return super.fetchAdd(targetAddress, delta, resultOffset);
        }

        private void count() {
            if (hasRead) {
                fences.incrementAndGet();
                hasRead = false; // one wait is for all READs before it
            }
        }
    }
}
