package dev.rcc.protocols.sundial;

import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.optimistic.OptimisticStages;
import dev.rcc.protocols.optimistic.ReadSet;
import dev.rcc.protocols.optimistic.WriteSet;

/** Every stage of SUNDIAL, each by RPC or one-sided as the hybrid code says. */
final class SundialStages extends OptimisticStages {
    private final Renewal renewal;

    SundialStages(Sundial protocol, WorkerContext context, Transaction txn, ReadSet reads, WriteSet writes) {
        super(context, txn, reads, writes, protocol.rules());
        this.renewal = protocol.renewal(context, txn, reads);
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
}
