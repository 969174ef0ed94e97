package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DeadlineTest {
    private static ReentrantLock heldByAnotherThread() {
        ReentrantLock lock = new ReentrantLock();
        CompletableFuture.runAsync(lock::lock).join();
        return lock;
    }

    @Test
    void shouldNotWaitForALockLongerThanUntilTheDeadline() {
        assertThatExceptionOfType(DeadlineExceededException.class)
                .isThrownBy(() -> Deadline.in(Duration.ofMillis(1)).lock(heldByAnotherThread(), "a connection"))
                .withMessageContaining("waited too long for a connection");
    }

    @Test
    void shouldNotBeOverWhenItIsTheEndOfTime() {
        for (Duration longest : List.of(Duration.ofNanos(Long.MAX_VALUE), Duration.ofSeconds(Long.MAX_VALUE))) {
            Deadline deadline = Deadline.in(longest);
            assertThat(deadline.isOver()).isFalse();
            assertThat(deadline.later(Txn.GRACE).isOver()).isFalse();
            assertThat(deadline.earlier(Deadline.in(Duration.ZERO)).isOver()).isTrue();
        }
    }

    @Test
    void shouldNotWaitForALockOnceTheThreadIsInterrupted() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(DeadlineExceededException.class)
                .isThrownBy(() -> Deadline.in(Duration.ofHours(1)).lock(heldByAnotherThread(), "a connection"))
                .withMessageContaining("interrupted while it waited for a connection");
        assertThat(Thread.interrupted()).as("the thread is still interrupted").isTrue();
    }
}
