package dev.rcc.protocols.mvcc;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.replication.LogStage;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.StageClock;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.optimistic.Finishing;
import dev.rcc.protocols.optimistic.Identities;
import dev.rcc.protocols.optimistic.Locking;
import dev.rcc.protocols.optimistic.ReadSet;
import dev.rcc.protocols.optimistic.WriteEntry;
import dev.rcc.protocols.optimistic.WriteLeaf;
import dev.rcc.protocols.optimistic.WriteSet;

/** Every stage of MVCC, each by RPC or one-sided as the hybrid code says. */
final class MvccStages {
    private final Transaction txn;
    private final WriteSet writes;
    private final Memory buffers;
    private final Readings readings;
    private final RpcReading rpcReading;
    private final OneSidedReading oneSidedReading;
    private final Identities identities;
    private final Confirmation confirmation;
    private final boolean locksOneSided;
    private final Locking locking;
    private final LogStage logStage;
    private final Installing installing;
    private final Finishing release;
    private final StageClock clock;

    MvccStages(WorkerContext context, Transaction txn, Mvcc protocol, ReadSet reads, WriteSet writes) {
        HybridCode code = context.code();
        MvccRules rules = protocol.rules();
        Primitive fetch = code.primitive(Mvcc.FETCH);
        this.txn = txn;
        this.writes = writes;
        this.buffers = context.buffers();
        this.readings = new Readings(txn, reads, protocol.chosen());
        this.rpcReading = fetch == Primitive.RPC ? new RpcReading(context, txn, readings) : null;
        this.oneSidedReading =
                fetch == Primitive.RPC ? null : new OneSidedReading(context, txn, readings, protocol.readsAsPrinted());
        this.identities = new Identities(context, txn, fetch);
        this.confirmation = new Confirmation(context, txn, readings, fetch);
        this.locksOneSided = code.isOneSided(Mvcc.LOCK);
        this.locking = new Locking(context, txn, writes, rules, code.primitive(Mvcc.LOCK));
        this.logStage = context.logStage(txn, Mvcc.LOG);
        this.installing = new Installing(context, txn, writes, readings, rules, code.primitive(Mvcc.COMMIT));
        this.release = new Finishing(context, txn, writes, rules, code.primitive(Mvcc.RELEASE), false);
        this.clock = new StageClock(context.worker(), context.timers());
    }

    /** An attempt begins. */
    void begin() {
        readings.clear();
        clock.begin();
    }

    /** Fetches the accesses that are new. Afterwards each is fetched, or the transaction must abort. */
    boolean fetch() {
        int first = readings.admitNew();
        if (first == readings.size()) {
            return true;
        }
        clock.enter();
        boolean fetched = rpcReading != null ? rpcReading.read(first) : oneSidedReading.read(first);
        if (fetched) {
            installing.keepReplaced(first);
        }
        clock.leave(Mvcc.FETCH);
        return fetched;
    }

    /** A record that was read is going to be written: keeps what it replaces. */
    void keepReplaced(Access access) {
        installing.keepReplaced(readings.get(access.index()));
    }

    /** Confirms what was read to be written, and is not. Afterwards all reads hold, or the transaction must abort. */
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

    /** Why the attempt must not go by what it has read, or null if all of it still holds. */
    AbortReason preAbortReason() {
        AbortReason reason = identities.compare();
        return reason == null ? confirmation.confirmAll() : reason;
    }

    /** Locks the write set. Afterwards all of it may be written at the transaction's time, or it must abort. */
    boolean lock() {
        clock.enter();
        installing.makeRoomForReplaced(locksOneSided);
        locking.lock();
        checkTimes();
        if (txn.abortReason() == null && !installing.readReplaced()) {
            txn.abort(AbortReason.PEER_UNREACHABLE);
        }
        clock.leave(Mvcc.LOCK);
        return txn.abortReason() == null;
    }

    /** Logs the writes. Afterwards the transaction is decided, or must abort and no backup replays it. */
    boolean log() {
        clock.enter();
        installing.prepare();
        boolean decided = logStage.log();
        clock.leave(Mvcc.LOG);
        return decided;
    }

    /** Installs the writes, which {@link #log} logged, and unlocks them; then that is done on every node of the configuration. */
    void commit() {
        clock.enter();
        installing.install();
        clock.leave(Mvcc.COMMIT);
    }

    /** Unlocks what is locked; then that is done on every node of the configuration. */
    void release() {
        clock.enter();
        locking.findLost();
        release.prepare();
        release.finish();
        clock.leave(Mvcc.RELEASE);
    }

    /**
     * Checks <i>Cond W1</i> with what was read once the locks were held. An update or delete whose version is the one that
     * was fetched is later than that, and so is a blind write, whose version may be any that is earlier; an {@code rts} that equals the own
     * time is of an own read.
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
