package dev.rcc.protocols.calvin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.Seeds;
import dev.rcc.core.time.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LockTableTest {
    private final LockTable locks = new LockTable();

    /** Admits a participation that wants these locks: from lock id to whether it wants it exclusive. */
    private Participation admit(long number, Map<Long, Boolean> wants) {
        Participation p = new Participation();
        p.reset(Timestamp.of(number, 0, 0));
        wants.forEach((lock, exclusive) -> locks.request(p, lock, exclusive));
        locks.admit(p);
        return p;
    }

    private List<Participation> ready() {
        List<Participation> ready = new ArrayList<>();
        while (locks.firstReady() != null) {
            ready.add(locks.removeReady());
        }
        return ready;
    }

    @Test
    void shouldGrantSharedLocksTogetherAndExclusiveOnesAlone() {
        Participation reader = admit(1, Map.of(7L, false));
        Participation other = admit(2, Map.of(7L, false));
        Participation writer = admit(3, Map.of(7L, true));
        Participation late = admit(4, Map.of(7L, false));
        assertThat(ready()).containsExactly(reader, other);
        locks.release(other);
        assertThat(ready()).isEmpty();
        locks.release(reader);
        assertThat(ready()).containsExactly(writer);
        locks.release(writer);
        assertThat(ready()).containsExactly(late);
        locks.release(late);
        assertThat(locks.size()).isZero();
    }

    @Test
    void shouldNotLetAReaderOvertakeAWriterThatWaits() {
        Participation holder = admit(1, Map.of(7L, false));
        admit(2, Map.of(7L, true, 8L, true));
        admit(3, Map.of(7L, false));
        assertThat(ready()).containsExactly(holder);
    }

    @Test
    void shouldTakeALockThatIsWantedTwiceOnceInTheWiderMode() {
        Participation p = new Participation();
        p.reset(Timestamp.of(1, 0, 0));
        locks.request(p, 7, false);
        locks.request(p, 8, false);
        locks.request(p, 7, true);
        locks.admit(p);
        Participation reader = admit(2, Map.of(7L, false));
        Participation other = admit(3, Map.of(8L, false));
        assertThat(ready()).containsExactly(p, other);
        locks.release(p);
        assertThat(ready()).containsExactly(reader);
        assertThat(p.requestCount).isZero();
    }

    // Goal: in whatever order participations end, conflicting ones are granted in the order of their
    // admission, never at the same time, and all in the end.
    // Method: compare with the plain definition. A participation may go unless an earlier one that has not
    // ended wants one of its locks in a conflicting mode.
    @Test
    void shouldGrantExactlyTheParticipationsWithoutAnEarlierConflict() {
        Seeds.forEach(200, random -> {
            LockTableTest test = new LockTableTest();
            Map<Participation, Map<Long, Boolean>> unended = new LinkedHashMap<>();
            List<Participation> granted = new ArrayList<>();
            int admitted = 0;
            int lockCount = 1 + random.nextInt(12);
            while (admitted < 60 || !unended.isEmpty()) {
                if (admitted < 60 && random.nextInt(3) > 0) {
                    Map<Long, Boolean> wants = randomWants(random, lockCount);
                    unended.put(test.admit(++admitted, wants), wants);
                } else if (!granted.isEmpty()) {
                    Participation ended = granted.remove(random.nextInt(granted.size()));
                    test.locks.release(ended);
                    unended.remove(ended);
                }
                granted.addAll(test.ready());
                assertThat(granted).containsExactlyInAnyOrderElementsOf(mayGo(unended));
            }
            assertThat(test.locks.size()).isZero();
        });
    }

    private static Map<Long, Boolean> randomWants(SplittableRandom random, int lockCount) {
        Map<Long, Boolean> wants = new HashMap<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            // Far apart in memory, or in one bucket of the table: both must work.
            wants.put((long) random.nextInt(lockCount) * 256, random.nextInt(3) == 0);
        }
        return wants;
    }

    private static List<Participation> mayGo(Map<Participation, Map<Long, Boolean>> unended) {
        List<Participation> free = new ArrayList<>();
        List<Map<Long, Boolean>> earlier = new ArrayList<>();
        unended.forEach((participation, wants) -> {
            if (earlier.stream().noneMatch(before -> excludes(before, wants))) {
                free.add(participation);
            }
            earlier.add(wants);
        });
        return free;
    }

    private static boolean excludes(Map<Long, Boolean> one, Map<Long, Boolean> other) {
        return one.entrySet().stream()
                .anyMatch(want -> other.containsKey(want.getKey()) && (want.getValue() || other.get(want.getKey())));
    }

    @Test
    void shouldHoldManyMoreLocksThanItHasBuckets() {
        Map<Long, Boolean> wants = new HashMap<>();
        for (long lock = 0; lock < 3_000; lock++) {
            wants.put(lock, lock % 2 == 0);
        }
        Participation all = admit(1, wants);
        Participation last = admit(2, Map.of(2_998L, false));
        Participation shares = admit(3, Map.of(2_999L, false));
        assertThat(ready()).containsExactly(all, shares);
        assertThat(locks.size()).isEqualTo(3_000);
        locks.release(all);
        assertThat(ready()).containsExactly(last);
        locks.release(last);
        locks.release(shares);
        assertThat(locks.size()).isZero();
    }

    // The records that a dead coordinator's transaction may have written stay locked. A participation that
    // needs them must not wait for ever: it is refused. A participation that only waited behind a refused one
    // may go on.
    @Test
    void shouldRefuseParticipationsThatConflictWithAnOrphan() {
        Participation orphan = admit(1, Map.of(1L, true, 2L, false));
        Participation needs = admit(2, Map.of(1L, false, 3L, true));
        Participation behind = admit(3, Map.of(3L, true));
        Participation shares = admit(4, Map.of(2L, false));
        Participation writes = admit(5, Map.of(2L, true));
        assertThat(ready()).containsExactly(orphan, shares);
        locks.orphan(orphan);
        assertThat(ready()).containsExactlyInAnyOrder(needs, behind, writes);
        assertThat(needs.state).isEqualTo(Participation.State.REFUSED);
        assertThat(writes.state).isEqualTo(Participation.State.REFUSED);
        assertThat(behind.state).isEqualTo(Participation.State.READY);
        assertThat(admit(6, Map.of(1L, true)).state).isEqualTo(Participation.State.REFUSED);
        assertThat(admit(7, Map.of(2L, false)).state).isEqualTo(Participation.State.READY);
        assertThat(admit(8, Map.of(2L, true)).state).isEqualTo(Participation.State.REFUSED);
        locks.release(orphan);
        ready();
        assertThat(admit(9, Map.of(1L, true)).state).isEqualTo(Participation.State.READY);
    }
}
