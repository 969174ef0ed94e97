package dev.rcc.it.protocol;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.NodeShape;
import dev.rcc.core.protocol.NodeState;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.time.ClusterClock;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Worker;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A protocol that delegates everything: a test overrides some of it. */
abstract class DelegatingProtocol implements Protocol {
    private final Protocol protocol;

    DelegatingProtocol(Protocol protocol) {
        this.protocol = protocol;
    }

    @Override
    public String name() {
        return protocol.name();
    }

    @Override
    public List<String> stages() {
        return protocol.stages();
    }

    @Override
    public int metadataBytes() {
        return protocol.metadataBytes();
    }

    @Override
    public int historySlots() {
        return protocol.historySlots();
    }

    @Override
    public int historyVersionOffset(int slot) {
        return protocol.historyVersionOffset(slot);
    }

    @Override
    public boolean hasChecksums() {
        return protocol.hasChecksums();
    }

    @Override
    public List<AbortReason> abortReasons() {
        return protocol.abortReasons();
    }

    @Override
    public Set<WordChange> changes(int stage, Primitive primitive) {
        return protocol.changes(stage, primitive);
    }

    @Override
    public Optional<String> refusal(HybridCode code) {
        return protocol.refusal(code);
    }

    @Override
    public boolean isLocked(Memory memory, long offset) {
        return protocol.isLocked(memory, offset);
    }

    @Override
    public boolean marksHolders() {
        return protocol.marksHolders();
    }

    @Override
    public void recover(Memory memory, long offset, long bound) {
        protocol.recover(memory, offset, bound);
    }

    @Override
    public long sharedBytes(NodeShape shape) {
        return protocol.sharedBytes(shape);
    }

    @Override
    public ClusterClock clock(Worker worker, long birthWallNanos) {
        return protocol.clock(worker, birthWallNanos);
    }

    @Override
    public NodeState nodeState(int node, NodeShape shape) {
        return protocol.nodeState(node, shape);
    }

    @Override
    public void serve(WorkerContext context) {
        protocol.serve(context);
    }

    @Override
    public Coordinator coordinator(WorkerContext context, Transaction txn) {
        return protocol.coordinator(context, txn);
    }
}
