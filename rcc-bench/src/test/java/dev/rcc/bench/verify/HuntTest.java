package dev.rcc.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HuntTest {
    // Method: the first task ends last.
    @Test
    void shouldHandOverResultsInTheOrderOfTheTasks() {
        CountDownLatch others = new CountDownLatch(3);
        List<Integer> taken = new ArrayList<>();
        Hunt.<Integer, Integer>run(
                IntStream.range(0, 50).boxed().iterator(),
                2,
                task -> {
                    if (task == 0) {
                        await(others);
                    }
                    others.countDown();
                    return task * 10;
                },
                taken::add);
        assertThat(taken)
                .isEqualTo(IntStream.range(0, 50).map(task -> task * 10).boxed().toList());
    }

    @Test
    void shouldRunAsManyTasksAtATimeAsThereAreThreads() {
        CountDownLatch together = new CountDownLatch(4);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Hunt.<Integer, Integer>run(
                IntStream.range(0, 4).boxed().iterator(),
                4,
                task -> {
                    threads.add(Thread.currentThread());
                    together.countDown();
                    await(together);
                    return task;
                },
                result -> {});
        assertThat(threads).hasSize(4);
    }

    @Test
    void shouldFailWithTheExceptionOfTheRunner() {
        assertThatThrownBy(() -> Hunt.<Integer, Integer>run(
                        List.of(1).iterator(),
                        1,
                        task -> {
                            throw new IllegalArgumentException("no room");
                        },
                        result -> {}))
                .hasRootCauseMessage("no room");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
