package dev.rcc.protocols.common;

import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Rollback;
import dev.rcc.core.txn.Transaction;

/**
 * The course of a transaction under every protocol that fetches, executes and commits (rcc, 3.2 and 4.1). A protocol
 * fills in the steps.
 */
public abstract class StagedCoordinator implements Coordinator {
    /** The coroutine's transaction. */
    protected final Transaction txn;

    private final Transaction.Fetcher fetcher = this::fetchDiscovered;

    /** Creates the coordinator of {@code txn}'s coroutine. */
    protected StagedCoordinator(Transaction txn) {
        this.txn = txn;
    }

    /** Forgets the attempt before. */
    protected abstract void begin();

    /**
     * Fetches the accesses that have not been fetched, with whatever locking the protocol does at that point.
     *
     * @return false if the attempt must abort, with the reason set in the transaction
     */
    protected abstract boolean fetch();

    /**
     * Ends an attempt whose procedure is done and wants to commit, one way or the other. May throw while nothing is
     * decided; {@link #abandon} follows then.
     */
    protected abstract Outcome finish();

    /** Ends an attempt without effect: releases what it holds. */
    protected abstract Outcome abandon();

    @Override
    public final Outcome run(Procedure procedure) {
        begin();
        txn.fetcher(fetcher);
        try {
            procedure.declare(txn);
            if (!fetch()) {
                return abandon();
            }
            procedure.execute(txn);
            // What the procedure declared last and did not fetch is an insert or delete, or a read that must hold, too.
            return txn.abortReason() == null && fetch() ? finish() : abandon();
        } catch (Rollback conflict) {
            return abandon();
        } catch (RuntimeException | Error e) {
            abandon();
            throw e;
        }
    }

    private void fetchDiscovered() {
        if (!fetch()) {
            throw Rollback.INSTANCE;
        }
    }
}
