package dev.rcc.bench.jmh;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Hands out batches of commits: a thread outside the cluster asks for a number of committed transactions and waits, the
 * clients take shares of it and say when they have committed them. Allocates nothing.
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

    /** Takes up to {@code most} commits to be made; returns how many, 0 when there are none. */
    long take(long most) {
        if (untaken.get() <= 0) {
            return 0;
        }
        long left = untaken.getAndAdd(-most);
        return Math.clamp(left, 0, most);
    }

    /** A client has committed what it took. */
    void finished(long commits) {
        if (unfinished.addAndGet(-commits) == 0) {
            LockSupport.unpark(waiter);
        }
    }

    /** Tells the clients to end. */
    void close() {
        closed = true;
    }

    boolean isClosed() {
        return closed;
    }
}
