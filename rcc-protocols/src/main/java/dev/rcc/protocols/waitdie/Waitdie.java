package dev.rcc.protocols.waitdie;

import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.protocols.locking.LockingParticipant;
import dev.rcc.protocols.locking.LockingProtocol;

/** WAITDIE: two-phase locking in which the older waits and the younger dies (rcc, 4.3). */
public final class Waitdie extends LockingProtocol {
    /** How long an attempt waits in a lock stage: long against any transaction, so that it tells a holder that is gone. */
    public static final long WAIT_NANOS_MAX = 100_000_000;

    private final WaitdieRules rules;

    /** Creates the protocol, whose waits end after {@link #WAIT_NANOS_MAX}. */
    public Waitdie() {
        this(WAIT_NANOS_MAX);
    }

    /** Creates the protocol; an attempt that has waited for {@code waitNanosMax} nanoseconds in a lock stage aborts. */
    public Waitdie(long waitNanosMax) {
        this(new WaitdieRules(waitNanosMax));
    }

    private Waitdie(WaitdieRules rules) {
        super(rules);
        this.rules = rules;
    }

    @Override
    public String name() {
        return "waitdie";
    }

    @Override
    protected LockingParticipant participant(WorkerContext context) {
        return new WaitdieParticipant(context, rules);
    }
}
