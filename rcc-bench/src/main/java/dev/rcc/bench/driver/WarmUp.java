package dev.rcc.bench.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The end of a run's warm-up. A run is warm when its code is compiled and throughput is steady.
 *
 * <p>Throughput is steady when its mean over the last {@value #HALF_WINDOWS} windows of {@value #WINDOW_SECONDS} s and its mean over as many
 * before differ by at most {@value #TOLERANCE_PERCENT} %. If so many windows have fewer than {@value #HALF_COMMITTED} commits, chance hides the
 * compiler's effect; then as many windows are compared as have that many commits.
 *
 * <p>The code is compiled when the JIT compilers of all processes together have worked for at most {@value #COMPILING_PERCENT} % of the last
 * {@value #HALF_WINDOWS} windows. Throughput alone does not show it: in processes that have just started, the compilers may take the same half
 * of all processors for ten seconds.
 *
 * <p>A run whose warm-up is fixed is warm when that time is over. For one thread.
 */
public final class WarmUp {
    /** The interval at which the throughput is read. */
    public static final double WINDOW_SECONDS = 0.5;

    private static final int HALF_WINDOWS = 4;
    private static final int HALF_COMMITTED = 1_000;
    private static final int TOLERANCE_PERCENT = 3;
    private static final int COMPILING_PERCENT = 25;

    /** How a warm-up ended. */
    public enum End {
        /** The warm-up took the requested time; the progress was not read. */
        FIXED,
        /** The throughput was steady, and the code was compiled. */
        STEADY,
        /** The longest time was over, and the throughput was not steady. */
        NOT_STEADY,
        /** The longest time was over, and the throughput was steady, but the compilers were still at work. */
        COMPILING;

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

    /**
     * The progress of a run.
     *
     * @param committed transactions that have committed since the run began
     * @param compileMillis the time that the JIT compilers of all its processes have worked, in ms, since any moment before the run
     */
    public record Progress(long committed, long compileMillis) {}

    /** Reads a run's progress. */
    @FunctionalInterface
    public interface ProgressReader {
        /**
         * The progress by now.
         *
         * @throws InterruptedException when the calling thread was interrupted
         */
        Progress read() throws InterruptedException;
    }

    private final BenchConfig.Times times;
    /** The result of each look, and the beginning. */
    private final List<Look> looks = new ArrayList<>(List.of(new Look(0, new Progress(0, 0))));

    /**
     * What a look found.
     *
     * @param seconds the time since the run began
     */
    private record Look(double seconds, Progress progress) {
        long committedSince(Look earlier) {
            return progress.committed - earlier.progress.committed;
        }

        double perSecondSince(Look earlier) {
            return committedSince(earlier) / (seconds - earlier.seconds);
        }

        double compilingPercentSince(Look earlier) {
            return (progress.compileMillis - earlier.progress.compileMillis) / (seconds - earlier.seconds) / 10;
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
    public double run(LongSupplier nanos, Running running, ProgressReader progress) throws InterruptedException {
        long start = nanos.getAsLong();
        double seconds;
        do {
            running.await(times.isWarmupFixed() ? times.warmupSeconds() : WINDOW_SECONDS);
            seconds = (double) (nanos.getAsLong() - start) / TimeUnit.SECONDS.toNanos(1);
        } while (!times.isWarmupFixed() && !look(seconds, progress.read()));
        return seconds;
    }

    /**
     * Records a look at a run whose warm-up is not fixed.
     *
     * @param seconds the time since the run began
     * @return whether the warm-up is over
     */
    boolean look(double seconds, Progress progress) {
        looks.add(new Look(seconds, progress));
        return seconds >= times.warmupMaxSeconds() || (seconds >= times.warmupSeconds() && isSteady() && isCompiled());
    }

    /** How the warm-up ended. */
    public End end() {
        if (times.isWarmupFixed()) {
            return End.FIXED;
        }
        if (!isSteady()) {
            return End.NOT_STEADY;
        }
        return isCompiled() ? End.STEADY : End.COMPILING;
    }

    /** Whether the compilers have little work left. Asked only once throughput is steady: by then there are windows enough. */
    private boolean isCompiled() {
        Look before = looks.get(looks.size() - 1 - HALF_WINDOWS);
        return looks.getLast().compilingPercentSince(before) <= COMPILING_PERCENT;
    }

    private boolean isSteady() {
        int last = looks.size() - 1;
        Look now = looks.get(last);
        for (int half = HALF_WINDOWS; 2 * half <= last; half++) {
            Look middle = looks.get(last - half);
            if (now.committedSince(middle) >= HALF_COMMITTED) {
                double before = middle.perSecondSince(looks.get(last - 2 * half));
                double after = now.perSecondSince(middle);
                return Math.abs(after - before) * 100 <= TOLERANCE_PERCENT * before;
            }
        }
        return false;
    }
}
