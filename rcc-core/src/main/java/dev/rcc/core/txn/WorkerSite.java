package dev.rcc.core.txn;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.worker.Worker;

/** What coordinators find on a worker, whatever the protocol. All of it is used on that worker only. */
public interface WorkerSite {
    /** The worker. */
    Worker worker();

    /** Its way to the network. */
    Endpoint endpoint();

    /** The node's buffers region, in which coroutines have their slices. */
    Memory buffers();

    /** The tables and their placement. */
    Catalog catalog();

    /** The id of the coroutines that work in the background on this worker; they draw no timestamps. */
    int serviceCoroutine();

    /** Their slice of the buffers. */
    BufferSlice serviceBuffer();

    /** What this worker's attempts pass. */
    AttemptGate gate();
}
