package dev.rcc.protocols.optimistic;

import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.replication.LogStage;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.Batches;
import dev.rcc.protocols.common.Calls;
import dev.rcc.protocols.common.RoundTrips;

/**
 * The context that the stages of one coroutine's transaction share: the worker, the attempt's reads and writes, the rules of the
 * protocol's locks, and the round trips that it takes. Used on that coroutine.
 */
public record StageContext(
        WorkerContext worker, Transaction txn, ReadSet reads, WriteSet writes, LockRules rules, RoundTrips trips) {
    /** The context of a transaction that has read and written nothing, and takes the fewest round trips. */
    public static StageContext of(WorkerContext worker, Transaction txn, LockRules rules) {
        return of(worker, txn, rules, RoundTrips.FEWEST);
    }

    /** The context of a transaction that has read and written nothing. */
    public static StageContext of(WorkerContext worker, Transaction txn, LockRules rules, RoundTrips trips) {
        return new StageContext(worker, txn, new ReadSet(txn), new WriteSet(), rules, trips);
    }

    /** The primitive of a stage in the hybrid code. */
    public Primitive primitive(int stage) {
        return worker.code().primitive(stage);
    }

    /** The log stage; {@code stage} is its number in the protocol. */
    public LogStage logStage(int stage) {
        return trips.logStage(worker, txn, stage);
    }

    /** New batches for one stage. */
    public Batches batches() {
        return new Batches(worker.endpoint(), nodes());
    }

    /** New calls for one stage, with messages in the transaction's buffer. */
    public Calls calls() {
        return new Calls(worker.endpoint(), txn.buffer(), nodes());
    }

    private int nodes() {
        return worker.catalog().placement().nodes();
    }
}
