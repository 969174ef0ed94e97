package dev.rcc.it.example.punctual;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.protocol.NodeState;
import dev.rcc.core.time.ClusterClock;
import dev.rcc.core.worker.Coroutine;

/**
 * What a node knows of the cluster's time, for all of its workers. That time is, in each configuration, the time of one node, the
 * <i>reference</i>; how well another node knows it holds no longer than the configuration. Until a node has heard of it, it goes by what
 * its host's clock says. Used on any thread.
 */
final class NodeTime implements NodeState {
    /** What two nodes' clocks drift apart in a nanosecond, at most: one in so many. */
    private static final long DRIFT_ONE_IN = 2_000;

    private static final long LOOK_NANOS = 20_000;

    /**
     * What is known at one moment.
     *
     * @param configEpoch the configuration's number, -1 before the first
     * @param reference whose time counts there, -1 before the first
     * @param isOwn whether that is this node
     * @param isHeard whether this node has heard of the reference's time; if not, {@code aheadNanos} is what it was before
     * @param aheadNanos how far the cluster's time is ahead of this node's monotonic time
     * @param errorNanos how wrong that was when it was found out, at most
     * @param atNanos when that was, in this node's monotonic time
     */
    record Known(
            long configEpoch,
            int reference,
            boolean isOwn,
            boolean isHeard,
            long aheadNanos,
            long errorNanos,
            long atNanos) {

        /** The cluster's time at {@code nowNanos} of the node's monotonic time. */
        long nanos(long nowNanos) {
            return nowNanos + aheadNanos;
        }

        /** How wrong that is at most, or {@link ClusterClock#NO_BOUND}. */
        long errorNanos(long nowNanos) {
            if (isOwn) {
                return 0;
            }
            return isHeard ? errorNanos + (nowNanos - atNanos) / DRIFT_ONE_IN : ClusterClock.NO_BOUND;
        }
    }

    private final int node;
    private boolean hasBegun;
    private volatile boolean hasHeard;
    private volatile Known known = new Known(-1, -1, false, false, 0, 0, 0);

    NodeTime(int node) {
        this.node = node;
    }

    /** Says, on each worker, what the host's wall clock says; the first time counts, unless the node has heard of a better one. */
    synchronized void begin(long aheadNanos) {
        if (!hasBegun && !hasHeard) {
            hasBegun = true;
            known = new Known(known.configEpoch(), known.reference(), known.isOwn(), false, aheadNanos, 0, 0);
        }
    }

    /**
     * Waits, for so long at most, until this incarnation of the node knows the time. Its host's clock may be behind the time that its last incarnation
     * went by, and would draw the same timestamps again.
     */
    void await(Coroutine coroutine, long nanosMax) {
        long deadline = coroutine.worker().nanoTime() + nanosMax;
        while (!hasHeard && !known.isOwn() && coroutine.worker().nanoTime() - deadline < 0) {
            coroutine.sleep(LOOK_NANOS);
        }
    }

    @Override
    public synchronized void configured(long configEpoch, Placement placement) {
        if (configEpoch != known.configEpoch()) {
            int reference = placement.primary(0);
            known = new Known(configEpoch, reference, reference == node, false, known.aheadNanos(), 0, 0);
        }
    }

    /** Takes in what the reference of a configuration has said, unless what is known is better. */
    synchronized void learn(long configEpoch, long aheadNanos, long errorNanos, long nowNanos) {
        if (configEpoch == known.configEpoch() && errorNanos < known.errorNanos(nowNanos)) {
            known = new Known(configEpoch, known.reference(), false, true, aheadNanos, errorNanos, nowNanos);
            hasHeard = true;
        }
    }

    /** What is known now. */
    Known known() {
        return known;
    }
}
