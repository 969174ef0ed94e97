package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CoarseTimerTest {
    /** Starts a timer, waits for its action, and cancels it. */
    private static void assertRunsAfter(Duration delay) throws Exception {
        long moment = System.nanoTime() + delay.toNanos();
        CompletableFuture<Long> ran = new CompletableFuture<>();
        CoarseTimer timer = CoarseTimer.start(moment, () -> ran.complete(System.nanoTime()));
        assertThat(ran.get() - moment).isNotNegative();
        timer.cancel();
    }

    @Test
    void shouldRunItsActionAfterTheMoment() throws Exception {
        assertRunsAfter(Duration.ofMillis(-1));
        assertRunsAfter(Duration.ofMillis(30));
    }

    @Test
    void shouldRunTheActionsOfManyTimers() throws Exception {
        List<CompletableFuture<Object>> ran = new ArrayList<>();
        List<CoarseTimer> timers = new ArrayList<>();
        long now = System.nanoTime();
        for (int i = 0; i < 1_000; i++) {
            CompletableFuture<Object> done = new CompletableFuture<>();
            ran.add(done);
            timers.add(CoarseTimer.start(now + Duration.ofMillis(i % 50).toNanos(), () -> done.complete("ran")));
        }
        for (CompletableFuture<Object> done : ran) {
            done.get();
        }
        timers.forEach(CoarseTimer::cancel);
    }

    @Test
    void shouldNotRunTheActionOfATimerThatWasCancelled() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        CoarseTimer.start(System.nanoTime() + Duration.ofMillis(200).toNanos(), runs::incrementAndGet)
                .cancel();
        assertRunsAfter(Duration.ofMillis(300));
        assertThat(runs).hasValue(0);
    }

    // As when the system has no memory left for a moment.
    @Test
    void shouldRunTheActionsOfOtherTimersAfterAnError() throws Exception {
        CompletableFuture<Void> failed = new CompletableFuture<>();
        CoarseTimer timer = CoarseTimer.start(System.nanoTime(), () -> {
            failed.complete(null);
            throw new OutOfMemoryError("of a test");
        });
        failed.get();
        timer.cancel();
        assertRunsAfter(Duration.ofMillis(30));
    }

    @Test
    void shouldRunItsActionWhenThereWasNoTimerForLong() throws Exception {
        for (int i = 0; i < 2; i++) {
            assertRunsAfter(Duration.ofMillis(1));
            Thread.sleep(CoarseTimer.LOOKER_IDLE.plusMillis(500));
        }
        assertRunsAfter(Duration.ofMillis(1));
    }

    /** As when virtual threads wait for answers where they cannot leave their carriers, in synchronized blocks of older Java for one. */
    @Test
    void shouldRunItsActionWhenNoFurtherVirtualThreadCanRun() throws Exception {
        int carriers = Runtime.getRuntime().availableProcessors();
        CountDownLatch mounted = new CountDownLatch(carriers);
        AtomicBoolean over = new AtomicBoolean();
        try {
            for (int i = 0; i < carriers; i++) {
                Thread.startVirtualThread(() -> {
                    mounted.countDown();
                    while (!over.get()) {
                        Thread.onSpinWait();
                    }
                });
            }
            mounted.await();
            assertRunsAfter(Duration.ofMillis(30));
        } finally {
            over.set(true);
        }
    }
}
