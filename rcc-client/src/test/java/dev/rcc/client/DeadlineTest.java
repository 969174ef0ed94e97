package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
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

    /** Runs on a virtual thread, and waits for the end. */
    private static <T> T onVirtualThread(Callable<T> body) throws Throwable {
        FutureTask<T> task = new FutureTask<>(body);
        Thread.startVirtualThread(task);
        try {
            return task.get();
        } catch (ExecutionException e) {
            throw e.getCause();
        }
    }

    @Test
    void shouldReturnAnAnswerThatArrivesBeforeAVirtualThreadsDeadline() throws Throwable {
        for (int i = 0; i < 1_000; i++) {
            CompletableFuture<String> answer = new CompletableFuture<>();
            CompletableFuture<Void> asking = CompletableFuture.runAsync(() -> answer.complete("yes"));
            assertThat(onVirtualThread(() -> Deadline.in(Duration.ofDays(1)).await(answer)))
                    .isEqualTo("yes");
            asking.join();
        }
    }

    @Test
    void shouldReturnAnAnswerThatIsThereThoughTheDeadlineIsOver() throws Throwable {
        CompletableFuture<String> answer = CompletableFuture.completedFuture("yes");
        assertThat(Deadline.in(Duration.ZERO).await(answer)).isEqualTo("yes");
        assertThat(onVirtualThread(() -> Deadline.in(Duration.ZERO).await(answer)))
                .isEqualTo("yes");
    }

    @Test
    void shouldWaitForAnAnswerUntilTheDeadlineOnly() {
        for (Duration wait : List.of(Duration.ZERO, Duration.ofMillis(30))) {
            long beginNanos = System.nanoTime();
            assertThatExceptionOfType(DeadlineExceededException.class)
                    .isThrownBy(() -> Deadline.in(wait).await(new CompletableFuture<>()))
                    .withMessageContaining("no answer came in time");
            assertThatExceptionOfType(DeadlineExceededException.class)
                    .isThrownBy(() -> onVirtualThread(() -> Deadline.in(wait).await(new CompletableFuture<>())))
                    .withMessageContaining("no answer came in time");
            assertThat(System.nanoTime() - beginNanos).isGreaterThanOrEqualTo(2 * wait.toNanos());
        }
    }

    @Test
    void shouldNotWaitForAnAnswerOnceAVirtualThreadIsInterrupted() {
        assertThatExceptionOfType(DeadlineExceededException.class)
                .isThrownBy(() -> onVirtualThread(() -> {
                    Thread.currentThread().interrupt();
                    return Deadline.in(Duration.ofDays(1)).await(new CompletableFuture<>());
                }))
                .withMessageContaining("interrupted while it waited for an answer");
    }

    @Test
    void shouldLetAFutureFailAtTheDeadline() {
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> Deadline.in(Duration.ofMillis(5))
                        .limit(new CompletableFuture<>(), Runnable::run)
                        .get())
                .withCauseInstanceOf(DeadlineExceededException.class);
    }

    @Test
    void shouldNotChangeAFutureThatIsDoneInTime() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        CompletableFuture<String> limited = Deadline.in(Duration.ofDays(1)).limit(answer, Runnable::run);
        answer.complete("yes");
        assertThat(limited.join()).isEqualTo("yes");
    }
}
