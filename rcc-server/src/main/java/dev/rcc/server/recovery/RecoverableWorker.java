package dev.rcc.server.recovery;

import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.replication.WorkerReplication;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.time.TimestampClock;
import dev.rcc.core.worker.Worker;

/** What recovery finds at a worker of a node. What it returns belongs to the worker. */
public interface RecoverableWorker {
    /** The worker itself. */
    Worker worker();

    /** Its number on the node, from 0. */
    int index();

    /** What the protocol finds on this worker. */
    WorkerContext context();

    /** The worker's part in replication. */
    WorkerReplication replication();

    /** Where it found records. */
    AddressCache addresses();

    /** Clocks of its coroutines. */
    TimestampClock[] clocks();

    /** Where in the region of buffers a recovery has {@link #recoveryBufferBytes} bytes for itself. */
    long recoveryBuffer();

    /** Bytes of that. */
    int recoveryBufferBytes();
}
