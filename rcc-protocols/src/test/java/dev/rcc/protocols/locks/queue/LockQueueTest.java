package dev.rcc.protocols.locks.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.queue.LockQueue.Waiter;
import org.junit.jupiter.api.Test;

class LockQueueTest {
    private static final long LATE = 1_000;

    private final LockQueue queue = new LockQueue(2);

    private Waiter add(LockMode mode, long deadlineNanos) {
        Waiter waiter = new Waiter(null, null, mode, deadlineNanos);
        queue.add(waiter);
        return waiter;
    }

    private void checkPasses(boolean passes) {
        Waiter reader = add(LockMode.SHARED, LATE);
        assertThat(queue.grantNext()).isEqualTo(passes ? reader : null);
    }

    @Test
    void shouldLetSoManyReadersPastAWriter() {
        checkPasses(true);
        Waiter writer = add(LockMode.EXCLUSIVE, LATE);
        checkPasses(true);
        checkPasses(true);
        checkPasses(false);
        for (int i = 0; i < 3; i++) {
            queue.release(LockMode.SHARED);
        }
        assertThat(queue.grantNext()).isEqualTo(writer);
    }

    @Test
    void shouldLetNoMoreReadersPastTheNextWriterWhenTheFirstGivesUp() {
        checkPasses(true);
        Waiter impatient = add(LockMode.EXCLUSIVE, 1);
        add(LockMode.EXCLUSIVE, LATE);
        checkPasses(true);
        checkPasses(true);
        assertThat(queue.takeOverdue(2)).containsExactly(impatient);
        checkPasses(false);
    }
}
