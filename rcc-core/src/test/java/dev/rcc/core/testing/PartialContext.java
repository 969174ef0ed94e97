package dev.rcc.core.testing;

import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.NodeShape;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.protocol.WorkerState;
import dev.rcc.core.replication.Replication;
import dev.rcc.core.store.AddressCache;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.txn.AbortReasons;
import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.txn.Fragments;
import dev.rcc.core.worker.Worker;

/** Makes the context of a worker for a test that uses only parts of it; parts that are not given are null. */
public final class PartialContext {
    private final Worker worker;
    private final Endpoint endpoint;
    private final Memory buffers;
    private Memstore memstore;
    private AddressCache addresses;
    private Replication replication;
    private HybridCode code;
    private NodeShape shape;
    private WorkerState state;
    private AttemptGate gate;
    private AbortReasons abortReasons;

    /** The context of a worker at an endpoint with these buffers. */
    public PartialContext(Worker worker, Endpoint endpoint, Memory buffers) {
        this.worker = worker;
        this.endpoint = endpoint;
        this.buffers = buffers;
    }

    /** Sets the node's copies of the data. */
    public PartialContext memstore(Memstore copies) {
        memstore = copies;
        return this;
    }

    /** Sets the cache of addresses. */
    public PartialContext addresses(AddressCache cache) {
        addresses = cache;
        return this;
    }

    /** Sets the replication. */
    public PartialContext replication(Replication how) {
        replication = how;
        return this;
    }

    /** Sets the primitives of the stages. */
    public PartialContext code(HybridCode stages) {
        code = stages;
        return this;
    }

    /** Sets the node's shape. */
    public PartialContext shape(NodeShape nodes) {
        shape = nodes;
        return this;
    }

    /** Sets the protocol's state on the worker. */
    public PartialContext state(WorkerState kept) {
        state = kept;
        return this;
    }

    /** Sets the gate of the worker's attempts. */
    public PartialContext gate(AttemptGate ofAttempts) {
        gate = ofAttempts;
        return this;
    }

    /** Sets the reasons for which participants refuse. */
    public PartialContext abortReasons(AbortReasons reasons) {
        abortReasons = reasons;
        return this;
    }

    /** The context. */
    public WorkerContext make() {
        return new WorkerContext(
                worker,
                null,
                endpoint,
                buffers,
                memstore,
                addresses,
                replication,
                code,
                null,
                0,
                null,
                shape,
                null,
                state,
                gate,
                abortReasons,
                Fragments.NONE);
    }
}
