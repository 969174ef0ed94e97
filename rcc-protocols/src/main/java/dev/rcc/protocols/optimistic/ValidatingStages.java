package dev.rcc.protocols.optimistic;

import dev.rcc.core.txn.AbortReason;

/** The stages of a protocol that compares its reads with the present versions, once all its writes are locked (rcc, 4.1). */
public class ValidatingStages extends OptimisticStages {
    private final Identities identities;
    private final Validation validation;

    /** The stages of a coroutine's transaction. */
    public ValidatingStages(StageContext context) {
        super(context, LockTime.COMMIT);
        this.identities = new Identities(context, context.primitive(FETCH));
        this.validation = new Validation(context, context.primitive(CHECK));
    }

    /** Validates the reads of records that are not written. Afterwards these have not changed, or the transaction must abort. */
    public boolean validate() {
        clock.enter();
        AbortReason reason = validation.validateReads();
        clock.leave(CHECK);
        if (reason != null) {
            txn.abort(reason);
        }
        return reason == null;
    }

    /** The reason for which the attempt must not rely on its reads, or null if all of them still hold. */
    public AbortReason preAbortReason() {
        AbortReason reason = identities.compare();
        return reason == null ? validation.validateAll() : reason;
    }
}
