package dev.rcc.it.example.punctual;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.protocol.NodeState;
import dev.rcc.core.time.ClusterClock;
import dev.rcc.core.worker.Coroutine;

/**
 * A node's estimate of the cluster's time, for all of its workers. In each configuration, the cluster's time is the time of one node, the
 * <i>reference</i>. The bound on another node's error ends with the configuration. Until a node has received a reference's time, it uses its
 * host's clock. Used on any thread.
 */
final class NodeTime implements NodeState {
    /** The greatest drift between two nodes' clocks: one nanosecond in this many. */
    private static final long DRIFT_ONE_IN = 2_000;

    private static final long LOOK_NANOS = 20_000;

    /**
     * The estimate at one moment.
     *
     * @param configEpoch the configuration's number, -1 before the first
     * @param reference the reference's node number, -1 before the first configuration
     * @param isOwn whether this node is the reference
     * @param isHeard whether this node has received the reference's time; if not, {@code aheadNanos} is an earlier value
     * @param aheadNanos how far the cluster's time is ahead of this node's monotonic time
     * @param errorNanos the largest possible error of {@code aheadNanos} when it was measured
     * @param atNanos when it was measured, in this node's monotonic time
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

        /** The largest possible error of {@link #nanos}, or {@link ClusterClock#NO_BOUND}. */
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

    /** Sets the time of the host's wall clock. Each worker calls it; the first call counts, unless the node has received a better time. */
    synchronized void begin(long aheadNanos) {
        if (!hasBegun && !hasHeard) {
            hasBegun = true;
            known = new Known(known.configEpoch(), known.reference(), known.isOwn(), false, aheadNanos, 0, 0);
        }
    }

    /**
     * Waits, for {@code nanosMax} nanoseconds at most, until this incarnation of the node has received the time or is the reference. The host's
     * clock may be behind the time that the node's last incarnation used, and timestamps drawn from it could then occur twice.
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

    /** Records the answer of a configuration's reference, if that is the present one and the answer's error is less than the known one. */
    synchronized void learn(long configEpoch, long aheadNanos, long errorNanos, long nowNanos) {
        if (configEpoch == known.configEpoch() && errorNanos < known.errorNanos(nowNanos)) {
            known = new Known(configEpoch, known.reference(), false, true, aheadNanos, errorNanos, nowNanos);
            hasHeard = true;
        }
    }

    /** The present estimate. */
    Known known() {
        return known;
    }
}
