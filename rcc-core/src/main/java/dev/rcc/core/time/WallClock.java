package dev.rcc.core.time;

import dev.rcc.core.worker.Worker;

/**
 * The cluster's time by the node's wall clock, as of the beginning of the worker's turn. RCC does not know how the hosts keep their clocks, so the
 * error has no bound.
 */
public final class WallClock implements ClusterClock {
    private static final State STATE = new State(false, "the host's wall clock, whose error is not known");

    private final Worker worker;
    private final long birthWallNanos;

    /**
     * Creates the clock of a worker.
     *
     * @param birthWallNanos the cluster's birth in nanoseconds since the Unix epoch, the same on all nodes
     */
    public WallClock(Worker worker, long birthWallNanos) {
        this.worker = worker;
        this.birthWallNanos = birthWallNanos;
    }

    @Override
    public long nanos() {
        return worker.wallNanos() - birthWallNanos;
    }

    @Override
    public long errorNanos() {
        return NO_BOUND;
    }

    @Override
    public State state() {
        return STATE;
    }
}
