package dev.rcc.protocols.optimistic;

import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;

/** The stages of a protocol that compares what it has read with what is there, once all that it writes is locked (rcc, 4.1). */
public class ValidatingStages extends OptimisticStages {
    private final Identities identities;
    private final Validation validation;

    /** The stages of {@code txn}'s coroutine. */
    public ValidatingStages(WorkerContext context, Transaction txn, ReadSet reads, WriteSet writes, LockRules rules) {
        super(context, txn, reads, writes, rules);
        this.identities = new Identities(context, txn, context.code().primitive(FETCH));
        this.validation =
                new Validation(context, txn, reads, rules, context.code().primitive(CHECK));
    }

    /** Validates what was read and is not written. Afterwards it has not changed, or the transaction must abort. */
    public boolean validate() {
        clock.enter();
        AbortReason reason = validation.validateReads();
        clock.leave(CHECK);
        if (reason != null) {
            txn.abort(reason);
        }
        return reason == null;
    }

    /** Why the attempt must not go by what it has read, or null if all of it still holds. */
    public AbortReason preAbortReason() {
        AbortReason reason = identities.compare();
        return reason == null ? validation.validateAll() : reason;
    }
}
