package dev.rcc.core.txn;

/**
 * How long a node may serve without contact to the other nodes. While the lease holds, no other node can have taken this node's place. The threads
 * that receive from the other nodes prolong it; workers check it, in their own time. So a process that was stopped for long finds its lease over
 * before it answers any client.
 */
public final class Lease {
    private volatile boolean isForEver;
    private volatile long endNanos;

    private Lease(boolean isForEver, long endNanos) {
        this.isForEver = isForEver;
        this.endNanos = endNanos;
    }

    /** The lease of a node whose place no other node can take. */
    public static Lease forEver() {
        return new Lease(true, 0);
    }

    /** A lease that is over. */
    public static Lease over(long nowNanos) {
        return new Lease(false, nowNanos - 1);
    }

    /** Lets the lease hold until {@code newEndNanos}, in the time of the node's workers. */
    public void prolong(long newEndNanos) {
        endNanos = newEndNanos;
    }

    /** Ends the lease at {@code nowNanos}, in the time of the node's workers, even one for ever; it may be prolonged again. */
    public void end(long nowNanos) {
        endNanos = nowNanos - 1;
        isForEver = false;
    }

    /** Whether the lease holds at {@code nowNanos}. */
    public boolean holds(long nowNanos) {
        return isForEver || endNanos - nowNanos > 0;
    }
}
