package dev.rcc.protocols.sundial;

import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.optimistic.StageContext;

/**
 * SUNDIAL with gates that stop a transaction in its renew stage, where it holds its locks and nothing is decided, and which
 * renews as built or as printed. For tests and simulations.
 */
public final class GatedSundial extends Sundial {
    private final boolean asPrinted;
    private final Gate gate;

    private GatedSundial(WriteConflict conflicts, boolean asPrinted, Gate gate) {
        super(conflicts);
        this.asPrinted = asPrinted;
        this.gate = gate;
    }

    /** What transactions meet in their renew stage; each method may wait. */
    public interface Gate {
        /** A gate that is always open. */
        Gate OPEN = txn -> null;

        /** Before anything is renewed; returns null, or why the attempt is to abort. */
        AbortReason beforeRenewal(Transaction txn);

        /** As printed only: a tuple was read and found unlocked, its rts has not been raised. */
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
