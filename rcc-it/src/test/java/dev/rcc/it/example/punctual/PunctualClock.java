package dev.rcc.it.example.punctual;

import dev.rcc.core.time.ClusterClock;
import dev.rcc.core.worker.Worker;

/** A worker's clock: its node's {@link NodeTime}, at the present monotonic time. */
final class PunctualClock implements ClusterClock {
    private final Worker worker;
    private final long birthWallNanos;
    private NodeTime time;
    private boolean hasBegun;
    private long errorNanos;

    PunctualClock(Worker worker, long birthWallNanos) {
        this.worker = worker;
        this.birthWallNanos = birthWallNanos;
    }

    /** Sets the time that the node's workers share. Called before the clock is first read. */
    void join(NodeTime nodeTime) {
        time = nodeTime;
    }

    @Override
    public long nanos() {
        long now = worker.nanoTime();
        if (!hasBegun) {
            hasBegun = true; // not earlier: wallNanos() is as of the worker's turn
            time.begin(worker.wallNanos() - birthWallNanos - now);
        }
        NodeTime.Known known = time.known();
        errorNanos = known.errorNanos(now);
        return known.nanos(now);
    }

    @Override
    public long errorNanos() {
        return errorNanos;
    }

    @Override
    public State state() {
        NodeTime.Known known = time.known();
        boolean isSynchronised = known.isOwn() || known.isHeard();
        return new State(
                isSynchronised, (isSynchronised ? "the time of node " : "not heard yet of node ") + known.reference());
    }
}
