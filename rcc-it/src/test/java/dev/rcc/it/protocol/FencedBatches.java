package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Completion;
import java.util.concurrent.atomic.AtomicInteger;

/** A protocol as it is, which counts the writes and atomics that it appends behind a READ of the same batch. */
final class FencedBatches extends DelegatingProtocol {
    /** Writes and atomics that a NIC makes wait for READs. */
    final AtomicInteger fences = new AtomicInteger();
    /** READs. */
    final AtomicInteger reads = new AtomicInteger();

    FencedBatches(Protocol protocol) {
        super(protocol);
    }

    /** {@inheritDoc} What coordinators find on a worker, as a manager of locks, has the worker's way to the network. */
    @Override
    public void serve(WorkerContext c) {
        super.serve(c.withEndpoint(new CountingEndpoint(c.endpoint())));
    }

    @Override
    public Coordinator coordinator(WorkerContext c, Transaction txn) {
        return super.coordinator(c.withEndpoint(new CountingEndpoint(c.endpoint())), txn);
    }

    private final class CountingEndpoint implements Endpoint {
        private final Endpoint endpoint;

        private CountingEndpoint(Endpoint endpoint) {
            this.endpoint = endpoint;
        }

        @Override
        public Batch batch(int peer) {
            return new CountingBatch(endpoint.batch(peer));
        }

        @Override
        public void call(
                int peer,
                int rpcId,
                long requestOffset,
                int requestBytes,
                long replyOffset,
                int replyBytes,
                Completion completion) {
            endpoint.call(peer, rpcId, requestOffset, requestBytes, replyOffset, replyBytes, completion);
        }

        @Override
        public void handle(int rpcId, RpcHandler handler) {
            endpoint.handle(rpcId, handler);
        }
    }

    private final class CountingBatch implements Batch {
        private final Batch batch;
        private boolean hasRead;

        private CountingBatch(Batch batch) {
            this.batch = batch;
        }

        @Override
        public Batch read(long sourceAddress, int bytes, long targetOffset) {
            hasRead = true;
            reads.incrementAndGet();
            batch.read(sourceAddress, bytes, targetOffset);
            return this;
        }

        @Override
        public Batch write(long sourceOffset, int bytes, long targetAddress) {
            count();
            batch.write(sourceOffset, bytes, targetAddress);
            return this;
        }

        @Override
        public Batch writeWord(long value, long targetAddress) {
            count();
            batch.writeWord(value, targetAddress);
            return this;
        }

        @Override
        public Batch cas(long targetAddress, long expected, long desired, long resultOffset) {
            count();
            batch.cas(targetAddress, expected, desired, resultOffset);
            return this;
        }

        @Override
        public Batch fetchAdd(long targetAddress, long delta, long resultOffset) {
            count();
            batch.fetchAdd(targetAddress, delta, resultOffset);
            return this;
        }

        private void count() {
            if (hasRead) {
                fences.incrementAndGet();
                hasRead = false; // one wait is for all READs before it
            }
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
}
