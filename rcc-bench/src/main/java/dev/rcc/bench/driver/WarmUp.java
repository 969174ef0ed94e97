package dev.rcc.bench.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When a run is warm: when throughput has become steady, that is, when its mean over the last {@value #HALF_WINDOWS} windows of
 * {@value #WINDOW_SECONDS} s and its mean over as many before differ by at most {@value #TOLERANCE_PERCENT} %. Where so many windows have fewer
 * than {@value #HALF_COMMITTED} commits, in which chance hides what the compiler does, as many more are compared as have them. A run whose time is
 * fixed is warm when it is over. For one thread.
 */
public final class WarmUp {
    /** How often the throughput is looked at. */
    public static final double WINDOW_SECONDS = 0.5;

    private static final int HALF_WINDOWS = 4;
    private static final int HALF_COMMITTED = 1_000;
    private static final int TOLERANCE_PERCENT = 3;

    /** How a warm-up has ended. */
    public enum End {
        /** It took as long as was asked for; nobody looked at the throughput. */
        FIXED,
        /** The throughput was steady. */
        STEADY,
        /** The longest time was over. */
        NOT_STEADY;

        /** How reports call it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Lets a run go on. */
    @FunctionalInterface
    public interface Running {
        /**
         * Waits while it runs.
         *
         * @throws InterruptedException when the calling thread was interrupted
         */
        void await(double seconds) throws InterruptedException;
    }

    /** Asks a run how far it is. */
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
    /** What each look has seen, and the beginning. */
    private final List<Look> looks = new ArrayList<>(List.of(new Look(0, 0)));

    /**
     * How far a run is.
     *
     * @param seconds since it began
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
     * Lets a run that begins now go on until it is warm. Where the time is fixed nobody asks how far it is, which takes the workers' time.
     *
     * @param nanos the run's clock
     * @return how long it took, in seconds
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

    /** How long to run until the next look. */
    double nextSeconds() {
        return times.isWarmupFixed() ? times.warmupSeconds() : WINDOW_SECONDS;
    }

    /**
     * Takes a look.
     *
     * @param seconds since the run began
     * @param committed transactions that have committed since then
     * @return whether the warm-up is over
     */
    boolean look(double seconds, long committed) {
        if (times.isWarmupFixed()) {
            return true;
        }
        looks.add(new Look(seconds, committed));
        return seconds >= times.warmupMaxSeconds() || (seconds >= times.warmupSeconds() && isSteady());
    }

    /** How it has ended. */
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
