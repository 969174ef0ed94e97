package dev.rcc.bench.driver;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When a run is warm: when throughput has become steady, that is, when the mean of the last {@value #HALF_WINDOWS} windows of
 * {@value #WINDOW_SECONDS} s and the mean of as many before differ by at most {@value #TOLERANCE_PERCENT} %. A run whose time is fixed is warm
 * when it is over. For one thread.
 */
public final class WarmUp {
    /** How often the throughput is looked at. */
    public static final double WINDOW_SECONDS = 0.5;

    private static final int HALF_WINDOWS = 4;
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
    /** The last windows' throughputs, in a ring. */
    private final double[] windows = new double[2 * HALF_WINDOWS];

    private int count;
    private double lastSeconds;
    private long lastCommitted;

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
        windows[count++ % windows.length] = (committed - lastCommitted) / (seconds - lastSeconds);
        lastSeconds = seconds;
        lastCommitted = committed;
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
        if (count < windows.length) {
            return false;
        }
        double before = 0;
        double after = 0;
        for (int i = 0; i < HALF_WINDOWS; i++) {
            before += windows[(count + i) % windows.length];
            after += windows[(count + HALF_WINDOWS + i) % windows.length];
        }
        return before > 0 && Math.abs(after - before) * 100 <= TOLERANCE_PERCENT * before;
    }
}
