package dev.rcc.protocols.sundial;

import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Intent;
import dev.rcc.protocols.optimistic.Identities;
import dev.rcc.protocols.optimistic.OptimisticStages;
import dev.rcc.protocols.optimistic.ReadEntry;
import dev.rcc.protocols.optimistic.ReadSet;
import dev.rcc.protocols.optimistic.StageContext;

/** Every stage of SUNDIAL, each by RPC or one-sided according to the hybrid code. */
final class SundialStages extends OptimisticStages {
    private final Identities identities;
    private final Renewal renewal;
    private final ReadSet reads;

    SundialStages(Sundial protocol, StageContext context) {
        super(context, protocol.chosen().lockTime());
        this.identities = new Identities(context, context.primitive(FETCH));
        this.renewal = protocol.renewal(context);
        this.reads = context.reads();
    }

    /**
     * A record that another transaction has locked keeps its version, and its lease, until it gets another version: too late for this
     * attempt, unless it writes blindly.
     */
    @Override
    protected boolean markOutdated(int first) {
        long earliest = earliestCommit();
        boolean any = false;
        for (int i = first; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            boolean outdated = !isBlindWrite(entry) && (isToBeWritten(entry) || leaseEnd(entry) < earliest);
            if (SundialLayout.isLocked(entry.lockWord()) && outdated) {
                entry.fetchAgain();
                any = true;
            }
        }
        return any;
    }

    /** The earliest time at which an attempt that relies on its fetches can commit, if it writes all records that it may write. */
    private long earliestCommit() {
        long earliest = txn.minCommitTs();
        for (int i = 0; i < reads.size(); i++) {
            ReadEntry entry = reads.entry(i);
            earliest = Math.max(earliest, isToBeWritten(entry) ? leaseEnd(entry) + 1 : entry.version());
        }
        return earliest;
    }

    private static boolean isToBeWritten(ReadEntry entry) {
        return entry.access().declaredIntent() != Intent.READ;
    }

    private static boolean isBlindWrite(ReadEntry entry) {
        return entry.access().isBlind() && entry.access().exists();
    }

    private static long leaseEnd(ReadEntry entry) {
        return SundialLayout.leaseEnd(entry.lockWord(), entry.version());
    }

    /** Renews the leases of reads that are not written. Afterwards they are valid at {@code commitTs}, or the transaction must abort. */
    boolean renew(long commitTs) {
        clock.enter();
        AbortReason reason = renewal.renew(commitTs, false);
        clock.leave(Sundial.RENEW);
        if (reason != null) {
            txn.abort(reason);
        }
        return reason == null;
    }

    /** The reason for which the attempt must not rely on its reads, or null if all of them are valid at {@code time}. */
    AbortReason preAbort(long time) {
        AbortReason reason = identities.compare();
        return reason == null ? renewal.renew(time, true) : reason;
    }
}
