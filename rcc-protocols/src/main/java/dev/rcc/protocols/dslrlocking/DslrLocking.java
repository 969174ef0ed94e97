package dev.rcc.protocols.dslrlocking;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.NodeShape;
import dev.rcc.core.protocol.NodeState;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.SharedWord;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.protocol.WordChange.By;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockScheme;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.dslr.DslrLayout;
import dev.rcc.protocols.optimistic.OptimisticParticipant;
import dev.rcc.protocols.optimistic.OptimisticStages;
import dev.rcc.protocols.optimistic.StageContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Two-phase locking with tickets that are first come, first served (dslr, 4 and 5), guarded against leases that have run out. */
public final class DslrLocking implements Protocol {
    /** A lease ran out, or the tickets before the attempt's were in a deadlock: the attempt has lost a lock (dslr, 4.7). */
    public static final AbortReason TICKET_LOST = AbortReason.retryable(24, "TICKET_LOST");

    private static final List<AbortReason> REASONS =
            Stream.concat(ConflictReasons.ALL.stream(), Stream.of(TICKET_LOST)).toList();

    private static final List<String> STAGES = List.of("lock", "guard", "validate", "log", "commit", "release");
    /** A number that neither the stages of the optimistic protocols nor the locks of a service use for their handlers. */
    private static final int WORDS_RPC = 203;

    private static final SharedWord GUARD = new SharedWord("guard");

    private final DslrLockingOptions options;
    private final LockScheme tickets;
    private final DslrLayout layout;
    private final GuardRules rules;

    /** Creates the protocol with the paper's lease, and guarded. */
    public DslrLocking() {
        this(DslrLockingOptions.DEFAULT);
    }

    private DslrLocking(DslrLockingOptions options) {
        this.options = options;
        this.tickets = options.manager().scheme(options.terms(), !options.trustsLeases());
        this.layout = DslrLayout.of(options.terms().updates(), options.terms().countMax());
        this.rules = new GuardRules(options.trustsLeases());
    }

    @Override
    public String name() {
        return "dslr";
    }

    @Override
    public List<Option> options() {
        return DslrLockingOptions.OPTIONS;
    }

    @Override
    public Protocol with(OptionValues values) {
        return new DslrLocking(DslrLockingOptions.of(values));
    }

    @Override
    public boolean isStrictlySerializable() {
        return true;
    }

    @Override
    public List<AbortReason> abortReasons() {
        return REASONS;
    }

    @Override
    public List<String> stages() {
        return STAGES;
    }

    @Override
    public int metadataBytes() {
        return DslrLockingLayout.METADATA_BYTES;
    }

    @Override
    public boolean hasChecksums() {
        return true;
    }

    /** {@inheritDoc} The tickets of each coroutine have as much room as its transactions have in its buffer. */
    @Override
    public long sharedBytes(NodeShape shape) {
        return ticketBuffers(shape)
                - shape.sharedOffset()
                + (long) shape.workers() * (shape.coroutines() + 1) * shape.bufferBytes();
    }

    private static long ticketBuffers(NodeShape shape) {
        return BufferSlice.alignToLine(shape.sharedOffset());
    }

    /** The buffer in which a coroutine's tickets are drawn. */
    static BufferSlice ticketBuffer(WorkerContext context, int coroutine) {
        NodeShape shape = context.shape();
        long start = ticketBuffers(shape) + (long) coroutine * shape.bufferBytes();
        return new BufferSlice(context.buffers(), start, shape.bufferBytes());
    }

    @Override
    public Set<WordChange> changes(int stage, Primitive primitive) {
        boolean rpc = primitive == Primitive.RPC;
        return switch (stage) {
            case OptimisticStages.FETCH -> tickets.changes(primitive);
            case OptimisticStages.LOCK -> guardChanges(rpc ? By.OWNER_CPU : By.REMOTE_ATOMIC);
            case OptimisticStages.COMMIT, OptimisticStages.RELEASE ->
                guardChanges(rpc ? By.OWNER_CPU : By.REMOTE_WRITE);
            default -> Set.of();
        };
    }

    private static Set<WordChange> guardChanges(By by) {
        return Set.of(new WordChange(GUARD, by), new WordChange(SharedWord.INDEX_ENTRY, by));
    }

    @Override
    public Optional<String> refusal(HybridCode code) {
        boolean isRefused = options.manager().isTwoSided() && code.isOneSided(OptimisticStages.FETCH);
        String stage = STAGES.get(OptimisticStages.FETCH) + "=";
        return isRefused
                ? Optional.of("dslr.manager: got '" + tickets.name() + "' with " + stage
                        + Primitive.ONE_SIDED.label() + " in code " + code + ", allowed with it: " + stage
                        + Primitive.RPC.label() + ", as its queues are reached by RPC only")
                : Optional.empty();
    }

    @Override
    public boolean countsOnReconfiguration() {
        return !options.manager().endsByLease();
    }

    /**
     * {@inheritDoc} A ticket of DSLR that is left behind is not a lock: its lease ends, and the next transaction passes it. A lock that another
     * manager has left in a word stays there until the word is recovered.
     */
    @Override
    public boolean isLocked(Memory memory, long offset) {
        return memory.getAcquire(offset) != DslrLockingLayout.FREE
                || (!options.manager().endsByLease()
                        && !tickets.isAtRest(memory.getAcquire(offset + DslrLockingLayout.TICKETS)));
    }

    /** {@inheritDoc} Tickets that were drawn before are void from here on, even if a transaction still waits for their turn or hands them back. */
    @Override
    public void recover(Memory memory, long offset, long bound) {
        long fence = memory.getAcquire(offset + DslrLockingLayout.FENCE);
        memory.putRelease(
                offset + DslrLockingLayout.FENCE, options.manager() == Manager.DSLR ? layout.recovered(fence) : 0);
        memory.putRelease(offset + DslrLockingLayout.TICKETS, 0);
        memory.putRelease(offset, DslrLockingLayout.FREE);
    }

    @Override
    public void serve(WorkerContext context) {
        new OptimisticParticipant(context, rules).serve();
        context.serveLog(OptimisticStages.LOG);
        context.state().set(context.nodeState(TicketNode.class).locks().apply(site(context)));
    }

    @Override
    public NodeState nodeState(int node, NodeShape shape) {
        return new TicketNode(tickets.node(shape.workers()));
    }

    /** The locks that the workers of a node share. Each worker asks its own gate for its configuration. */
    private record TicketNode(Function<LockSite, LockScheme.Locks> locks) implements NodeState {
        @Override
        public void configured(long configEpoch, Placement placement) {}
    }

    private static LockSite site(WorkerContext context) {
        NodeShape shape = context.shape();
        return new LockSite(
                context.worker(),
                context.endpoint(),
                region -> context.memstore().partitionOfRegion(region).memory(),
                shape.nodes(),
                shape.nodes() * shape.transactionCoroutines(),
                context.code().primitive(OptimisticStages.FETCH),
                context.serviceCoroutine(),
                ticketBuffer(context, context.serviceCoroutine()),
                context.gate()::configEpoch,
                new LockCounters(),
                WORDS_RPC,
                context.gate()::askForSweep);
    }

    @Override
    public Coordinator coordinator(WorkerContext context, Transaction txn) {
        LockScheme.Locks locks = context.state().get(LockScheme.Locks.class);
        StageContext stages = StageContext.of(context, txn, rules);
        return new DslrLockingCoordinator(stages, new DslrLockingStages(stages, rules, locks, options.terms()));
    }
}
