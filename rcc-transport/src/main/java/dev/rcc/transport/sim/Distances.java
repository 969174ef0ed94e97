package dev.rcc.transport.sim;

import java.util.SplittableRandom;

/** The time that messages between two nodes take in addition to the hardware's: by link, one way. Immutable. */
public final class Distances {
    /** No link is longer. */
    public static final Distances NONE = new Builder(0).build();

    private final long[][] nanos;
    private final long[][] jitterNanosMax;

    private Distances(long[][] nanos, long[][] jitterNanosMax) {
        this.nanos = nanos;
        this.jitterNanosMax = jitterNanosMax;
    }

    /** Collects distances. */
    public static final class Builder {
        private final long[][] nanos;
        private final long[][] jitterNanosMax;

        /** A builder for {@code nodes} nodes, between which no link is longer yet. */
        public Builder(int nodes) {
            this.nanos = new long[nodes][nodes];
            this.jitterNanosMax = new long[nodes][nodes];
        }

        /** Delays messages from {@code from} to {@code to} by {@code fixed} nanoseconds, and by 0 to {@code jitterMax} more, drawn uniformly. */
        public void set(int from, int to, long fixed, long jitterMax) {
            if (fixed < 0 || jitterMax < 0) {
                throw new IllegalArgumentException(
                        "a distance and its jitter must be at least 0, got " + fixed + " and " + jitterMax);
            }
            nanos[from][to] = fixed;
            jitterNanosMax[from][to] = jitterMax;
        }

        /** The collected distances. */
        public Distances build() {
            return new Distances(copy(nanos), copy(jitterNanosMax));
        }

        private static long[][] copy(long[][] rows) {
            long[][] copy = new long[rows.length][];
            for (int i = 0; i < rows.length; i++) {
                copy[i] = rows[i].clone();
            }
            return copy;
        }
    }

    /** Whether no link is longer. */
    public boolean areNone() {
        return nanos.length == 0;
    }

    /** Draws the additional delay of the next message from one node to another, in nanoseconds. */
    long draw(int from, int to, SplittableRandom random) {
        if (areNone()) {
            return 0;
        }
        long jitter = jitterNanosMax[from][to];
        return nanos[from][to] + (jitter == 0 ? 0 : random.nextLong(jitter + 1));
    }
}
