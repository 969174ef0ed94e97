package dev.rcc.protocols.occ;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.protocol.WordChange.By;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.LogService;
import java.util.List;
import java.util.Set;

/** OCC: optimistic concurrency control (rcc, 4.1). */
public final class Occ implements Protocol {
    /** The stage that reads. */
    static final int FETCH = 0;
    /** The stage that locks the writes. */
    static final int LOCK = 1;
    /** The stage that checks the reads. */
    static final int VALIDATE = 2;
    /** The stage that logs to the backups. */
    static final int LOG = 3;
    /** The stage that installs the writes and unlocks them. */
    static final int COMMIT = 4;
    /** The stage that drops locks without a write. */
    static final int RELEASE = 5;

    private static final List<String> STAGES = List.of("fetch", "lock", "validate", "log", "commit", "release");

    @Override
    public String name() {
        return "occ";
    }

    @Override
    public List<String> stages() {
        return STAGES;
    }

    @Override
    public int metadataBytes() {
        return OccLayout.METADATA_BYTES;
    }

    @Override
    public Set<WordChange> changes(int stage, Primitive primitive) {
        boolean rpc = primitive == Primitive.RPC;
        return switch (stage) {
            case LOCK -> changes(rpc ? By.OWNER_CPU : By.REMOTE_ATOMIC);
            case COMMIT, RELEASE -> changes(rpc ? By.OWNER_CPU : By.REMOTE_WRITE);
            default -> Set.of(); // fetch and validate only read; a log ring's words are never the target of an atomic
        };
    }

    @Override
    public boolean isLocked(Memory memory, long offset) {
        return memory.getAcquire(offset) != OccLayout.FREE;
    }

    @Override
    public void serve(WorkerContext context) {
        new OccParticipant(context).serve();
        LogService.serve(context, context.code().primitive(LOG));
    }

    @Override
    public Coordinator coordinator(WorkerContext context, Transaction txn) {
        return new OccCoordinator(context, txn);
    }

    private static Set<WordChange> changes(By by) {
        return Set.of(new WordChange("lock word", by), new WordChange("index entry", by));
    }
}
