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
 * <p>If the procedure then names another key, it drops the locks and goes on as a reconnaissance: its reads are locked for
 * a moment only, and its writes have no effect. When it has found all keys it starts over and submits them from the
 * beginning. If it needs other keys even so, because records that it read have changed, the attempt aborts, and the next
 * attempt submits these keys, too.
 */
final class CalvinCoordinator implements Coordinator {
    /** The phase of the procedure. */
    private enum Phase {
        /** No key is submitted. */
        DECLARING,
        /** The keys that were known are locked until the coordinator releases them. */
        LOCKED,
        /** The procedure finds out the keys that it needs. */
        RECONNOITRING
    }

    private final Transaction txn;
    private final CalvinStages stages;
    private final DiscoveredKeys discovered = new DiscoveredKeys();
    private final Transaction.Fetcher fetcher = new CalvinFetcher();
    private Phase phase = Phase.DECLARING;
    /** The procedure as other nodes can run it; or null. */
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
     * @return true if it wants to commit, and all records that it has read are locked; false if it has aborted, or has
     *     ended as a reconnaissance
     */
    private boolean runOnce(Procedure procedure) {
        phase = Phase.DECLARING;
        fetched = 0;
        try {
            procedure.declare(txn);
            if (fetch()) {
                procedure.execute(txn);
                if (txn.abortReason() == null) {
                    fetch(); // the accesses declared last: inserts, deletes, or reads that must hold, too
                }
            }
        } catch (Rollback rollback) {
            assert txn.abortReason() != null;
        } catch (TransactionTooLarge e) {
            abandon();
            throw e; // even of a reconnaissance: else it would never end
        } catch (RuntimeException | Error e) {
            if (phase != Phase.RECONNOITRING) {
                abandon();
                throw e;
            }
            // Its reads may be inconsistent. If that was not the cause, it will throw again with locks held.
        }
        return phase != Phase.RECONNOITRING && txn.abortReason() == null;
    }

    /** A reconnaissance may use all that it reads as it likes: its only results are the keys and their intents. */
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

    /** Ends a reconnaissance: forgets all of it except the keys. */
    private void startOver(AbortReason reason, boolean aborts) {
        discovered.remember(txn);
        txn.restart(); // drops the reason for which the procedure gave up: it means nothing
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
        stages.commit(); // decided: if a participant is gone, its backups have the log
        txn.executedByParticipants(stages.shipment().isExecutedByAll(true));
        return Outcome.COMMITTED;
    }

    /** Draws the commit timestamp. All locks are held and all versions met, so it is greater than all versions that it replaces. */
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

    /** Advances the clock past every version that the transaction has met, and returns whether the transaction writes. */
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
