package dev.rcc.core.replication;

import dev.rcc.core.worker.Poller;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A worker's part in replication: what protocols see of it, and what the node asks it for. As a poller it replays what is decided, lazily,
 * and so makes room for more. Used on that worker only.
 *
 * <p>When nodes are lost, the course on each worker that is left is: {@link #lose} them; {@link #settle}, when no attempt runs;
 * {@link #seal}, when all have settled; {@link #report}; {@link #decide}, with what all reports come to; and it goes on when it {@link #isDrained}. A node that comes back is
 * {@linkplain #welcome welcomed}.
 */
public interface WorkerReplication extends Replication, Poller {
    // ---- as a coordinator's worker ---------------------------------------------------------------------------------

    /** Up to where this worker has logged at a node: when that has replayed the worker's log so far, it has replayed all. */
    long logged(int node);

    /** Forgets what was logged at a node that is lost. */
    void lose(int node);

    /**
     * Asks that everything that this worker has logged is decided, that of attempts included that ended before they could say so, and that
     * every node that is not lost knows. Only while no attempt runs on this worker.
     *
     * @param whenSettled called on the worker when that is so
     */
    void settle(Runnable whenSettled);

    /**
     * Asks that nothing is logged any more in the configuration that ends, by lost nodes that live on neither, and that all that was logged
     * is known here. Called when the workers of all nodes have settled, perhaps again and again. By default, nothing is to be done: lost nodes are
     * cut off, so they log nothing.
     *
     * @param whenSealed called on the worker when that is so
     */
    default void seal(Runnable whenSealed) {
        whenSealed.run();
    }

    // ---- as a backup's worker --------------------------------------------------------------------------------------

    /** What is known here of the coordinators of lost nodes, in the logs that this worker looks after. */
    LogReport report(BitSet lost);

    /**
     * What the coordinators of lost nodes had not decided, is: no node finds later that what is not committed could be, and what is will be
     * replayed as its turn comes, once, however often it is decided.
     *
     * @param report what this node has {@linkplain #report reported}
     * @param lost the nodes that it was about
     * @param committed the ids of those that have committed
     */
    void decide(LogReport report, BitSet lost, Set<Long> committed);

    /** Whether everything that has committed, as far as it is known here, was replayed. */
    boolean isDrained();

    /** Whether one of the logs is damaged here: it will never be drained. */
    boolean isDamaged();

    /** Of each log that is not drained, a sentence: where it stands, and what it waits for. */
    List<String> waiting();

    /**
     * The largest ids that were replayed, by log and by coroutine, once everything before {@code ends} was: of the logs that this worker
     * looks after.
     *
     * @param ends by log; 0 is always reached
     * @return null if that is not so yet
     */
    Map<Integer, long[]> replayedBefore(long[] ends);

    /**
     * A node that was lost begins to log anew, and is logged at again: all that it has logged in its incarnation before was replayed, and is
     * forgotten. Only while no attempt runs on any node.
     */
    void welcome(int node);

    /** Takes it that the coordinators of all nodes have announced a bound, as a node does that has not heard of them. */
    void observeReadBound(long bound);
}
