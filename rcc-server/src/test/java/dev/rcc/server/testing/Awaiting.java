package dev.rcc.server.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for the effects of other threads. */
public final class Awaiting {
    /** Only ends a test that hangs. */
    public static final Duration HANG = Duration.ofMinutes(1);

    private Awaiting() {}

    /** Waits until a condition holds. */
    public static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + HANG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline)
                    .as("nanoseconds until " + what)
                    .isNegative();
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }
}
