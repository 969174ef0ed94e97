package dev.rcc.core.worker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MountedCoroutineTest extends CoroutineContract {
    @Override
    boolean mountsCoroutines() {
        return true;
    }

    @Override
    int manySwitches() {
        return 200_000;
    }

    @Override
    int wakeUps() {
        return 3000;
    }

    @Test
    void shouldBeTheFormThatTheBuildsJvmTakes() {
        assertThat(VirtualThreads.canSchedule()).isTrue();
        try (EventLoop loop = new EventLoop(0, 0, 1)) {
            assertThat(loop.mountsCoroutines()).isTrue();
        }
    }

    // Goal: a worker that ends keeps no lock of the process, such as a logger's.
    // Method: close a worker while its coroutine waits for a lock; another thread waits behind the coroutine.
    @Test
    void shouldGiveALockBackThatACoroutineOfAnEndedWorkerHasWaitedFor() throws Exception {
        Semaphore lock = new Semaphore(0, true);
        EventLoop loop = started();
        loop.spawn(0, coroutine -> {
            takeAndGiveBack(lock);
            coroutine.sleep(FOR_EVER);
        });
        spinUntil(() -> lock.getQueueLength() == 1);
        loop.close();
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> takeAndGiveBack(lock));
        spinUntil(() -> lock.getQueueLength() == 2);
        lock.release();
        other.get(10, SECONDS);
    }

    // Goal: a coroutine of a node that has died does not run on, even if it only pauses.
    @Test
    void shouldNotResumeFromAPauseWhenItsWorkerHasEnded() throws Exception {
        Semaphore lock = new Semaphore(0, true);
        AtomicInteger pauses = new AtomicInteger();
        EventLoop loop = started();
        loop.spawn(0, coroutine -> {
            takeAndGiveBack(lock);
            while (pauses.get() < 1000) {
                coroutine.pause();
                pauses.incrementAndGet();
            }
        });
        spinUntil(lock::hasQueuedThreads);
        loop.close();
        lock.release();
        spinUntil(() -> !lock.hasQueuedThreads() && lock.availablePermits() == 1);
        TimeUnit.MILLISECONDS.sleep(20);
        assertThat(pauses).hasValueLessThan(1000);
    }

    private static void takeAndGiveBack(Semaphore lock) {
        lock.acquireUninterruptibly();
        lock.release();
    }
}
