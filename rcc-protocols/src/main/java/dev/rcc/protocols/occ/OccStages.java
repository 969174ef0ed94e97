package dev.rcc.protocols.occ;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.StageClock;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.LogStage;
import dev.rcc.protocols.optimistic.Fetching;
import dev.rcc.protocols.optimistic.Finishing;
import dev.rcc.protocols.optimistic.Locking;
import dev.rcc.protocols.optimistic.ReadSet;
import dev.rcc.protocols.optimistic.Validation;
import dev.rcc.protocols.optimistic.WriteSet;

/** Every stage of OCC, each by RPC or one-sided as the hybrid code says. */
final class OccStages {
    private final Transaction txn;
    private final ReadSet reads;
    private final Fetching fetching;
    private final Locking locking;
    private final Validation validation;
    private final LogStage logStage;
    private final Finishing commit;
    private final Finishing release;
    private final StageClock clock;

    OccStages(WorkerContext context, Transaction txn, ReadSet reads, WriteSet writes) {
        HybridCode code = context.code();
        OccRules rules = new OccRules();
        this.txn = txn;
        this.reads = reads;
        this.fetching = new Fetching(context, txn, reads, rules, code.primitive(Occ.FETCH));
        this.locking = new Locking(context, txn, writes, rules, code.primitive(Occ.LOCK));
        this.validation = new Validation(context, txn, reads, rules, code.primitive(Occ.VALIDATE));
        this.logStage = new LogStage(context, txn, code.primitive(Occ.LOG));
        this.commit = new Finishing(context, txn, writes, rules, code.primitive(Occ.COMMIT), true);
        this.release = new Finishing(context, txn, writes, rules, code.primitive(Occ.RELEASE), false);
        this.clock = new StageClock(context.worker(), context.timers());
    }

    /** An attempt begins. */
    void begin() {
        clock.begin();
    }

    /** Fetches the accesses that are new. Afterwards each is fetched, or the transaction must abort. */
    boolean fetch() {
        int first = reads.admitNew();
        if (first == reads.size()) {
            return true;
        }
        clock.enter();
        boolean fetched = fetching.fetch(first);
        clock.leave(Occ.FETCH);
        return fetched;
    }

    /** Locks the write set. Afterwards all of it is locked and unchanged, or the transaction must abort. */
    boolean lock() {
        clock.enter();
        boolean locked = locking.lock();
        clock.leave(Occ.LOCK);
        return locked;
    }

    /** Validates what was read and is not written. Afterwards it has not changed, or the transaction must abort. */
    boolean validate() {
        clock.enter();
        AbortReason reason = validation.validateReads();
        clock.leave(Occ.VALIDATE);
        if (reason != null) {
            txn.abort(reason);
        }
        return reason == null;
    }

    /** Why the attempt must not go by what it has read, or null if all of it still holds. */
    AbortReason doom() {
        return validation.validateAll();
    }

    /** Logs the writes. Afterwards the transaction is decided, or must abort and no backup replays it. */
    boolean log() {
        clock.enter();
        commit.prepare();
        boolean decided = logStage.log();
        clock.leave(Occ.LOG);
        return decided;
    }

    /** Installs the writes, which {@link #log} logged, and unlocks them. */
    void commit() {
        clock.enter();
        commit.finish();
        clock.leave(Occ.COMMIT);
    }

    /** Unlocks what is locked. */
    void release() {
        clock.enter();
        release.prepare();
        release.finish();
        clock.leave(Occ.RELEASE);
    }
}
