package dev.rcc.protocols.mvcc;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.replication.LogStage;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.StageClock;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.optimistic.AccessLocking;
import dev.rcc.protocols.optimistic.Finishing;
import dev.rcc.protocols.optimistic.Identities;
import dev.rcc.protocols.optimistic.LockTime;
import dev.rcc.protocols.optimistic.Locking;
import dev.rcc.protocols.optimistic.ReadEntry;
import dev.rcc.protocols.optimistic.ReadSet;
import dev.rcc.protocols.optimistic.StageContext;
import dev.rcc.protocols.optimistic.Stages;
import dev.rcc.protocols.optimistic.WriteEntry;
import dev.rcc.protocols.optimistic.WriteLeaf;
import dev.rcc.protocols.optimistic.WriteSet;

/** Every stage of MVCC, each by RPC or one-sided according to the hybrid code. */
final class MvccStages implements Stages {
    private final Transaction txn;
    private final ReadSet reads;
    private final int fetchedAtOnce;
    private final WriteSet writes;
    private final Memory buffers;
    private final Readings readings;
    private final RpcReading rpcReading;
    private final OneSidedReading oneSidedReading;
    private final Identities identities;
    private final Confirmation confirmation;
    private final boolean locksOneSided;
    private final Locking locking;
    private final AccessLocking accessLocking;
    /** Locks the records to be written when they are accessed; null in attempts that lock at the commit. */
    private AccessLocking atAccess;

    private final LogStage logStage;
    private final Installing installing;
    private final Finishing release;
    private final StageClock clock;
    /** The number of the first reading of the fetch that is under way, or the number of all readings if none is. */
    private int firstFetched;

    MvccStages(StageContext context, Mvcc protocol) {
        Primitive fetch = context.primitive(Mvcc.FETCH);
        this.txn = context.txn();
        this.reads = context.reads();
        this.fetchedAtOnce = context.trips().fetchedAtOnce();
        this.writes = context.writes();
        this.buffers = context.worker().buffers();
        this.readings = new Readings(txn, reads, protocol.chosen());
        this.rpcReading = fetch == Primitive.RPC ? new RpcReading(context, readings) : null;
        this.oneSidedReading =
                fetch == Primitive.RPC ? null : new OneSidedReading(context, readings, protocol.readsAsPrinted());
        this.identities = new Identities(context, fetch);
        this.confirmation = new Confirmation(context, readings, fetch);
        this.locksOneSided = context.primitive(Mvcc.LOCK) == Primitive.ONE_SIDED;
        LockTime time = protocol.chosen().lockTime();
        this.locking = new Locking(context, context.primitive(Mvcc.LOCK), time);
        this.release = new Finishing(context, context.primitive(Mvcc.RELEASE), false);
        this.accessLocking = new AccessLocking(context, locking, new FetchStage(), release, time);
        this.logStage = context.logStage(Mvcc.LOG);
        this.installing = new Installing(context, readings, context.primitive(Mvcc.COMMIT));
        this.clock = new StageClock(txn, context.worker().timers());
    }

    @Override
    public void begin() {
        readings.clear();
        locking.begin();
        atAccess = accessLocking.begin();
        clock.begin();
    }

    /**
     * {@inheritDoc} Where records are locked when they are accessed, accesses that are to write are locked as well: then all of it counts as the lock
     * stage.
     */
    @Override
    public boolean fetch() {
        int first = readings.admitNew(fetchedAtOnce);
        clock.enter();
        firstFetched = first;
        boolean locks = atAccess != null && atAccess.locksAnyFrom(first);
        boolean fetched = locks ? fetchAndLock(first) : read(first);
        if (fetched) {
            installing.keepReplaced(first);
        }
        firstFetched = readings.size();
        clock.leave(locks ? Mvcc.LOCK : Mvcc.FETCH);
        return fetched;
    }

    private boolean read(int first) {
        return rpcReading != null ? rpcReading.read(first) : oneSidedReading.read(first);
    }

    private boolean fetchAndLock(int first) {
        boolean fetched = atAccess.fetch(first);
        checkTimes();
        return fetched && txn.abortReason() == null;
    }

    /** How the records that are not locked in the same call are read. */
    private final class FetchStage implements AccessLocking.Fetches {
        @Override
        public boolean fetch(int first) {
            return read(first);
        }

        @Override
        public void leaveOut(ReadEntry entry) {
            entry.leaveOut();
            readings.get(entry.access().index()).step = Reading.Step.DONE;
        }

        @Override
        public void fetchAgain(ReadEntry entry) {
            entry.fetchAgain();
            readings.get(entry.access().index()).reset(entry);
        }

        @Override
        public void locked(ReadEntry entry, long version, long lockWord) {
            Reading reading = readings.get(entry.access().index());
            reading.expectedRts = buffers.getLong(entry.access().imageOffset() + MvccLayout.RTS_OFFSET);
            entry.foundTuple(version, MvccLayout.FREE);
        }
    }

    /**
     * A record that was read is going to be written: keeps the replaced record, unless the fetch that is under way will do so and gives room in the
     * buffer back before; and sees to it that it is locked in time.
     */
    void upgrade(Access access) {
        if (access.index() < firstFetched) {
            installing.keepReplaced(readings.get(access.index()));
        }
        if (atAccess != null) {
            atAccess.upgrade();
        }
    }

    /** The procedure is done: collects its writes, and returns whether there are any. */
    boolean collect() {
        if (atAccess == null) {
            writes.collect(reads);
            return !writes.isEmpty();
        }
        boolean any = false;
        for (int i = 0; i < reads.size(); i++) {
            any |= reads.entry(i).access().isWrite();
        }
        return any;
    }

    /** Confirms the records that were read to be written, and are not written. Afterwards all reads hold, or the transaction must abort. */
    boolean confirm() {
        if (!confirmation.isNeeded()) {
            return true;
        }
        clock.enter();
        AbortReason reason = confirmation.confirmReads();
        clock.leave(Mvcc.FETCH);
        if (reason != null) {
            txn.abort(reason);
        }
        return reason == null;
    }

    /** The reason for which the attempt must not rely on its reads, or null if all of them still hold. */
    AbortReason preAbortReason() {
        AbortReason reason = identities.compare();
        return reason == null ? confirmation.confirmAll() : reason;
    }

    /** Locks what of the write set is not locked. Afterwards all of it may be written at the transaction's time, or it must abort. */
    boolean lock() {
        clock.enter();
        installing.makeRoomForReplaced(locksOneSided && atAccess == null);
        if (atAccess == null) {
            release.checkReleasable();
            locking.lock();
        } else if (atAccess.lockUpgraded()) {
            writes.markWritten();
        }
        checkTimes();
        if (txn.abortReason() == null && !installing.readReplaced()) {
            txn.abort(AbortReason.PEER_UNREACHABLE);
        }
        clock.leave(Mvcc.LOCK);
        return txn.abortReason() == null;
    }

    @Override
    public boolean log() {
        clock.enter();
        installing.prepare();
        boolean decided = logStage.log();
        clock.leave(Mvcc.LOG);
        return decided;
    }

    @Override
    public void commit() {
        clock.enter();
        installing.install();
        clock.leave(Mvcc.COMMIT);
    }

    @Override
    public void release() {
        clock.enter();
        locking.findLost();
        release.prepare();
        release.finish();
        clock.leave(Mvcc.RELEASE);
    }

    /**
     * Checks <i>Cond W1</i> with the values that were read once the locks were held. An update or delete whose version is the fetched one is later
     * than that version. So is a blind write, whose version may be any earlier one. An {@code rts} that equals the transaction's time is of its own
     * read.
     */
    private void checkTimes() {
        for (int i = 0; i < writes.size(); i++) {
            WriteEntry entry = writes.entry(i);
            if (entry.isHeld()) {
                checkBefore(entry.access().replacedVersion());
                if (entry.access().exists()) { // an empty slot's rts is of what was there before its version
                    checkBefore(buffers.getLong(entry.access().imageOffset() + MvccLayout.RTS_OFFSET));
                }
            }
        }
        for (int i = 0; i < writes.leaves(); i++) {
            WriteLeaf leaf = writes.leaf(i);
            if (leaf.isHeld()) {
                checkBefore(leaf.version());
                checkBefore(buffers.getLong(leaf.metadataOffset() + MvccLayout.RTS_OFFSET));
            }
        }
    }

    private void checkBefore(long timestamp) {
        readings.observe(timestamp);
        if (Timestamp.isBefore(txn.id(), timestamp)) {
            txn.abort(Mvcc.WRITE_TOO_LATE);
        }
    }
}
