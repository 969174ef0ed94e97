package dev.rcc.it.protocol;

import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Completion;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** A protocol in which tests can hold coordinators between two batches: before one that would change a certain word in a certain way. */
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
        Endpoint gated = new DelegatingEndpoint(c.endpoint(), batch -> new GatedBatch(batch, txn));
        return super.coordinator(c.withEndpoint(gated), txn);
    }

    private final class GatedBatch extends DelegatingBatch {
        private final Transaction txn;
        private Gate gate;

        private GatedBatch(Batch batch, Transaction txn) {
            super(batch);
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
        public Batch writeWord(long value, long targetAddress) {
            meet(Change.WRITE, targetAddress);
            return super.writeWord(value, targetAddress);
        }

        @Override
        public Batch cas(long targetAddress, long expected, long desired, long resultOffset) {
            meet(Change.CAS, targetAddress);
            return super.cas(targetAddress, expected, desired, resultOffset);
        }

        @Override
        public void post(Completion completion) {
            if (gate != null) {
                gate.reached.countDown();
                while (!gate.open.get()) {
                    txn.coroutine().sleep(50_000);
                }
            }
            super.post(completion);
        }
    }
}
