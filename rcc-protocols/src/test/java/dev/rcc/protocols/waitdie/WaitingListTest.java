package dev.rcc.protocols.waitdie;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.protocols.locking.LockMode;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingListTest {
    private static final Memory MEMORY = Memory.allocate(Arena.ofAuto(), 16);

    private final WaitingList list = new WaitingList();

    @Test
    void shouldHoldTheYoungestFirst() {
        for (long owner : new long[] {5, 9, 1, 7}) {
            add(owner, 0, LockMode.EXCLUSIVE);
        }
        assertThat(owners()).containsExactly(9L, 7L, 5L, 1L);
    }

    @Test
    void shouldKeepTheOrderOfRemainingRequestsWhenOthersLeave() {
        for (long owner : new long[] {1, 2, 3, 4, 5, 6}) {
            add(owner, 0, LockMode.EXCLUSIVE);
        }
        list.get(0).waiting = false;
        list.get(3).waiting = false;
        list.compact();
        assertThat(owners()).containsExactly(5L, 4L, 2L, 1L);
        add(3, 0, LockMode.SHARED);
        assertThat(owners()).containsExactly(5L, 4L, 3L, 2L, 1L);
    }

    @Test
    void shouldHaveABoundAndTakeOthersWhenSomeHaveLeft() {
        for (int i = 1; i <= WaitingList.CAPACITY; i++) {
            assertThat(list.isFull()).isFalse();
            add(i, 0, LockMode.SHARED);
        }
        assertThat(list.isFull()).isTrue();
        list.get(17).waiting = false;
        list.compact();
        assertThat(list.isFull()).isFalse();
        assertThat(list.size()).isEqualTo(WaitingList.CAPACITY - 1);
        add(1_000_000, 0, LockMode.SHARED);
        assertThat(list.get(0).owner).isEqualTo(1_000_000);
        assertThat(owners()).doesNotHaveDuplicates();
    }

    @Test
    void shouldFindYoungerAndOlderConflictingRequestsOfALock() {
        add(5, 0, LockMode.EXCLUSIVE);
        add(7, 8, LockMode.SHARED);
        assertThat(list.hasYounger(4, MEMORY, 0, LockMode.SHARED)).isTrue();
        assertThat(list.hasYounger(4, MEMORY, 0, LockMode.EXCLUSIVE)).isTrue();
        assertThat(list.hasYounger(6, MEMORY, 0, LockMode.EXCLUSIVE))
                .as("older waiter")
                .isFalse();
        assertThat(list.hasYounger(5, MEMORY, 0, LockMode.EXCLUSIVE))
                .as("itself")
                .isFalse();
        assertThat(list.hasYounger(4, MEMORY, 8, LockMode.SHARED))
                .as("goes together")
                .isFalse();
        assertThat(list.hasYounger(4, MEMORY, 8, LockMode.EXCLUSIVE)).isTrue();
        assertThat(list.hasYounger(4, Memory.allocate(Arena.ofAuto(), 16), 8, LockMode.EXCLUSIVE))
                .as("other memory")
                .isFalse();
        assertThat(list.hasOlder(6, MEMORY, 0, LockMode.SHARED)).isTrue();
        assertThat(list.hasOlder(6, MEMORY, 0, LockMode.EXCLUSIVE)).isTrue();
        assertThat(list.hasOlder(5, MEMORY, 0, LockMode.SHARED)).as("itself").isFalse();
        assertThat(list.hasOlder(4, MEMORY, 0, LockMode.SHARED))
                .as("younger waiter")
                .isFalse();
        assertThat(list.hasOlder(8, MEMORY, 8, LockMode.SHARED))
                .as("goes together")
                .isFalse();
        assertThat(list.hasOlder(8, MEMORY, 8, LockMode.EXCLUSIVE)).isTrue();
    }

    @Test
    void shouldNotCountRequestsThatTheCurrentScanHasAnswered() {
        add(5, 0, LockMode.EXCLUSIVE);
        list.get(0).waiting = false;
        assertThat(list.hasYounger(4, MEMORY, 0, LockMode.SHARED)).isFalse();
        assertThat(list.hasOlder(6, MEMORY, 0, LockMode.SHARED)).isFalse();
    }

    private void add(long owner, long offset, LockMode mode) {
        Waiter waiter = list.spare();
        waiter.owner = owner;
        waiter.memory = MEMORY;
        waiter.offset = offset;
        waiter.mode = mode;
        list.add();
    }

    private List<Long> owners() {
        List<Long> owners = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            owners.add(list.get(i).owner);
        }
        return owners;
    }
}
