package dev.rcc.protocols.optimistic;

import dev.rcc.core.replication.LogStage;
import dev.rcc.core.txn.StageClock;
import dev.rcc.core.txn.Transaction;

/**
 * The common stages of protocols that lock only the records that they write, each by RPC or one-sided according to the hybrid code. A protocol
 * adds its own stage between lock and log, which checks the reads. Used on one coroutine.
 */
public abstract class OptimisticStages implements Stages {
    /** The stage that reads. */
    public static final int FETCH = 0;
    /** The stage that locks the writes. */
    public static final int LOCK = 1;
    /** The protocol's own stage, which checks the reads. */
    public static final int CHECK = 2;
    /** The stage that logs to the backups. */
    public static final int LOG = 3;
    /** The stage that installs the writes and unlocks them. */
    public static final int COMMIT = 4;
    /** The stage that drops locks without a write. */
    public static final int RELEASE = 5;

    /** How often a fetch waits for holders, half a millisecond in all. */
    private static final int MAX_WAITS = 7;

    private static final long FIRST_WAIT_NANOS = 4_000;

    /** The coroutine's transaction. */
    protected final Transaction txn;
    /** Times the stages. */
    protected final StageClock clock;

    private final ReadSet reads;
    private final int fetchedAtOnce;
    private final WriteSet writes;
    private final Fetching fetching;
    private final Locking locking;
    private final AccessLocking accessLocking;
    /** Locks the records to be written when they are accessed; null in attempts that lock at the commit. */
    private AccessLocking atAccess;

    private final LogStage logStage;
    private final Finishing commit;
    private final Finishing release;

    /** The stages of a coroutine's transaction. */
    protected OptimisticStages(StageContext context, LockTime time) {
        this.txn = context.txn();
        this.clock = new StageClock(txn, context.worker().timers());
        this.reads = context.reads();
        this.fetchedAtOnce = context.trips().fetchedAtOnce();
        this.writes = context.writes();
        this.fetching = new Fetching(context, context.primitive(FETCH));
        this.locking = new Locking(context, context.primitive(LOCK), time);
        this.release = new Finishing(context, context.primitive(RELEASE), false);
        this.accessLocking = new AccessLocking(context, locking, new FetchStage(), release, time);
        this.logStage = context.logStage(LOG);
        this.commit = new Finishing(context, context.primitive(COMMIT), true);
    }

    @Override
    public final void begin() {
        clock.begin();
        locking.begin();
        atAccess = accessLocking.begin();
    }

    /** An access that was fetched for reading is to write: it is locked in time. */
    public final void upgrade() {
        if (atAccess != null) {
            atAccess.upgrade();
        }
    }

    /**
     * {@inheritDoc} Where records are locked when they are accessed, accesses that are to write are locked as well: then all of it counts as the
     * lock stage.
     */
    @Override
    public final boolean fetch() {
        int first = reads.admitNew(fetchedAtOnce);
        clock.enter();
        boolean locks = atAccess != null && atAccess.locksAnyFrom(first);
        boolean fetched = locks ? atAccess.fetch(first) : fetchFrom(first);
        clock.leave(locks ? LOCK : FETCH);
        return fetched;
    }

    /**
     * Fetches the entries from number {@code first} on that have not been fetched.
     *
     * @return true if all are fetched; false if the attempt must abort, with the reason set
     */
    protected boolean fetchFrom(int first) {
        return fetching.fetch(first) && fetchOutdatedAgain(first);
    }

    /** How the records that are not locked in the same call are fetched. */
    private final class FetchStage implements AccessLocking.Fetches {
        @Override
        public boolean fetch(int first) {
            return fetching.fetch(first);
        }

        @Override
        public void leaveOut(ReadEntry entry) {
            entry.leaveOut();
        }

        @Override
        public void fetchAgain(ReadEntry entry) {
            entry.fetchAgain();
        }

        @Override
        public void locked(ReadEntry entry, long version, long lockWord) {
            entry.foundTuple(version, lockWord);
        }
    }

    /**
     * The procedure has not seen yet the records of the entries from number {@code first} on. A record that can only lead to an abort, since its
     * lock's holder is about to replace it, is left to the holder for a while and then fetched again, which costs less. No lock is held here, so
     * no transaction waits in a circle.
     */
    private boolean fetchOutdatedAgain(int first) {
        for (int waits = 0; waits < MAX_WAITS && markOutdated(first); waits++) {
            txn.coroutine().sleep(FIRST_WAIT_NANOS << waits);
            if (!fetching.fetch(first)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Marks for another fetch the entries from number {@code first} on by which the attempt must abort, unless the holders of their locks abort.
     *
     * @return whether there are any
     */
    protected boolean markOutdated(int first) {
        return false;
    }

    /** The write set of a transaction that locks in the end is known, and is about to be locked. */
    protected void collected(WriteSet written) {}

    /**
     * Locks all records that the attempt writes and has not locked, once its procedure is done. Afterwards all of them are locked and unchanged,
     * or the transaction must abort.
     */
    public final boolean lock() {
        if (atAccess == null) {
            writes.collect(reads);
            release.checkReleasable();
            collected(writes);
        }
        if (writes.isEmpty() && (atAccess == null || !atAccess.isUpgraded())) {
            return true;
        }
        clock.enter();
        boolean locked = atAccess == null ? locking.lock() : atAccess.lockUpgraded();
        clock.leave(LOCK);
        return locked;
    }

    @Override
    public final boolean log() {
        clock.enter();
        commit.prepare();
        boolean decided = logStage.log();
        clock.leave(LOG);
        return decided;
    }

    @Override
    public final void commit() {
        clock.enter();
        commit.finish();
        clock.leave(COMMIT);
    }

    @Override
    public final void release() {
        clock.enter();
        locking.findLost();
        release.prepare();
        release.finish();
        clock.leave(RELEASE);
    }
}
