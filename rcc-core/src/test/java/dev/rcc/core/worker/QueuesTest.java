package dev.rcc.core.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.Seeds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** {@link ReadyQueue} and {@link Sleepers} against the JDK's collections. */
class QueuesTest {
    @Test
    void shouldBeAQueueThatGrowsWhereverItsHeadIs() {
        Seeds.forEach(50, random -> {
            ReadyQueue queue = new ReadyQueue();
            Queue<Runnable> model = new ArrayDeque<>();
            for (int step = 0; step < 2000; step++) {
                if (model.isEmpty() || random.nextInt(100) < 55) {
                    int number = step;
                    Runnable slice = () -> assertThat(number).isNegative();
                    queue.add(slice);
                    model.add(slice);
                } else {
                    assertThat(queue.remove()).isSameAs(model.remove());
                }
                assertThat(queue.size()).isEqualTo(model.size());
            }
        });
    }

    // The monotonic clock may start anywhere, so deadlines may wrap around.
    @Test
    void shouldWakeWhoseDeadlineHasComeEarliestFirst() {
        EventLoop loop = new EventLoop(0, 0, 1, false, 1);
        Seeds.forEach(50, random -> {
            long origin = random.nextBoolean() ? Long.MAX_VALUE - 500 : random.nextLong();
            List<Integer> woken = new ArrayList<>();
            Sleepers sleepers = new Sleepers();
            PriorityQueue<long[]> model = new PriorityQueue<>((a, b) -> Long.compare(a[0], b[0]));
            long now = 0;
            for (int step = 0; step < 300; step++) {
                if (random.nextInt(3) > 0) {
                    long deadline = now + random.nextInt(-5, 1000);
                    sleepers.add(origin + deadline, new Sleeper(loop, (int) deadline, woken));
                    model.add(new long[] {deadline});
                } else {
                    now += random.nextInt(100);
                    List<Integer> expected = new ArrayList<>();
                    while (!model.isEmpty() && model.peek()[0] <= now) {
                        expected.add((int) model.remove()[0]);
                    }
                    woken.clear();
                    assertThat(sleepers.wake(origin + now)).isEqualTo(expected.size());
                    assertThat(woken).isEqualTo(expected);
                }
                assertThat(sleepers.isEmpty()).isEqualTo(model.isEmpty());
                if (!model.isEmpty()) {
                    assertThat(sleepers.nextDeadline()).isEqualTo(origin + model.peek()[0]);
                }
            }
        });
    }

    private static final class Sleeper extends LoopCoroutine {
        private final List<Integer> woken;

        Sleeper(EventLoop loop, int deadline, List<Integer> woken) {
            super(loop, deadline);
            this.woken = woken;
        }

        @Override
        public void pause() {}

        @Override
        protected void suspend() {}

        @Override
        protected void resume() {
            woken.add(id());
        }
    }
}
