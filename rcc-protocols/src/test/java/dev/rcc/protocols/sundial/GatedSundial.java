package dev.rcc.protocols.sundial;

import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.optimistic.StageContext;

/**
 * SUNDIAL with gates that stop a transaction in its renew stage, where it holds its locks and its outcome is undecided. It renews as built or as
 * printed. For tests and simulations.
 */
public final class GatedSundial extends Sundial {
    private final boolean asPrinted;
    private final Gate gate;

    private GatedSundial(WriteConflict conflicts, boolean asPrinted, Gate gate) {
        super(conflicts);
        this.asPrinted = asPrinted;
        this.gate = gate;
    }

    /** The gate in the renew stage of a transaction; each method may wait. */
    public interface Gate {
        /** A gate that is always open. */
        Gate OPEN = txn -> null;

        /** Called before any renewal; returns the reason for which the attempt must abort, or null. */
        AbortReason beforeRenewal(Transaction txn);

        /** As printed only: called after a tuple was read and found unlocked, before its rts is raised. */
        default void beforeRaise(Transaction txn) {}
    }

    /** SUNDIAL as built. */
    public static GatedSundial asBuilt(WriteConflict conflicts, Gate gate) {
        return new GatedSundial(conflicts, false, gate);
    }

    /** SUNDIAL that renews as in rcc, 4.5: <b>not serializable</b>. */
    public static GatedSundial asPrinted(Gate gate) {
        return new GatedSundial(WriteConflict.WAIT_DIE, true, gate);
    }

    @Override
    Renewal renewal(StageContext context) {
        if (asPrinted) {
            return new PrintedRenewal(context, gate);
        }
        return new Renewal(context, context.primitive(RENEW)) {
            @Override
            AbortReason renew(long until, boolean all) {
                AbortReason reason = gate.beforeRenewal(context.txn());
                return reason == null ? super.renew(until, all) : reason;
            }
        };
    }
}
