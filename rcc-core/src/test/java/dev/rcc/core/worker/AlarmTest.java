package dev.rcc.core.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AlarmTest {
    private static final long LATE = 10;

    private final FakeWorker worker = new FakeWorker(0);
    private final FakeCoroutine coroutine = new FakeCoroutine(7, worker);
    private final List<Long> rung = new ArrayList<>();

    private static final class Enough extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private Alarm alarm(int times, Runnable then) {
        return new Alarm(worker, 7, LATE, self -> {
            rung.add(worker.nanoTime);
            if (rung.size() == times) {
                throw new Enough();
            }
            then.run();
        });
    }

    private void run() {
        assertThatThrownBy(() -> worker.spawned.getFirst().accept(coroutine)).isInstanceOf(Enough.class);
    }

    @Test
    void shouldRunAtTheEarliestDeadline() {
        Alarm alarm = alarm(1, () -> {});
        alarm.in(500);
        alarm.in(123);
        alarm.in(200);
        run();
        assertThat(rung).containsExactly(123L);
    }

    @Test
    void shouldRunAgainIfItsTaskSetsADeadline() {
        Alarm[] alarm = new Alarm[1];
        alarm[0] = alarm(3, () -> alarm[0].in(45));
        alarm[0].in(5);
        run();
        assertThat(rung).containsExactly(5L, 50L, 95L);
    }

    @Test
    void shouldBeLittleLateForAnEarlierDeadlineThatIsSetWhileItSleeps() {
        Alarm alarm = alarm(1, () -> {});
        alarm.in(1_000);
        coroutine.whileSleeping = () -> {
            if (worker.nanoTime == 10 * LATE) {
                alarm.in(3);
            }
        };
        run();
        assertThat(rung.getFirst()).isBetween(10 * LATE + 3, 10 * LATE + 3 + LATE);
    }

    // Goal: without a deadline the alarm does not run; a deadline that is set later wakes the worker.
    @Test
    @Timeout(60)
    void shouldWaitWhileThereIsNoDeadline() throws InterruptedException {
        AtomicInteger rang = new AtomicInteger();
        try (EventLoop loop = new EventLoop(0, 0, 1)) {
            Alarm alarm = new Alarm(loop, 7, TimeUnit.MILLISECONDS.toNanos(1), self -> rang.incrementAndGet());
            loop.start();
            TimeUnit.MILLISECONDS.sleep(20);
            assertThat(rang).hasValue(0);
            for (int i = 1; i <= 3; i++) {
                loop.execute(() -> alarm.in(1_000));
                while (rang.get() < i) {
                    TimeUnit.MILLISECONDS.sleep(1);
                }
                TimeUnit.MILLISECONDS.sleep(5);
                assertThat(rang).hasValue(i);
            }
        }
    }

    @Test
    void shouldRefuseToLookAllTheTime() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Alarm(worker, 7, 0, self -> {}))
                .withMessageContaining("got 0");
    }
}
