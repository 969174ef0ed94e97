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

/** Makes the context of a worker for a test of what uses a part of it; the parts that are not given are null. */
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

    /** Of a node with these copies of the data. */
    public PartialContext memstore(Memstore copies) {
        memstore = copies;
        return this;
    }

    /** With a cache of addresses. */
    public PartialContext addresses(AddressCache cache) {
        addresses = cache;
        return this;
    }

    /** That replicates like this. */
    public PartialContext replication(Replication how) {
        replication = how;
        return this;
    }

    /** With stages by these primitives. */
    public PartialContext code(HybridCode stages) {
        code = stages;
        return this;
    }

    /** Of a node of this shape. */
    public PartialContext shape(NodeShape nodes) {
        shape = nodes;
        return this;
    }

    /** With what the protocol keeps on the worker. */
    public PartialContext state(WorkerState kept) {
        state = kept;
        return this;
    }

    /** Whose attempts pass this gate. */
    public PartialContext gate(AttemptGate ofAttempts) {
        gate = ofAttempts;
        return this;
    }

    /** Whose participants refuse for these reasons. */
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
