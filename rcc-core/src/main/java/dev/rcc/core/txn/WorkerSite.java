package dev.rcc.core.txn;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.worker.Worker;

/** The parts of a worker that coordinators use, under any protocol. All are used on that worker only. */
public interface WorkerSite {
    /** The worker. */
    Worker worker();

    /** The worker's endpoint on the network. */
    Endpoint endpoint();

    /** The node's buffers region, in which coroutines have their slices. */
    Memory buffers();

    /** The tables and their placement. */
    Catalog catalog();

    /** The id of the coroutines that work in the background on this worker; they draw no timestamps. */
    int serviceCoroutine();

    /** The slice of the buffers for the service coroutines. */
    BufferSlice serviceBuffer();

    /** The gate that this worker's attempts pass. */
    AttemptGate gate();
}
