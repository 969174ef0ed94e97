package dev.rcc.protocols.common;

import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Rollback;
import dev.rcc.core.txn.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The course of a transaction under every protocol that fetches, executes and commits (rcc, 3.2 and 4.1). A protocol
 * fills in the steps.
 */
public abstract class StagedCoordinator implements Coordinator {
    private static final Logger LOG = LoggerFactory.getLogger(StagedCoordinator.class);

    /** The coroutine's transaction. */
    protected final Transaction txn;

    private final AttemptGate gate;
    private final Transaction.Fetcher fetcher = new StagedFetcher();

    /** Creates the coordinator of {@code txn}'s coroutine, whose attempts pass {@code gate}. */
    protected StagedCoordinator(Transaction txn, AttemptGate gate) {
        this.txn = txn;
        this.gate = gate;
    }

    /** Forgets the previous attempt. */
    protected abstract void begin();

    /**
     * Fetches the accesses that have not been fetched, with whatever locking the protocol does at that point.
     *
     * @return false if the attempt must abort, with the reason set in the transaction
     */
    protected abstract boolean fetch();

    /**
     * Makes a fetched access good for more, as {@link Transaction.Fetcher#upgrade}. A protocol that locks the records that it fetches cannot, and
     * one that locks in the end what is written then has nothing to do.
     */
    protected boolean upgrade(Access access) {
        return false;
    }

    /**
     * Does the work that need not wait for the procedure: after the declared accesses are fetched, and before the procedure executes.
     *
     * @return false if the attempt must abort, with the reason set in the transaction
     */
    protected boolean prepare() {
        return true;
    }

    /**
     * Ends an attempt whose procedure is done and wants to commit, one way or the other. May throw while nothing is
     * decided; {@link #abandon} follows then.
     */
    protected abstract Outcome finish();

    /** Installs the writes of a decided transaction, and drops its locks. Does not throw, unless something is broken. */
    protected abstract void commit();

    /**
     * Ends a decided transaction. It has committed, whatever happens here: should a participant be gone, its backups have the log. If the commit stage
     * throws all the same, its locks stay, and a sweep takes the writes from the backups: to drop the locks without the writes would lose these.
     */
    protected final Outcome commitDecided() {
        try {
            commit();
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "event=commit_stage_failed node={} transaction={}: it has committed; a sweep is to end it",
                    txn.coroutine().worker().node(),
                    txn.id(),
                    e);
            txn.completion().await();
            gate.askForSweep();
        }
        return Outcome.COMMITTED;
    }

    /** Ends an attempt without effect: releases its locks. */
    protected abstract Outcome abandon();

    /**
     * Checks whether the attempt must be pre-aborted: whether it has run on reads that do not hold. An exception or abort of the procedure on such
     * reads proves nothing about the data; the transaction is tried again instead. Called before the attempt ends with a final outcome, while
     * nothing is decided; may discard the buffer's contents. A protocol that locks the records that it reads pre-aborts no attempt. May throw, as
     * when the reads are too many to be checked together; {@link #abandon} follows all the same.
     *
     * @return the reason to abort for, or null if all reads hold
     */
    protected AbortReason preAbortReason() {
        return null;
    }

    /** Ends an attempt that must abort, with the reason set, as {@link #abandon}; but a pre-aborted attempt is not final. */
    protected final Outcome giveUp() {
        if (!txn.abortReason().isRetryable()) {
            AbortReason preAbort = preAbortReason();
            if (preAbort != null) {
                txn.preAbort(preAbort);
            }
        }
        return abandon();
    }

    @Override
    public final Outcome run(Procedure procedure) {
        begin();
        txn.fetcher(fetcher);
        try {
            return course(procedure);
        } catch (RuntimeException | Error e) {
            boolean isTriedAgain = isPreAborted(e);
            Outcome outcome = abandon();
            if (isTriedAgain) {
                return outcome;
            }
            throw e;
        }
    }

    private Outcome course(Procedure procedure) {
        try {
            procedure.declare(txn);
            if (!fetch() || !prepare()) {
                return giveUp();
            }
            procedure.execute(txn);
            // An access that the procedure declared last and did not fetch is an insert or delete, or a read
            // that must hold, too.
            return txn.abortReason() == null && fetch() ? finish() : giveUp();
        } catch (Rollback conflict) {
            return giveUp();
        }
    }

    /** Whether an attempt that has thrown is pre-aborted. If that cannot be found out, as the check throws too, the exception is final. */
    @SuppressWarnings("ReferenceEquality") // an exception cannot suppress itself
    private boolean isPreAborted(Throwable thrown) {
        try {
            AbortReason preAbort = preAbortReason();
            if (preAbort != null) {
                txn.preAbort(preAbort);
            }
            return preAbort != null;
        } catch (RuntimeException | Error e) {
            if (e != thrown) {
                thrown.addSuppressed(e);
            }
            return false;
        }
    }

    private final class StagedFetcher implements Transaction.Fetcher {
        @Override
        public void fetch() {
            if (!StagedCoordinator.this.fetch()) {
                throw Rollback.INSTANCE;
            }
        }

        @Override
        public boolean upgrade(Access access) {
            return StagedCoordinator.this.upgrade(access);
        }
    }
}
