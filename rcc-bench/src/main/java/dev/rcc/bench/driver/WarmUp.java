package dev.rcc.bench.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The end of a run's warm-up. A run is warm when throughput is steady: its mean over the last {@value #HALF_WINDOWS} windows of
 * {@value #WINDOW_SECONDS} s and its mean over as many before differ by at most {@value #TOLERANCE_PERCENT} %. If so many windows have fewer
 * than {@value #HALF_COMMITTED} commits, chance hides the compiler's effect; then as many windows are compared as have that many commits. A run
 * whose warm-up is fixed is warm when that time is over. For one thread.
 */
public final class WarmUp {
    /** The interval at which the throughput is read. */
    public static final double WINDOW_SECONDS = 0.5;

    private static final int HALF_WINDOWS = 4;
    private static final int HALF_COMMITTED = 1_000;
    private static final int TOLERANCE_PERCENT = 3;

    /** How a warm-up ended. */
    public enum End {
        /** The warm-up took the requested time; the throughput was not read. */
        FIXED,
        /** The throughput was steady. */
        STEADY,
        /** The longest time was over. */
        NOT_STEADY;

        /** The name in reports. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Lets a run go on. */
    @FunctionalInterface
    public interface Running {
        /**
         * Waits while the run goes on.
         *
         * @throws InterruptedException when the calling thread was interrupted
         */
        void await(double seconds) throws InterruptedException;
    }

    /** Reads a run's progress. */
    @FunctionalInterface
    public interface Progress {
        /**
         * Transactions that have committed since the run began.
         *
         * @throws InterruptedException when the calling thread was interrupted
         */
        long committed() throws InterruptedException;
    }

    private final BenchConfig.Times times;
    /** The result of each look, and the beginning. */
    private final List<Look> looks = new ArrayList<>(List.of(new Look(0, 0)));

    /**
     * The progress of a run.
     *
     * @param seconds the time since the run began
     */
    private record Look(double seconds, long committed) {
        double perSecondSince(Look earlier) {
            return (committed - earlier.committed) / (seconds - earlier.seconds);
        }
    }

    /** The warm-up of a run that begins now. */
    public WarmUp(BenchConfig.Times times) {
        this.times = times;
    }

    /**
     * Lets a run that begins now go on until it is warm. If the time is fixed, its progress is not read, because reading takes the workers' time.
     *
     * @param nanos the run's clock
     * @return the duration of the warm-up, in seconds
     * @throws InterruptedException when the calling thread was interrupted
     */
    public double run(LongSupplier nanos, Running running, Progress progress) throws InterruptedException {
        long start = nanos.getAsLong();
        double seconds;
        do {
            running.await(nextSeconds());
            seconds = (double) (nanos.getAsLong() - start) / TimeUnit.SECONDS.toNanos(1);
        } while (!look(seconds, times.isWarmupFixed() ? 0 : progress.committed()));
        return seconds;
    }

    /** The time until the next look. */
    double nextSeconds() {
        return times.isWarmupFixed() ? times.warmupSeconds() : WINDOW_SECONDS;
    }

    /**
     * Records a look.
     *
     * @param seconds the time since the run began
     * @param committed transactions committed since then
     * @return whether the warm-up is over
     */
    boolean look(double seconds, long committed) {
        if (times.isWarmupFixed()) {
            return true;
        }
        looks.add(new Look(seconds, committed));
        return seconds >= times.warmupMaxSeconds() || (seconds >= times.warmupSeconds() && isSteady());
    }

    /** How the warm-up ended. */
    public End end() {
        if (times.isWarmupFixed()) {
            return End.FIXED;
        }
        return isSteady() ? End.STEADY : End.NOT_STEADY;
    }

    private boolean isSteady() {
        int last = looks.size() - 1;
        Look now = looks.get(last);
        for (int half = HALF_WINDOWS; 2 * half <= last; half++) {
            Look middle = looks.get(last - half);
            if (now.committed - middle.committed >= HALF_COMMITTED) {
                double before = middle.perSecondSince(looks.get(last - 2 * half));
                double after = now.perSecondSince(middle);
                return Math.abs(after - before) * 100 <= TOLERANCE_PERCENT * before;
            }
        }
        return false;
    }
}
