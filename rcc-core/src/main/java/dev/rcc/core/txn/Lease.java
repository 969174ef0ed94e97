package dev.rcc.core.txn;

/**
 * How long a node may serve without hearing of the others. While it holds, no other node can have taken this one's place. It is
 * prolonged by the threads that hear of them, and looked at by workers, in their own time; so a process that was stopped for long finds
 * it over before it answers any client.
 */
public final class Lease {
    private volatile boolean isForEver;
    private volatile long endNanos;

    private Lease(boolean isForEver, long endNanos) {
        this.isForEver = isForEver;
        this.endNanos = endNanos;
    }

    /** That of a node whose place no other node can take. */
    public static Lease forEver() {
        return new Lease(true, 0);
    }

    /** One that is over. */
    public static Lease over(long nowNanos) {
        return new Lease(false, nowNanos - 1);
    }

    /** Lets it hold until {@code newEndNanos}, in the time of the node's workers. */
    public void prolong(long newEndNanos) {
        endNanos = newEndNanos;
    }

    /** Has it end, at {@code nowNanos} in the time of the node's workers, whatever it was; it may be prolonged again. */
    public void end(long nowNanos) {
        endNanos = nowNanos - 1;
        isForEver = false;
    }

    /** Whether it holds at {@code nowNanos}. */
    public boolean holds(long nowNanos) {
        return isForEver || endNanos - nowNanos > 0;
    }
}
