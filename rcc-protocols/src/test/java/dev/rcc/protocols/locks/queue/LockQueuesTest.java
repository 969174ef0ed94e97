package dev.rcc.protocols.locks.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.protocols.locks.LockMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LockQueuesTest {
    private static final int LOCKS = 1_000;

    private final LockQueues queues = new LockQueues(0);

    private static QueueRequest writer() {
        QueueRequest request = new QueueRequest(null);
        request.mode = LockMode.EXCLUSIVE;
        return request;
    }

    @Test
    void shouldKeepTheQueueOfEachLockThatIsHeld() {
        Map<Long, LockQueue> held = new HashMap<>();
        for (long address = 0; address < LOCKS; address++) {
            LockQueue queue = queues.of(address * 16);
            queue.add(writer());
            queue.grantNext();
            queues.settle(queue);
            held.put(address * 16, queue);
        }
        assertThat(held.values()).doesNotHaveDuplicates();
        held.forEach((address, queue) -> assertThat(queues.of(address)).isSameAs(queue));
    }

    @Test
    void shouldReuseAnIdleQueueForAnotherLock() {
        LockQueue first = queues.of(16);
        queues.settle(first);
        LockQueue second = queues.of(32);
        assertThat(second).isSameAs(first);
        assertThat(second.address).isEqualTo(32);
        assertThat(queues.of(16)).isNotSameAs(second);
    }

    @Test
    void shouldVisitEachQueueOnceAlthoughTheyBecomeEmptyMeanwhile() {
        for (long address = 0; address < LOCKS; address++) {
            LockQueue queue = queues.of(address);
            queue.add(writer());
        }
        List<Long> visited = new ArrayList<>();
        queues.forEach(queue -> {
            visited.add(queue.address);
            while (queue.takeAny() != null) {
                assertThat(queue.isIdle()).isTrue();
            }
        });
        assertThat(visited).hasSize(LOCKS).doesNotHaveDuplicates();
        queues.forEach(queue -> visited.add(queue.address));
        assertThat(visited).hasSize(LOCKS);
    }
}
