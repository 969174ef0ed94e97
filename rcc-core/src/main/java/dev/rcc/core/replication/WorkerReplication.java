package dev.rcc.core.replication;

import dev.rcc.core.worker.Poller;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A worker's part in replication: the part that protocols see, and the part that the node uses. As a poller it replays decided entries, lazily, and
 * so makes room for more. Used on that worker only.
 *
 * <p>When nodes are lost, the steps on each surviving worker are: {@link #lose} them; {@link #settle}, when no attempt runs; {@link #seal}, when all
 * workers have settled; {@link #report}; {@link #decide}, with the result of all reports. The worker goes on when it {@link #isDrained}. A node that
 * rejoins is {@linkplain #welcome welcomed}.
 */
public interface WorkerReplication extends Replication, Poller {
    // ---- as a coordinator's worker ---------------------------------------------------------------------------------

    /** The position up to which this worker has logged at a node: when the node has replayed the worker's log up to it, it has replayed all. */
    long logged(int node);

    /** Forgets the entries that were logged at a node that is lost. */
    void lose(int node);

    /**
     * Starts to decide everything that this worker has logged, including the entries of attempts that ended before they could announce their outcome,
     * and to notify every node that is not lost. Only while no attempt runs on this worker.
     *
     * @param whenSettled called on the worker when that is done
     */
    void settle(Runnable whenSettled);

    /**
     * Starts to make sure that nothing is logged any more in the configuration that ends, not even by lost nodes that are still alive, and that this
     * worker has everything that was logged. Called when the workers of all nodes have settled, perhaps again and again. By default, there is nothing
     * to do: lost nodes are cut off, so they log nothing.
     *
     * @param whenSealed called on the worker when that is done
     */
    default void seal(Runnable whenSealed) {
        whenSealed.run();
    }

    // ---- as a backup's worker --------------------------------------------------------------------------------------

    /** The report on the coordinators of lost nodes, from the logs that this worker looks after. */
    LogReport report(BitSet lost);

    /**
     * Decides the transactions that the coordinators of lost nodes had not decided. No node finds later that a transaction outside of
     * {@code committed} could have committed. A committed one is replayed when its turn comes, once, however often it is decided.
     *
     * @param report this node's {@linkplain #report report}
     * @param lost the lost nodes of the report
     * @param committed the ids of the transactions that have committed
     */
    void decide(LogReport report, BitSet lost, Set<Long> committed);

    /** Whether all transactions that have committed, as far as this worker can see, were replayed. */
    boolean isDrained();

    /** Whether one of the logs is damaged here: it will never be drained. */
    boolean isDamaged();

    /** For each log that is not drained, a sentence: its position, and what it waits for. */
    List<String> waiting();

    /**
     * The largest ids that were replayed, by log and by coroutine, once everything before {@code ends} was replayed: for the logs that this worker
     * looks after.
     *
     * @param ends by log; 0 is always reached
     * @return null if something before {@code ends} is not replayed yet
     */
    Map<Integer, long[]> replayedBefore(long[] ends);

    /**
     * A node that was lost begins to log anew, and takes part in logging again: all that it has logged in its previous incarnation was replayed, and
     * is forgotten. Only while no attempt runs on any node.
     */
    void welcome(int node);

    /** Assumes that the coordinators of all nodes have announced a bound, for a node that has not received their announcements. */
    void observeReadBound(long bound);
}
