package dev.rcc.protocols.sundial;

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
import dev.rcc.protocols.optimistic.WriteSet;

/** Every stage of SUNDIAL, each by RPC or one-sided as the hybrid code says. */
final class SundialStages {
    private final Transaction txn;
    private final ReadSet reads;
    private final Fetching fetching;
    private final Locking locking;
    private final Renewal renewal;
    private final LogStage logStage;
    private final Finishing commit;
    private final Finishing release;
    private final StageClock clock;

    SundialStages(Sundial protocol, WorkerContext context, Transaction txn, ReadSet reads, WriteSet writes) {
        HybridCode code = context.code();
        SundialRules rules = protocol.rules();
        this.txn = txn;
        this.reads = reads;
        this.fetching = new Fetching(context, txn, reads, rules, code.primitive(Sundial.FETCH));
        this.locking = new Locking(context, txn, writes, rules, code.primitive(Sundial.LOCK));
        this.renewal = protocol.renewal(context, txn, reads);
        this.logStage = new LogStage(context, txn, code.primitive(Sundial.LOG));
        this.commit = new Finishing(context, txn, writes, rules, code.primitive(Sundial.COMMIT), true);
        this.release = new Finishing(context, txn, writes, rules, code.primitive(Sundial.RELEASE), false);
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
        clock.leave(Sundial.FETCH);
        return fetched;
    }

    /** Locks the write set. Afterwards all of it is locked and unchanged, or the transaction must abort. */
    boolean lock() {
        clock.enter();
        boolean locked = locking.lock();
        clock.leave(Sundial.LOCK);
        return locked;
    }

    /** Renews what was read and is not written. Afterwards it is valid at {@code commitTs}, or the transaction must abort. */
    boolean renew(long commitTs) {
        clock.enter();
        AbortReason reason = renewal.renew(commitTs, false);
        clock.leave(Sundial.RENEW);
        if (reason != null) {
            txn.abort(reason);
        }
        return reason == null;
    }

    /** Why the attempt must not go by what it has read, or null if all of it is valid at {@code time}. */
    AbortReason doom(long time) {
        return renewal.renew(time, true);
    }

    /** Logs the writes. Afterwards the transaction is decided, or must abort and no backup replays it. */
    boolean log() {
        clock.enter();
        commit.prepare();
        boolean decided = logStage.log();
        clock.leave(Sundial.LOG);
        return decided;
    }

    /** Installs the writes, which {@link #log} logged, and unlocks them. */
    void commit() {
        clock.enter();
        commit.finish();
        clock.leave(Sundial.COMMIT);
    }

    /** Unlocks what is locked. */
    void release() {
        clock.enter();
        release.prepare();
        release.finish();
        clock.leave(Sundial.RELEASE);
    }
}
