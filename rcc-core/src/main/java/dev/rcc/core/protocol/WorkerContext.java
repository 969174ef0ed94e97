package dev.rcc.core.protocol;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.log.LogRings;
import dev.rcc.core.log.LogTails;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.time.ClusterClock;
import dev.rcc.core.txn.AbortReasons;
import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.StageTimers;
import dev.rcc.core.worker.Worker;

/**
 * What a protocol finds on a worker. All of it is used on that worker only.
 *
 * @param worker the worker
 * @param clock what the worker holds for the cluster's time: the protocol's own, if it has one ({@link Protocol#clock})
 * @param endpoint its way to the network
 * @param buffers the node's buffers region, in which coroutines have their slices
 * @param memstore the node's copies of the data
 * @param addresses the worker's cache of tuple addresses
 * @param logTails the write ends of the log rings that this worker's transactions are logged to
 * @param logRings the read ends: the log rings on this node, as a backup of others
 * @param code the primitive of each stage
 * @param timers where the time of each stage goes
 * @param serviceCoroutine the id of the coroutines in which the protocol may do its background work on this worker; they
 *     share it, as they draw no timestamps; {@link dev.rcc.core.worker.Alarm} is one that keeps deadlines
 * @param serviceBuffer their slice of the buffers
 * @param shape what all nodes have in common
 * @param nodeState what the protocol keeps on this worker's node ({@link Protocol#nodeState}); see {@link #nodeState(Class)}
 * @param state what the protocol keeps on this worker
 * @param gate what this worker's attempts pass
 * @param abortReasons what an abort reason is by its code, as participants name them
 */
public record WorkerContext(
        Worker worker,
        ClusterClock clock,
        Endpoint endpoint,
        Memory buffers,
        Memstore memstore,
        AddressCache addresses,
        LogTails logTails,
        LogRings logRings,
        HybridCode code,
        StageTimers timers,
        int serviceCoroutine,
        BufferSlice serviceBuffer,
        NodeShape shape,
        NodeState nodeState,
        WorkerState state,
        AttemptGate gate,
        AbortReasons abortReasons) {

    /** The same, with another way to the network. */
    public WorkerContext withEndpoint(Endpoint other) {
        return new WorkerContext(
                worker,
                clock,
                other,
                buffers,
                memstore,
                addresses,
                logTails,
                logRings,
                code,
                timers,
                serviceCoroutine,
                serviceBuffer,
                shape,
                nodeState,
                state,
                gate,
                abortReasons);
    }

    /** What the protocol keeps on this worker's node, all workers the same. */
    public <T extends NodeState> T nodeState(Class<T> type) {
        return type.cast(nodeState);
    }

    /** The tables and their placement. */
    public Catalog catalog() {
        return memstore.catalog();
    }
}
