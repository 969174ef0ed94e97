package dev.rcc.core.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker sleeps in its parker, whether or not it polls the parker. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ParkerTest {
    /** Sleeps until it is woken, however long that takes. */
    private static final class Place implements Parker {
        private final Semaphore wakeUps = new Semaphore(0);
        private final CountDownLatch parked = new CountDownLatch(1);
        private final AtomicInteger polls = new AtomicInteger();
        private final AtomicInteger armed = new AtomicInteger();

        @Override
        public int poll() {
            polls.incrementAndGet();
            return 0;
        }

        @Override
        public void arm() {
            armed.incrementAndGet();
        }

        @Override
        public void park(long nanos) {
            parked.countDown();
            wakeUps.acquireUninterruptibly();
        }

        @Override
        public void unpark() {
            wakeUps.release();
        }

        @Override
        public void end() {
            // It holds no resources.
        }
    }

    private final EventLoop worker = new EventLoop(0, 0, 1);
    private final Place place = new Place();

    @AfterEach
    void close() {
        worker.close();
    }

    @Test
    void shouldSleepWhereItDoesNotPollYetAndBeWokenThere() throws Exception {
        worker.sleepIn(place);
        worker.start();
        place.parked.await();
        assertThat(place.armed.get()).isPositive();
        CountDownLatch ran = new CountDownLatch(1);
        worker.execute(ran::countDown);
        ran.await();
        assertThat(place.polls.get()).isZero();

        worker.addPoller(place);
        CountDownLatch ranAgain = new CountDownLatch(1);
        worker.execute(ranAgain::countDown);
        ranAgain.await();
        worker.close();
        assertThat(place.polls.get()).isPositive();
    }

    @Test
    void shouldBePolledOnceATurnThoughItWasAddedTwice() {
        AtomicInteger turns = new AtomicInteger();
        worker.addPoller(place);
        worker.addPoller(place);
        worker.addPoller(turns::incrementAndGet); // there is always something to do
        worker.start();
        while (turns.get() < 1_000) {
            Thread.onSpinWait();
        }
        worker.close();
        assertThat(place.polls.get()).isEqualTo(turns.get());
    }

    @Test
    void shouldRefuseToSleepInASecondPlace() {
        worker.sleepIn(place);
        Place other = new Place();
        assertThatIllegalStateException().isThrownBy(() -> worker.sleepIn(other));
        assertThatIllegalStateException().isThrownBy(() -> worker.addPoller(other));
        assertThat(worker.parker(() -> other)).isSameAs(place);
    }
}
