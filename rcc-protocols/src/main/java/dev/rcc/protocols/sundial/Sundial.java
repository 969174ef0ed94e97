package dev.rcc.protocols.sundial;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
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
import dev.rcc.protocols.common.ReadBound;
import dev.rcc.protocols.common.RoundTrips;
import dev.rcc.protocols.optimistic.LockTime;
import dev.rcc.protocols.optimistic.OptimisticStages;
import dev.rcc.protocols.optimistic.StageContext;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** SUNDIAL: logical leases (Sundial, chapter 3; rcc, 4.5). */
public class Sundial implements Protocol {
    static final String NAME = "sundial";

    /** A record or leaf that was read may not be valid at the commit timestamp: it was written, or is about to be (Sundial, 3.3.2). */
    public static final AbortReason LEASE_NOT_RENEWED = AbortReason.retryable(20, "LEASE_NOT_RENEWED");
    /** The commit timestamp would be past the end of logical time. Final: the version that was written last there stays for ever. */
    public static final AbortReason LOGICAL_TIME_EXHAUSTED = AbortReason.permanent(
            21,
            "LOGICAL_TIME_EXHAUSTED",
            "a record that the transaction accesses can no longer be written, because its logical time is"
                    + " exhausted: use another key");

    /** The stage that renews the leases of the reads. */
    static final int RENEW = OptimisticStages.CHECK;

    private static final List<AbortReason> ABORT_REASONS = Stream.concat(
                    ConflictReasons.ALL.stream(), Stream.of(LEASE_NOT_RENEWED, LOGICAL_TIME_EXHAUSTED))
            .toList();

    private static final List<String> STAGES = List.of("fetch", "lock", "renew", "log", "commit", "release");
    /** How much further than needed a read bound is announced: one round trip for so many ticks of logical time. */
    private static final long STEP = 1 << 20;

    private static final SharedWord WORD = new SharedWord("lock and lease word");

    private final SundialOptions options;
    private final SundialRules rules;

    /** SUNDIAL with {@link SundialOptions#DEFAULT}. */
    public Sundial() {
        this(SundialOptions.DEFAULT);
    }

    /** SUNDIAL with this rule for two transactions that want to write the same record, and locks taken when transactions commit. */
    public Sundial(WriteConflict conflicts) {
        this(conflicts, LockTime.COMMIT);
    }

    /** SUNDIAL with this rule for two transactions that want to write the same record, and locks taken at this time. */
    public Sundial(WriteConflict conflicts, LockTime lockTime) {
        this(new SundialOptions(conflicts, lockTime, false, RoundTrips.FEWEST));
    }

    /** SUNDIAL with these options. */
    public Sundial(SundialOptions options) {
        this.options = options;
        this.rules = new SundialRules(options.conflicts());
    }

    @Override
    public final String name() {
        return NAME;
    }

    @Override
    public final List<Option> options() {
        return SundialOptions.OPTIONS;
    }

    @Override
    public final Protocol with(OptionValues values) {
        return new Sundial(SundialOptions.of(values));
    }

    @Override
    public final List<AbortReason> abortReasons() {
        return ABORT_REASONS;
    }

    @Override
    public final List<String> stages() {
        return STAGES;
    }

    @Override
    public final int metadataBytes() {
        return SundialLayout.METADATA_BYTES;
    }

    @Override
    public final boolean hasChecksums() {
        return true;
    }

    @Override
    public final Set<WordChange> changes(int stage, Primitive primitive) {
        boolean rpc = primitive == Primitive.RPC;
        return switch (stage) {
            case OptimisticStages.LOCK -> wordAndEntry(rpc ? By.OWNER_CPU : By.REMOTE_ATOMIC);
            case RENEW -> Set.of(new WordChange(WORD, rpc ? By.OWNER_CPU : By.REMOTE_ATOMIC));
            case OptimisticStages.COMMIT, OptimisticStages.RELEASE ->
                wordAndEntry(rpc ? By.OWNER_CPU : By.REMOTE_WRITE);
            default -> Set.of(); // ages and a log ring's words are never the target of an atomic
        };
    }

    @Override
    public final boolean isLocked(Memory memory, long offset) {
        long word = memory.getAcquire(offset);
        return SundialLayout.isLocked(word) || SundialLayout.isInstalling(word);
    }

    /** The lease lasts until the latest time to which it may have been renewed (Sundial, 3.5). */
    @Override
    public final void recover(Memory memory, long offset, long bound) {
        memory.putLong(offset + SundialLayout.AGE_OFFSET, 0);
        memory.putRelease(offset, SundialLayout.unlocked(Math.min(bound, SundialLayout.MAX_TIME)));
    }

    @Override
    public final void serve(WorkerContext context) {
        context.state().set(new ReadBound(context, STEP));
        new SundialParticipant(context, rules).serve();
        context.serveLog(OptimisticStages.LOG);
    }

    @Override
    public final Coordinator coordinator(WorkerContext context, Transaction txn) {
        return new SundialCoordinator(this, StageContext.of(context, txn, rules, options.trips()));
    }

    final SundialRules rules() {
        return rules;
    }

    final SundialOptions chosen() {
        return options;
    }

    /** The renew stage of a coroutine's transaction; tests replace it. */
    Renewal renewal(StageContext context) {
        return new Renewal(context, context.primitive(RENEW));
    }

    private static Set<WordChange> wordAndEntry(By by) {
        return Set.of(new WordChange(WORD, by), new WordChange(SharedWord.INDEX_ENTRY, by));
    }
}
