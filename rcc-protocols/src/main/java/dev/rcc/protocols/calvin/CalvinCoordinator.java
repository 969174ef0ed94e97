package dev.rcc.protocols.calvin;

import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Coordinator;
import dev.rcc.core.txn.Fragment;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Rollback;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.TransactionTooLarge;

/**
 * A transaction's course under CALVIN (rcc, 4.6). The first fetch submits all keys that are known; once they are locked
 * everywhere and forwarded, the procedure runs, here, and its writes are logged and forwarded to the active participants.
 *
 * <p>A procedure that then names a key which is not among them drops the locks and goes on as a reconnaissance, whose
 * reads are locked for a moment only and whose writes come to nothing. When it has found out all the keys it starts over
 * and submits them from the beginning. Should it need others even so, because what it read has changed, the attempt is
 * aborted, and the next one knows of those too.
 */
final class CalvinCoordinator implements Coordinator {
    /** How far the procedure is. */
    private enum Phase {
        /** Nothing is submitted. */
        DECLARING,
        /** What it knew is locked until it tells its participants otherwise. */
        LOCKED,
        /** It finds out what it needs. */
        RECONNOITRING
    }

    private final Transaction txn;
    private final CalvinStages stages;
    private final DiscoveredKeys discovered = new DiscoveredKeys();
    private final Transaction.Fetcher fetcher = new CalvinFetcher();
    private Phase phase = Phase.DECLARING;
    /** What other nodes can run; or null. */
    private Fragment fragment;

    private boolean unreachable;
    /** Accesses before this one have been fetched. */
    private int fetched;

    CalvinCoordinator(WorkerContext context, Transaction txn, CalvinParticipant participant) {
        this.txn = txn;
        this.stages = new CalvinStages(context, txn, participant);
    }

    @Override
    public Outcome run(Procedure procedure) {
        if (txn.attempt() == 0) {
            discovered.clear();
        }
        txn.fetcher(fetcher);
        stages.begin();
        fragment = procedure.fragment();
        unreachable = false;
        if (runOnce(procedure)) {
            return finish();
        }
        if (phase != Phase.RECONNOITRING) {
            return abandon();
        }
        startOver(AbortReason.PEER_UNREACHABLE, unreachable);
        if (unreachable) {
            return Outcome.ABORTED;
        }
        if (runOnce(procedure)) {
            return finish();
        }
        if (phase != Phase.RECONNOITRING) {
            return abandon();
        }
        startOver(unreachable ? AbortReason.PEER_UNREACHABLE : Calvin.DEPENDENCY_CHANGED, true);
        return Outcome.ABORTED;
    }

    /**
     * Runs the procedure, from the beginning to its end.
     *
     * @return true if it wants to commit, and all that it has read is locked; false if it has aborted, or has been a
     *     reconnaissance at last
     */
    private boolean runOnce(Procedure procedure) {
        phase = Phase.DECLARING;
        fetched = 0;
        try {
            procedure.declare(txn);
            if (fetch()) {
                procedure.execute(txn);
                if (txn.abortReason() == null) {
                    fetch(); // what was declared last is an insert or delete, or a read that must hold, too
                }
            }
        } catch (Rollback rollback) {
            assert txn.abortReason() != null;
        } catch (TransactionTooLarge e) {
            abandon();
            throw e; // even of a reconnaissance: there is no end to this
        } catch (RuntimeException | Error e) {
            if (phase != Phase.RECONNOITRING) {
                abandon();
                throw e;
            }
            // What it has read need not fit together. If that was not why, it will throw again with locks held.
        }
        return phase != Phase.RECONNOITRING && txn.abortReason() == null;
    }

    /** What a reconnaissance has read is good for anything, since nothing comes of it but the keys, and what they are needed for. */
    private final class CalvinFetcher implements Transaction.Fetcher {
        @Override
        public void fetch() {
            if (!CalvinCoordinator.this.fetch()) {
                throw Rollback.INSTANCE;
            }
        }

        @Override
        public boolean upgrade(Access access) {
            return phase == Phase.RECONNOITRING;
        }
    }

    /** Fetches the accesses that are new; false if the attempt must abort, with the reason set. */
    private boolean fetch() {
        if (unreachable || (txn.abortReason() != null && phase != Phase.RECONNOITRING)) {
            return false;
        }
        switch (phase) {
            case DECLARING -> {
                phase = Phase.LOCKED;
                stages.lock(discovered, fragment);
            }
            case LOCKED -> {
                while (fetched < txn.size() && stages.takeDiscovered(txn.access(fetched))) {
                    fetched++;
                }
                if (fetched < txn.size()) {
                    phase = Phase.RECONNOITRING;
                    stages.release();
                    unreachable = !stages.reconnoitre(fetched);
                }
            }
            case RECONNOITRING -> unreachable |= !stages.reconnoitre(fetched);
        }
        fetched = txn.size();
        return phase == Phase.RECONNOITRING ? !unreachable : txn.abortReason() == null;
    }

    /** A reconnaissance has ended: forgets all of it but the keys. */
    private void startOver(AbortReason reason, boolean aborts) {
        discovered.remember(txn);
        txn.restart(); // with whatever reason the procedure had to give up: it says nothing
        if (aborts) {
            txn.abort(reason);
        }
    }

    private Outcome finish() {
        if (!markWrites()) {
            stages.release();
            txn.executedByParticipants(stages.shipment().isExecutedByAll(false));
            return Outcome.COMMITTED;
        }
        drawCommitTs();
        boolean decided;
        try {
            decided = stages.log();
        } catch (RuntimeException | Error e) {
            abandon();
            throw e;
        }
        if (!decided) {
            return abandon();
        }
        stages.commit(); // decided: should a participant be gone, its backups have the log
        txn.executedByParticipants(stages.shipment().isExecutedByAll(true));
        return Outcome.COMMITTED;
    }

    /** All locks are held, all versions met: greater than all that it replaces. */
    private void drawCommitTs() {
        if (stages.shipment().isShipped()) {
            txn.commitTs(stages.commitVersion());
            txn.clock().observe(txn.commitTs());
        } else {
            txn.commitTs(txn.clock().next());
        }
    }

    private Outcome abandon() {
        stages.release();
        return Outcome.ABORTED;
    }

    /** Nudges the clock past every version that the transaction has met, and says if it writes. */
    private boolean markWrites() {
        boolean writes = false;
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            txn.clock().observe(access.replacedVersion());
            txn.clock().observe(access.leafVersion());
            writes |= access.isWrite();
        }
        return writes;
    }
}
