package dev.rcc.protocols.optimistic;

import dev.rcc.core.txn.AbortReason;

/** The stages of a protocol that compares what it has read with what is there, once all that it writes is locked (rcc, 4.1). */
public class ValidatingStages extends OptimisticStages {
    private final Identities identities;
    private final Validation validation;

    /** The stages of a coroutine's transaction. */
    public ValidatingStages(StageContext context) {
        super(context, LockTime.COMMIT);
        this.identities = new Identities(context, context.primitive(FETCH));
        this.validation = new Validation(context, context.primitive(CHECK));
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
