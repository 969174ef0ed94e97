package dev.rcc.protocols.locks.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.protocols.locks.LockMode;
import org.junit.jupiter.api.Test;

class LockQueueTest {
    private static final long LATE = 1_000;

    private final LockQueue queue = new LockQueue(2);

    private QueueRequest add(LockMode mode, long deadlineNanos) {
        QueueRequest waiter = new QueueRequest(null);
        waiter.mode = mode;
        waiter.deadlineNanos = deadlineNanos;
        queue.add(waiter);
        return waiter;
    }

    private void checkPasses(boolean passes) {
        QueueRequest reader = add(LockMode.SHARED, LATE);
        assertThat(queue.grantNext()).isEqualTo(passes ? reader : null);
    }

    @Test
    void shouldLetSoManyReadersPastAWriter() {
        checkPasses(true);
        QueueRequest writer = add(LockMode.EXCLUSIVE, LATE);
        checkPasses(true);
        checkPasses(true);
        checkPasses(false);
        for (int i = 0; i < 3; i++) {
            queue.release(LockMode.SHARED);
        }
        assertThat(queue.grantNext()).isEqualTo(writer);
    }

    @Test
    void shouldBeIdleOnceTheLockHasNoHolderAndNoWaiter() {
        checkPasses(true);
        QueueRequest writer = add(LockMode.EXCLUSIVE, LATE);
        assertThat(queue.grantNext()).isNull();
        queue.release(LockMode.SHARED);
        assertThat(queue.isIdle()).isFalse();
        assertThat(queue.grantNext()).isSameAs(writer);
        assertThat(queue.isIdle()).isFalse();
        queue.release(LockMode.EXCLUSIVE);
        assertThat(queue.isIdle()).isTrue();
    }

    @Test
    void shouldDropAllHoldersWhenNoWaiterIsLeftToTake() {
        checkPasses(true);
        QueueRequest writer = add(LockMode.EXCLUSIVE, LATE);
        assertThat(queue.takeAny()).isSameAs(writer);
        assertThat(queue.takeAny()).isNull();
        assertThat(queue.isIdle()).isTrue();
    }

    // A node in a new incarnation does not have the lock that a sharer hands back.
    @Test
    void shouldIgnoreTheReleaseOfAnUnknownSharer() {
        queue.release(LockMode.SHARED);
        QueueRequest writer = add(LockMode.EXCLUSIVE, LATE);
        assertThat(queue.grantNext()).isSameAs(writer);
    }

    @Test
    void shouldLetNoMoreReadersPastTheNextWriterWhenTheFirstGivesUp() {
        checkPasses(true);
        QueueRequest impatient = add(LockMode.EXCLUSIVE, 1);
        add(LockMode.EXCLUSIVE, LATE);
        checkPasses(true);
        checkPasses(true);
        assertThat(queue.takeOverdue(2)).isSameAs(impatient);
        assertThat(queue.takeOverdue(2)).isNull();
        checkPasses(false);
    }
}
