package dev.rcc.protocols.dslrlocking;

import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.protocols.optimistic.StageContext;
import dev.rcc.protocols.optimistic.ValidatingCoordinator;

/**
 * A transaction's course (dslr, 6.1): lock and fetch, execute, guard the writes, validate the reads, log, commit. Whatever its outcome, it
 * hands all tickets back.
 */
final class DslrLockingCoordinator extends ValidatingCoordinator<DslrLockingStages> {
    DslrLockingCoordinator(StageContext context, DslrLockingStages stages) {
        super(context, stages);
    }

    @Override
    protected void begin() {
        super.begin();
        stages.beginTickets();
    }

    /** A shared ticket can't become an exclusive one: later transactions have drawn tickets. The next attempt draws an exclusive one. */
    @Override
    protected boolean upgrade(Access access) {
        return false;
    }

    @Override
    protected Outcome finish() {
        Outcome outcome = super.finish();
        stages.handBack();
        return outcome;
    }

    @Override
    protected Outcome abandon() {
        try {
            return super.abandon();
        } finally {
            stages.handBack();
        }
    }
}
