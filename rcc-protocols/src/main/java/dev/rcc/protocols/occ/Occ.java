package dev.rcc.protocols.occ;

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
import dev.rcc.protocols.common.RoundTrips;
import dev.rcc.protocols.optimistic.LockRules;
import dev.rcc.protocols.optimistic.OptimisticParticipant;
import dev.rcc.protocols.optimistic.OptimisticStages;
import dev.rcc.protocols.optimistic.StageContext;
import dev.rcc.protocols.optimistic.ValidatingCoordinator;
import dev.rcc.protocols.optimistic.ValidatingStages;
import java.util.List;
import java.util.Set;

/** OCC: optimistic concurrency control (rcc, 4.1). */
public final class Occ implements Protocol {
    private static final String NAME = "occ";
    private static final LockRules RULES = new OccRules();

    private static final List<String> STAGES = List.of("fetch", "lock", "validate", "log", "commit", "release");

    private final RoundTrips trips;

    /** OCC with the fewest round trips. */
    public Occ() {
        this(RoundTrips.FEWEST);
    }

    /** OCC with these round trips. */
    public Occ(RoundTrips trips) {
        this.trips = trips;
    }

    @Override
    public List<Option> options() {
        return RoundTrips.options(NAME);
    }

    @Override
    public Protocol with(OptionValues values) {
        return new Occ(RoundTrips.of(NAME, values));
    }

    @Override
    public String name() {
        return NAME;
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
    public List<String> stages() {
        return STAGES;
    }

    @Override
    public int metadataBytes() {
        return OccLayout.METADATA_BYTES;
    }

    @Override
    public boolean hasChecksums() {
        return true;
    }

    @Override
    public Set<WordChange> changes(int stage, Primitive primitive) {
        boolean rpc = primitive == Primitive.RPC;
        return switch (stage) {
            case OptimisticStages.LOCK -> changes(rpc ? By.OWNER_CPU : By.REMOTE_ATOMIC);
            case OptimisticStages.COMMIT, OptimisticStages.RELEASE -> changes(rpc ? By.OWNER_CPU : By.REMOTE_WRITE);
            default -> Set.of(); // fetch and validate only read; a log ring's words are never the target of an atomic
        };
    }

    @Override
    public boolean isLocked(Memory memory, long offset) {
        return memory.getAcquire(offset) != OccLayout.FREE;
    }

    @Override
    public void recover(Memory memory, long offset, long bound) {
        memory.putRelease(offset, OccLayout.FREE);
    }

    @Override
    public void serve(WorkerContext context) {
        new OptimisticParticipant(context, RULES).serve();
        context.serveLog(OptimisticStages.LOG);
    }

    @Override
    public Coordinator coordinator(WorkerContext context, Transaction txn) {
        StageContext stages = StageContext.of(context, txn, RULES, trips);
        return new ValidatingCoordinator<>(stages, new ValidatingStages(stages));
    }

    private static Set<WordChange> changes(By by) {
        return Set.of(new WordChange(SharedWord.LOCK, by), new WordChange(SharedWord.INDEX_ENTRY, by));
    }
}
