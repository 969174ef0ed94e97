package dev.rcc.bench.jmh;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Hands out batches of commits: a thread outside the cluster requests a number of committed transactions and waits. The
 * clients take shares of the batch and report when they have committed them. Allocates nothing.
 */
final class CommitGate {
    private final AtomicLong untaken = new AtomicLong();
    private final AtomicLong unfinished = new AtomicLong();
    private volatile Thread waiter;
    private volatile boolean closed;

    /** Waits until the clients have committed {@code commits} transactions. Called by one thread. */
    void await(long commits) {
        waiter = Thread.currentThread();
        unfinished.set(commits);
        untaken.set(commits);
        while (unfinished.get() > 0) {
            LockSupport.park(this);
        }
    }

    /** Takes up to {@code most} commits to make; returns the number taken, 0 when none are left. */
    long take(long most) {
        if (untaken.get() <= 0) {
            return 0;
        }
        long left = untaken.getAndAdd(-most);
        return Math.clamp(left, 0, most);
    }

    /** Reports that a client has committed its share. */
    void finished(long commits) {
        if (unfinished.addAndGet(-commits) == 0) {
            LockSupport.unpark(waiter);
        }
    }

    /** Makes the clients end. */
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }
}
