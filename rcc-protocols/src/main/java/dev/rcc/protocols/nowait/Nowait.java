package dev.rcc.protocols.nowait;

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

/** NOWAIT: two-phase locking without waiting (rcc, 4.2). */
public final class Nowait implements Protocol {
    /** The stage that locks and fetches. */
    static final int LOCK = 0;
    /** The stage that logs to the backups. */
    static final int LOG = 1;
    /** The stage that installs the writes and unlocks them. */
    static final int COMMIT = 2;
    /** The stage that drops locks without a write. */
    static final int RELEASE = 3;

    private static final List<String> STAGES = List.of("lock", "log", "commit", "release");

    private static final String LOCK_WORD = "lock word";
    private static final String INDEX_ENTRY = "index entry";

    @Override
    public String name() {
        return "nowait";
    }

    @Override
    public List<String> stages() {
        return STAGES;
    }

    @Override
    public int metadataBytes() {
        return NowaitLayout.METADATA_BYTES;
    }

    @Override
    public Set<WordChange> changes(int stage, Primitive primitive) {
        boolean rpc = primitive == Primitive.RPC;
        return switch (stage) {
            case LOCK -> changes(rpc ? By.OWNER_CPU : By.REMOTE_ATOMIC);
            case COMMIT -> changes(rpc ? By.OWNER_CPU : By.REMOTE_WRITE);
            case RELEASE ->
                rpc
                        ? changes(By.OWNER_CPU)
                        : Set.of(
                                new WordChange(LOCK_WORD, By.REMOTE_ATOMIC),
                                new WordChange(INDEX_ENTRY, By.REMOTE_WRITE));
            default -> Set.of(); // a log ring has one writer, and its words are never the target of an atomic
        };
    }

    @Override
    public boolean isLocked(Memory memory, long offset) {
        return memory.getAcquire(offset) != NowaitLayout.FREE;
    }

    @Override
    public void serve(WorkerContext context) {
        new NowaitParticipant(context).serve();
        LogService.serve(context, context.code().primitive(LOG));
    }

    @Override
    public Coordinator coordinator(WorkerContext context, Transaction txn) {
        return new NowaitCoordinator(context, txn);
    }

    private static Set<WordChange> changes(By by) {
        return Set.of(new WordChange(LOCK_WORD, by), new WordChange(INDEX_ENTRY, by));
    }
}
