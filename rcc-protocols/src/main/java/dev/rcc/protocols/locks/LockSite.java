package dev.rcc.protocols.locks;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.worker.Worker;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;

/**
 * The surroundings of lock managers on a worker. Used on that worker only.
 *
 * @param worker the worker
 * @param endpoint its endpoint of the network
 * @param regions the memory of this node's regions, by id, for callers' requests to locks
 * @param nodes number of nodes
 * @param requesters how many coroutines of the cluster may ask for a lock
 * @param primitive the primitive that reaches the words of locks
 * @param serviceCoroutine the id of the coroutine that does the remaining work
 * @param serviceBuffer its slice of the buffers
 * @param configEpoch the worker's configuration: locks that were taken in another configuration are not held any more
 * @param counters the counters of the worker's managers
 * @param wordsRpc the id of the handler of words on the worker, where RPC reaches them: one for each kind of regions
 * @param unsettled called when a lock may stay held without a holder, as its node has not answered: it is free again in the next configuration
 */
public record LockSite(
        Worker worker,
        Endpoint endpoint,
        IntFunction<Memory> regions,
        int nodes,
        int requesters,
        Primitive primitive,
        int serviceCoroutine,
        BufferSlice serviceBuffer,
        LongSupplier configEpoch,
        LockCounters counters,
        int wordsRpc,
        Runnable unsettled) {

    /** A site whose words are those of a {@link LockSpace}. */
    public LockSite(
            Worker worker,
            Endpoint endpoint,
            IntFunction<Memory> regions,
            int nodes,
            int requesters,
            Primitive primitive,
            int serviceCoroutine,
            BufferSlice serviceBuffer,
            LongSupplier configEpoch,
            LockCounters counters) {
        this(
                worker,
                endpoint,
                regions,
                nodes,
                requesters,
                primitive,
                serviceCoroutine,
                serviceBuffer,
                configEpoch,
                counters,
                WordRequests.RPC_ID,
                () -> {});
    }
}
