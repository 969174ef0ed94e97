package dev.rcc.protocols.occ;

import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.optimistic.Identities;
import dev.rcc.protocols.optimistic.OptimisticStages;
import dev.rcc.protocols.optimistic.ReadSet;
import dev.rcc.protocols.optimistic.Validation;
import dev.rcc.protocols.optimistic.WriteSet;

/** Every stage of OCC, each by RPC or one-sided as the hybrid code says. */
final class OccStages extends OptimisticStages {
    private final Identities identities;
    private final Validation validation;

    OccStages(WorkerContext context, Transaction txn, ReadSet reads, WriteSet writes) {
        this(context, txn, reads, writes, new OccRules());
    }

    private OccStages(WorkerContext context, Transaction txn, ReadSet reads, WriteSet writes, OccRules rules) {
        super(context, txn, reads, writes, rules);
        this.identities = new Identities(context, txn, context.code().primitive(FETCH));
        this.validation =
                new Validation(context, txn, reads, rules, context.code().primitive(Occ.VALIDATE));
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
    AbortReason preAbortReason() {
        AbortReason reason = identities.compare();
        return reason == null ? validation.validateAll() : reason;
    }
}
