package dev.rcc.protocols.common;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.txn.AttemptGate;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.txn.WorkerSite;
import dev.rcc.core.worker.Worker;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes on with a node after a link to it has failed. A coordinator owes a participant the remaining work until the participant has it, or is out of
 * the configuration, so that recovery takes its place. Links fail without the death of a node, and a lock that no transaction drops is held for ever.
 *
 * <p>In a cluster that does not replace dead nodes no node declares another node out. There, a node that no coroutine of the worker has reached for
 * as long as the cluster's patience counts as dead ({@link AttemptGate#countsAsDead}): its partitions are lost to the cluster anyway. Should it come
 * back after all, the attempt's locks there stay locked.
 *
 * <p>A node that can be reached and fails every request, as its handler throws, is not tried for ever either: that is an error of the node, not of a
 * link. The attempt ends, and a sweep ({@link AttemptGate#askForSweep}) frees the locks that it leaves; the sweep takes the attempt's log entries
 * from the backups.
 *
 * <p>One for each coroutine, used on that coroutine.
 */
public final class PeerRetry {
    /** How often in a row a node that answers a READ may fail a request: about a second's worth. */
    static final int REFUSALS_MAX = 100;

    private static final Logger LOG = LoggerFactory.getLogger(PeerRetry.class);

    private static final long PAUSE_NANOS_MIN = 20_000;
    private static final long PAUSE_NANOS_MAX = 10_000_000;

    private final Worker worker;
    private final AttemptGate gate;
    private final Transaction txn;
    private final RemoteWord word;
    private final int nodes;

    /** The work that a coordinator owes to a node. */
    @FunctionalInterface
    public interface Debt {
        /**
         * Posts the work that is left to do on a node and waits for it. May be called any number of times, whether the previous call had an effect or
         * not.
         *
         * @return false if the node was not reached
         */
        boolean pay(int node);
    }

    /** Creates the retries of {@code txn}'s coroutine. */
    public PeerRetry(WorkerSite site, Transaction txn) {
        this.worker = site.worker();
        this.gate = site.gate();
        this.txn = txn;
        this.word = new RemoteWord(site, txn);
        this.nodes = site.catalog().placement().nodes();
    }

    /** Pays {@code debt} to every node that the last await on the transaction's completion has found unreachable. */
    public void settleFailed(Debt debt) {
        boolean[] failed = new boolean[nodes]; // the completion is used again at once, and this is no hot path
        for (int node = 0; node < nodes; node++) {
            failed[node] = txn.completion().hasFailed(node);
        }
        for (int node = 0; node < nodes; node++) {
            if (failed[node]) {
                settle(node, debt);
            }
        }
    }

    /**
     * Pays {@code debt} to a node, however long that takes.
     *
     * @return false if the node is out of the configuration, counts as dead, or keeps failing
     */
    public boolean settle(int node, Debt debt) {
        int refusals = 0;
        long since = worker.nanoTime();
        for (long pause = PAUSE_NANOS_MIN; !gate.isLost(node); pause = Math.min(2 * pause, PAUSE_NANOS_MAX)) {
            txn.coroutine().sleep(pause);
            if (debt.pay(node)) {
                gate.reached(node);
                return true;
            }
            if (!gate.isReconfigured() && gate.countsAsDead(node, since, worker.nanoTime())) {
                return false;
            }
            refusals = answers(node) ? refusals + 1 : 0;
            if (refusals >= REFUSALS_MAX) {
                LOG.error(
                        "event=end_of_transaction_failed peer={} node={} transaction={}: the peer is reachable, but its"
                                + " handler fails; see the peer's log",
                        node,
                        worker.node(),
                        txn.id());
                gate.askForSweep();
                return false;
            }
        }
        return false;
    }

    private boolean answers(int node) {
        return word.read(RemoteAddress.of(node, Catalog.BUFFERS_REGION, 0));
    }
}
