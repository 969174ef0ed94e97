package dev.rcc.protocols.rings;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.store.Catalog;

/** A coordinating worker's write ends: its ring on every node of the cluster. Used on that worker only. */
public final class LogTails {
    private final LogRingLayout layout;
    private final LogTail[] tails;
    private final boolean[] lost;
    private final boolean durable;
    private Runnable whenSettled;

    /**
     * Creates the write ends of a worker.
     *
     * @param coroutines how many coroutines of the worker may have an entry outstanding
     * @param durable whether an entry counts as logged only when it is on the backups' disks
     */
    public LogTails(LogRingLayout layout, int nodes, int node, int worker, int coroutines, boolean durable) {
        this.layout = layout;
        this.durable = durable;
        this.tails = new LogTail[nodes];
        this.lost = new boolean[nodes];
        for (int backup = 0; backup < nodes; backup++) {
            tails[backup] = new LogTail(backup, layout.ring(node, worker), layout, coroutines);
        }
    }

    /** The write ends of a worker of a cluster that keeps its data in memory only. */
    public LogTails(LogRingLayout layout, int nodes, int node, int worker, int coroutines) {
        this(layout, nodes, node, worker, coroutines, false);
    }

    /** Whether an entry counts as logged only when it is on the backups' disks. */
    public boolean isDurable() {
        return durable;
    }

    /** The layout of the rings. */
    public LogRingLayout layout() {
        return layout;
    }

    /** The write end of this worker's ring on {@code backup}. */
    public LogTail tail(int backup) {
        return tails[backup];
    }

    /** Whether {@code backup} was lost: no worker reads the ring there. */
    public boolean isLost(int backup) {
        return lost[backup];
    }

    /** Forgets the entries that were logged on a node that is lost. */
    public void lose(int backup) {
        lost[backup] = true;
        tails[backup].forget();
    }

    /** A lost backup has rejoined, with empty rings. Only while no attempt runs on this worker. */
    public void regain(int backup) {
        lost[backup] = false;
        tails[backup].restart();
    }

    /**
     * Asks for all rings to be settled: every entry is decided, including entries of attempts that ended before they could mark
     * them as aborted, and every backup that is not lost has been notified. Only while no attempt runs on this worker.
     *
     * @param newWhenSettled called on the worker when the rings are settled
     */
    public void settle(Runnable newWhenSettled) {
        whenSettled = newWhenSettled;
    }

    /** Whether the rings are to be settled. */
    public boolean isSettling() {
        return whenSettled != null;
    }

    /** The rings are settled. */
    public void settled() {
        Runnable listener = whenSettled;
        whenSettled = null;
        listener.run();
    }

    /** The address of the byte at {@code position} of the ring behind {@code tail}. */
    public long entryAddress(LogTail tail, long position) {
        return address(tail, layout.entryOffset(tail.ring(), position));
    }

    /** The address of the word {@code decided} of the ring behind {@code tail}. */
    public long decidedAddress(LogTail tail) {
        return address(tail, layout.decidedOffset(tail.ring()));
    }

    /** The address of the word {@code bound} of the ring behind {@code tail}. */
    public long boundAddress(LogTail tail) {
        return address(tail, layout.boundOffset(tail.ring()));
    }

    /** The address of the word {@code head} of the ring behind {@code tail}. */
    public long headAddress(LogTail tail) {
        return address(tail, layout.headOffset(tail.ring()));
    }

    private static long address(LogTail tail, long offset) {
        return RemoteAddress.of(tail.backup(), Catalog.LOG_REGION, offset);
    }
}
