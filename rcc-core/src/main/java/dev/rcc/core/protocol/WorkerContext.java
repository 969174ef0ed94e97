package dev.rcc.core.protocol;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.replication.LogStage;
import dev.rcc.core.replication.Replication;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.time.ClusterClock;
import dev.rcc.core.txn.AbortReasons;
import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Fragments;
import dev.rcc.core.txn.StageTimers;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.core.worker.Worker;

/**
 * The parts of a worker that a protocol uses. All are used on that worker only.
 *
 * @param worker the worker
 * @param clock the worker's view of the cluster's time: the protocol's own clock, if it has one ({@link Protocol#clock})
 * @param endpoint the worker's access to the network
 * @param buffers the node's buffers region, in which coroutines have their slices
 * @param memstore the node's copies of the data
 * @param addresses the worker's cache of tuple addresses
 * @param replication the replication of this worker's writes; see {@link #logStage} and {@link #serveLog}
 * @param code the primitive of each stage
 * @param timers the timers of the stages
 * @param serviceCoroutine the id of the coroutines in which the protocol may do its background work on this worker; they
 *     share it, as they draw no timestamps; {@link dev.rcc.core.worker.Alarm} is one that keeps deadlines
 * @param serviceBuffer the slice of the buffers for the service coroutines
 * @param shape the dimensions that all nodes have in common
 * @param nodeState the protocol's state on this worker's node ({@link Protocol#nodeState}); see {@link #nodeState(Class)}
 * @param state the protocol's state on this worker
 * @param gate the gate that this worker's attempts pass
 * @param abortReasons the abort reasons by their codes, as participants send them
 * @param fragments the procedures that all nodes have by name
 */
public record WorkerContext(
        Worker worker,
        ClusterClock clock,
        Endpoint endpoint,
        Memory buffers,
        Memstore memstore,
        AddressCache addresses,
        Replication replication,
        HybridCode code,
        StageTimers timers,
        int serviceCoroutine,
        BufferSlice serviceBuffer,
        NodeShape shape,
        NodeState nodeState,
        WorkerState state,
        AttemptGate gate,
        AbortReasons abortReasons,
        Fragments fragments)
        implements WorkerSite {

    /** The same context with another endpoint. */
    public WorkerContext withEndpoint(Endpoint other) {
        return new WorkerContext(
                worker,
                clock,
                other,
                buffers,
                memstore,
                addresses,
                replication,
                code,
                timers,
                serviceCoroutine,
                serviceBuffer,
                shape,
                nodeState,
                state,
                gate,
                abortReasons,
                fragments);
    }

    /** The protocol's state on this worker's node, the same for all workers. */
    public <T extends NodeState> T nodeState(Class<T> type) {
        return type.cast(nodeState);
    }

    /** The log stage of {@code txn}'s coroutine, by the primitive of the protocol's stage with this number. */
    public LogStage logStage(Transaction txn, int stage) {
        return replication.stage(this, txn, code.isOneSided(stage));
    }

    /** Serves the replication on this worker; {@code stage} as in {@link #logStage}. A protocol calls it as it begins to serve. */
    public void serveLog(int stage) {
        replication.serve(this, code.isOneSided(stage));
    }

    @Override
    public Catalog catalog() {
        return memstore.catalog();
    }
}
