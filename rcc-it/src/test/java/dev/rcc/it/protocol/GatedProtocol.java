package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Completion;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A protocol as it is, but for letting tests hold coordinators between two batches: before one that would change a certain
 * word in a certain way.
 */
final class GatedProtocol extends DelegatingProtocol {
    /** How a work request changes a word. */
    enum Change {
        CAS,
        WRITE
    }

    /** Holds the first batch of a node's coordinators that would change a word. */
    static final class Gate {
        final CountDownLatch reached = new CountDownLatch(1);
        private final int node;
        private final Change change;
        private volatile long address;
        private final AtomicBoolean passed = new AtomicBoolean();
        private final AtomicBoolean open = new AtomicBoolean();

        Gate(int node, Change change) {
            this.node = node;
            this.change = change;
        }

        /** From now on, the gate is at this word. */
        void at(long newAddress) {
            address = newAddress;
        }

        void open() {
            open.set(true);
        }

        private boolean holds(int atNode, Change what, long where) {
            return address != 0 && atNode == node && what == change && where == address;
        }
    }

    private final List<Gate> gates;

    GatedProtocol(Protocol protocol, Gate... gates) {
        super(protocol);
        this.gates = List.of(gates);
    }

    @Override
    public Coordinator coordinator(WorkerContext c, Transaction txn) {
        Endpoint gated = new GatedEndpoint(c.endpoint(), txn);
        return super.coordinator(c.withEndpoint(gated), txn);
    }

    private final class GatedEndpoint implements Endpoint {
        private final Endpoint endpoint;
        private final Transaction txn;

        private GatedEndpoint(Endpoint endpoint, Transaction txn) {
            this.endpoint = endpoint;
            this.txn = txn;
        }

        @Override
        public Batch batch(int peer) {
            return new GatedBatch(endpoint.batch(peer), txn);
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

    private final class GatedBatch implements Batch {
        private final Batch batch;
        private final Transaction txn;
        private Gate gate;

        private GatedBatch(Batch batch, Transaction txn) {
            this.batch = batch;
            this.txn = txn;
        }

        private void meet(Change change, long address) {
            int node = txn.coroutine().worker().node();
            for (Gate each : gates) {
                if (each.holds(node, change, address) && each.passed.compareAndSet(false, true)) {
                    gate = each;
                }
            }
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
            meet(Change.WRITE, targetAddress);
            batch.writeWord(value, targetAddress);
            return this;
        }

        @Override
        public Batch cas(long targetAddress, long expected, long desired, long resultOffset) {
            meet(Change.CAS, targetAddress);
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
            if (gate != null) {
                gate.reached.countDown();
                while (!gate.open.get()) {
                    txn.coroutine().sleep(50_000);
                }
            }
            batch.post(completion);
        }
    }
}
