package dev.rcc.bench.driver;

import dev.rcc.core.worker.Coroutine;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The waits of clients between transactions: a wait ends with the run, within one slice. */
public final class Pause {
    private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private Pause() {}

    private interface Sleeper {
        void sleep(long nanos);
    }

    /** Waits on a coroutine. */
    public static void on(Coroutine coroutine, long nanos, BooleanSupplier isRunning) {
        inSlices(nanos, isRunning, coroutine::sleep);
    }

    /** Waits on the calling thread. */
    static void onThread(long nanos, BooleanSupplier isRunning) {
        inSlices(nanos, isRunning, Pause::sleep);
    }

    private static void inSlices(long nanos, BooleanSupplier isRunning, Sleeper sleeper) {
        for (long left = nanos; left > 0 && isRunning.getAsBoolean(); left -= SLICE_NANOS) {
            sleeper.sleep(Math.min(left, SLICE_NANOS));
        }
    }

    private static void sleep(long nanos) {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
