package dev.rcc.protocols.mvcc;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.option.Option;
import dev.rcc.core.option.OptionValues;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.protocol.SharedWord;
import dev.rcc.core.protocol.WordChange;
import dev.rcc.core.protocol.WordChange.By;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.common.ReadBound;
import dev.rcc.protocols.common.RoundTrips;
import dev.rcc.protocols.optimistic.StageContext;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** MVCC: multi-version concurrency control by timestamps (rcc, 4.4). */
public final class Mvcc implements Protocol {
    private static final String NAME = "mvcc";

    /** A record or leaf that the transaction writes was read or written by a transaction with a later timestamp (Cond W1). */
    public static final AbortReason WRITE_TOO_LATE = AbortReason.retryable(16, "WRITE_TOO_LATE");
    /** The version that the transaction would have to read is not kept any more (Cond R1). */
    public static final AbortReason VERSION_GONE = AbortReason.retryable(17, "VERSION_GONE");
    /** A transaction with an earlier timestamp did not finish writing a record or leaf that the transaction reads (Cond R2). */
    public static final AbortReason PENDING_WRITER = AbortReason.retryable(18, "PENDING_WRITER");

    /** The stage that reads. */
    static final int FETCH = 0;
    /** The stage that locks the writes. */
    static final int LOCK = 1;
    /** The stage that logs to the backups. */
    static final int LOG = 2;
    /** The stage that installs the writes and unlocks them. */
    static final int COMMIT = 3;
    /** The stage that drops locks without a write. */
    static final int RELEASE = 4;

    /**
     * How much further than needed a read bound is announced: 50 ms, in the clock bits of a timestamp. The clocks run ahead by as
     * much after a node was lost.
     */
    private static final long STEP = Timestamp.of(50_000_000 / Timestamp.TICK_NANOS, 0, 0);

    private static final List<AbortReason> ABORT_REASONS = Stream.concat(
                    ConflictReasons.ALL.stream(), Stream.of(WRITE_TOO_LATE, VERSION_GONE, PENDING_WRITER))
            .toList();

    private static final List<String> STAGES = List.of("fetch", "lock", "log", "commit", "release");

    /** The timestamp of the latest reader. */
    private static final SharedWord RTS = new SharedWord("rts");

    private final MvccOptions options;
    private final RoundTrips trips;
    private final boolean readsAsPrinted;

    /** MVCC with {@link MvccOptions#DEFAULT}. */
    public Mvcc() {
        this(MvccOptions.DEFAULT);
    }

    /** MVCC with these options. */
    public Mvcc(MvccOptions options) {
        this(options, RoundTrips.FEWEST);
    }

    /** MVCC with these options, and these round trips. */
    public Mvcc(MvccOptions options, RoundTrips trips) {
        this(options, trips, false);
    }

    /**
     * MVCC, perhaps with the hole of the printed protocol: for tests, which must find it.
     *
     * @param readsAsPrinted whether a one-sided reader of a current record raises {@code rts} after it has read, not before:
     *     not serializable
     */
    Mvcc(MvccOptions options, RoundTrips trips, boolean readsAsPrinted) {
        this.options = options;
        this.trips = trips;
        this.readsAsPrinted = readsAsPrinted;
    }

    /** The options of this protocol. */
    public MvccOptions chosen() {
        return options;
    }

    boolean readsAsPrinted() {
        return readsAsPrinted;
    }

    @Override
    public List<Option> options() {
        return Stream.concat(MvccOptions.OPTIONS.stream(), RoundTrips.options(NAME).stream())
                .toList();
    }

    @Override
    public Protocol with(OptionValues values) {
        return new Mvcc(MvccOptions.of(values), RoundTrips.of(NAME, values));
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<AbortReason> abortReasons() {
        return ABORT_REASONS;
    }

    @Override
    public List<String> stages() {
        return STAGES;
    }

    @Override
    public int metadataBytes() {
        return MvccLayout.metadataBytes(historySlots());
    }

    @Override
    public boolean hasChecksums() {
        return true;
    }

    @Override
    public int historySlots() {
        return options.versions() - 1;
    }

    @Override
    public int historyVersionOffset(int slot) {
        return slot < historySlots() ? MvccLayout.wtsOffset(slot) : Protocol.super.historyVersionOffset(slot);
    }

    MvccRules rules() {
        return new MvccRules(metadataBytes());
    }

    @Override
    public Set<WordChange> changes(int stage, Primitive primitive) {
        boolean rpc = primitive == Primitive.RPC;
        return switch (stage) {
            case FETCH -> Set.of(new WordChange(RTS, rpc ? By.OWNER_CPU : By.REMOTE_ATOMIC));
            case LOCK -> lockChanges(rpc ? By.OWNER_CPU : By.REMOTE_ATOMIC);
            case COMMIT, RELEASE -> lockChanges(rpc ? By.OWNER_CPU : By.REMOTE_WRITE);
            default -> Set.of(); // a log ring's words are never the target of an atomic
        };
    }

    @Override
    public boolean isLocked(Memory memory, long offset) {
        return memory.getAcquire(offset + MvccLayout.LOCK_OFFSET) != MvccLayout.FREE;
    }

    /** Older records are not replicated: a transaction that needs one finds that it is gone. */
    @Override
    public void recover(Memory memory, long offset, long bound) {
        for (int slot = 0; slot < historySlots(); slot++) {
            memory.putLong(offset + MvccLayout.wtsOffset(slot), 0);
        }
        memory.putLong(offset + MvccLayout.RTS_OFFSET, bound);
        memory.putRelease(offset + MvccLayout.LOCK_OFFSET, MvccLayout.FREE);
    }

    @Override
    public void serve(WorkerContext context) {
        context.state().set(new ReadBound(context, STEP));
        new MvccParticipant(context, this).serve();
        context.serveLog(LOG);
    }

    @Override
    public Coordinator coordinator(WorkerContext context, Transaction txn) {
        return new MvccCoordinator(StageContext.of(context, txn, rules(), trips), this);
    }

    private static Set<WordChange> lockChanges(By by) {
        return Set.of(new WordChange(SharedWord.LOCK, by), new WordChange(SharedWord.INDEX_ENTRY, by));
    }
}
