package dev.rcc.protocols.optimistic;

import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.Calls;

/**
 * What the stages of one coroutine's transaction share: the worker, what the attempt reads and writes, and the rules of the protocol's
 * locks. Used on that coroutine.
 */
public record StageContext(WorkerContext worker, Transaction txn, ReadSet reads, WriteSet writes, LockRules rules) {
    /** The context of a transaction that has read and written nothing. */
    public static StageContext of(WorkerContext worker, Transaction txn, LockRules rules) {
        return new StageContext(worker, txn, new ReadSet(txn), new WriteSet(), rules);
    }

    /** How a stage is carried out, as the hybrid code says. */
    public Primitive primitive(int stage) {
        return worker.code().primitive(stage);
    }

    /** Batches of a stage's own. */
    public Batches batches() {
        return new Batches(worker.endpoint(), nodes());
    }

    /** Calls of a stage's own, with messages in the transaction's buffer. */
    public Calls calls() {
        return new Calls(worker.endpoint(), txn.buffer(), nodes());
    }

    private int nodes() {
        return worker.catalog().placement().nodes();
    }
}
