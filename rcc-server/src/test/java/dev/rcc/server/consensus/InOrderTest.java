package dev.rcc.server.consensus;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InOrderTest {
    /** Longer than any test. */
    private static final Duration LONG = Duration.ofHours(1);

    private static final Duration SHORT = Duration.ofMillis(1);

    /** Keeps the exceptions that tasks throw out of the test's output. */
    private static final Executor THREADS = task ->
            Thread.ofVirtual().uncaughtExceptionHandler((thread, e) -> {}).start(task);

    private static void awaitNext(InOrder order) {
        CompletableFuture<Void> next = new CompletableFuture<>();
        order.execute(() -> next.complete(null));
        next.join();
    }

    @Test
    void shouldRunTasksInTheOrderInWhichTheyCame() {
        InOrder order = new InOrder(THREADS, LONG);
        ConcurrentLinkedQueue<Integer> ran = new ConcurrentLinkedQueue<>();
        List<Integer> tasks = IntStream.range(0, 10_000).boxed().toList();
        tasks.forEach(task -> order.execute(() -> ran.add(task)));
        awaitNext(order);
        assertThat(ran).containsExactlyElementsOf(tasks);
    }

    @Test
    void shouldContinueAfterATaskThatThrowsAnError() {
        InOrder order = new InOrder(THREADS, LONG);
        order.execute(() -> {
            throw new AssertionError("planned");
        });
        awaitNext(order);
        awaitNext(order);
    }

    @Test
    void shouldContinueWithoutATaskThatDoesNotEnd() {
        InOrder order = new InOrder(THREADS, SHORT);
        CountDownLatch end = new CountDownLatch(1);
        order.execute(() -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        awaitNext(order);
        end.countDown();
        awaitNext(order);
    }

    @Test
    void shouldWaitForATaskThatTakesItsTime() {
        InOrder order = new InOrder(THREADS, LONG);
        CountDownLatch end = new CountDownLatch(1);
        ConcurrentLinkedQueue<String> ran = new ConcurrentLinkedQueue<>();
        order.execute(() -> {
            try {
                end.await();
                TimeUnit.MILLISECONDS.sleep(10); // the next one has every chance to be faster
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            ran.add("slow");
        });
        order.execute(() -> ran.add("next"));
        end.countDown();
        awaitNext(order);
        assertThat(ran).containsExactly("slow", "next");
    }
}
