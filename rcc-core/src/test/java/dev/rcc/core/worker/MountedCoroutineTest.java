package dev.rcc.core.worker;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
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

    // Goal: a worker that ends takes no lock of the process with it, such as a logger's. Method: a coroutine waits for
    // a lock when
    // its worker is closed, and another thread waits behind it.
    @Test
    void shouldGiveALockBackThatACoroutineOfAnEndedWorkerHasWaitedFor() throws Exception {
        ReentrantLock lock = new ReentrantLock(true);
        lock.lock();
        EventLoop loop = started();
        loop.spawn(0, coroutine -> {
            lock.lock();
            lock.unlock();
            coroutine.sleep(FOR_EVER);
        });
        spinUntil(() -> lock.getQueueLength() == 1);
        loop.close();
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> {
            lock.lock();
            lock.unlock();
        });
        spinUntil(() -> lock.getQueueLength() == 2);
        lock.unlock();
        other.get(10, SECONDS);
    }

    // Goal: a coroutine of a node that has died does nothing more, though it never waits for anything.
    @Test
    void shouldNotGoOnFromAPauseWhenItsWorkerHasEnded() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        AtomicInteger pauses = new AtomicInteger();
        EventLoop loop = started();
        loop.spawn(0, coroutine -> {
            lock.lock();
            lock.unlock();
            while (pauses.get() < 1000) {
                coroutine.pause();
                pauses.incrementAndGet();
            }
        });
        spinUntil(lock::hasQueuedThreads);
        loop.close();
        lock.unlock();
        spinUntil(() -> !lock.hasQueuedThreads() && !lock.isLocked());
        TimeUnit.MILLISECONDS.sleep(20);
        assertThat(pauses).hasValueLessThan(1000);
    }
}
