package dev.rcc.protocols.locking;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.SharedWord;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.protocol.WordChange.By;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.ConflictReasons;
import java.util.List;
import java.util.Set;

/**
 * Two-phase locking with one lock word in each tuple and leaf (rcc, 4.2 and 4.3); {@link LockRules} define the rest.
 */
public abstract class LockingProtocol implements Protocol {
    /** Bytes of metadata in each tuple and leaf: the lock word. */
    public static final int METADATA_BYTES = Memory.WORD_BYTES;

    /** The stage that locks and fetches. */
    static final int LOCK = 0;
    /** The stage that logs to the backups. */
    static final int LOG = 1;
    /** The stage that installs the writes and unlocks them. */
    static final int COMMIT = 2;
    /** The stage that drops locks without a write. */
    static final int RELEASE = 3;

    private static final List<String> STAGES = List.of("lock", "log", "commit", "release");

    private final LockRules rules;
    private final LockingOptions options;

    /** Two-phase locking under {@code rules}, with {@link LockingOptions#DEFAULT}. */
    protected LockingProtocol(LockRules rules) {
        this(rules, LockingOptions.DEFAULT);
    }

    /** Two-phase locking under {@code rules}, which lock a record that is only read in the mode of {@code options}. */
    protected LockingProtocol(LockRules rules, LockingOptions options) {
        this.rules = rules;
        this.options = options;
    }

    /** Makes the participant's side of a worker. */
    protected LockingParticipant participant(WorkerContext context) {
        return new LockingParticipant(context, rules);
    }

    @Override
    public boolean isStrictlySerializable() {
        return true;
    }

    @Override
    public List<AbortReason> abortReasons() {
        return ConflictReasons.ALL;
    }

    @Override
    public final List<String> stages() {
        return STAGES;
    }

    @Override
    public final int metadataBytes() {
        return METADATA_BYTES;
    }

    @Override
    public final Set<WordChange> changes(int stage, Primitive primitive) {
        boolean rpc = primitive == Primitive.RPC;
        return switch (stage) {
            case LOCK -> changes(rpc ? By.OWNER_CPU : By.REMOTE_ATOMIC);
            case COMMIT -> changes(rpc ? By.OWNER_CPU : By.REMOTE_WRITE);
            case RELEASE ->
                rpc
                        ? changes(By.OWNER_CPU)
                        : Set.of(
                                new WordChange(SharedWord.LOCK, By.REMOTE_ATOMIC),
                                new WordChange(SharedWord.INDEX_ENTRY, By.REMOTE_WRITE));
            default -> Set.of(); // a log ring has one writer, and its words are never the target of an atomic
        };
    }

    @Override
    public final boolean isLocked(Memory memory, long offset) {
        return !rules.isFree(memory.getAcquire(offset));
    }

    @Override
    public final void recover(Memory memory, long offset, long bound) {
        memory.putRelease(offset, LockRules.FREE);
    }

    @Override
    public final void serve(WorkerContext context) {
        participant(context).serve();
        context.serveLog(LOG);
    }

    @Override
    public Coordinator coordinator(WorkerContext context, Transaction txn) {
        return new LockingCoordinator(context, txn, rules, options);
    }

    private static Set<WordChange> changes(By by) {
        return Set.of(new WordChange(SharedWord.LOCK, by), new WordChange(SharedWord.INDEX_ENTRY, by));
    }
}
