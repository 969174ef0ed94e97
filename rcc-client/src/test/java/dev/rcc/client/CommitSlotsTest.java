package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Wire;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class CommitSlotsTest {
    private final CommitSlots slots = new CommitSlots();

    @Test
    void shouldNumberASlotsCommitsOnlyWhenTheLastIsSettled() {
        CommitId first = slots.take(CommitId.ANYWHERE);
        CommitId meanwhile = slots.take(CommitId.ANYWHERE);
        assertThat(meanwhile.isOfSlotOf(first)).isFalse();
        slots.settled(first);
        CommitId next = slots.take(CommitId.ANYWHERE);
        assertThat(next.isOfSlotOf(first)).isTrue();
        assertThat(next.number()).isEqualTo(first.number() + 1);
        assertThat(slots.take(CommitId.ANYWHERE).isOfSlotOf(meanwhile))
                .as("of an unknown outcome")
                .isFalse();
    }

    @Test
    void shouldBeginAnotherSessionWhenAllSlotsAreInUse() {
        Set<CommitId> taken = new HashSet<>();
        long session = slots.take(CommitId.ANYWHERE).session();
        for (int i = 1; i < CommitId.SLOTS_MAX; i++) {
            taken.add(slots.take(CommitId.ANYWHERE));
        }
        assertThat(taken).hasSize(CommitId.SLOTS_MAX - 1).allMatch(id -> id.session() == session);
        CommitId beyond = slots.take(CommitId.ANYWHERE);
        assertThat(beyond.session()).isNotEqualTo(session);
        slots.settled(taken.iterator().next()); // of the session before: not used any more
        assertThat(slots.take(CommitId.ANYWHERE).session()).isEqualTo(beyond.session());
        assertThat(slots.take(CommitId.ANYWHERE).number()).isEqualTo(1);
    }

    @Test
    void shouldHaveASessionForEachPartition() {
        CommitId one = slots.take(1);
        CommitId other = slots.take(Wire.PARTITIONS_MAX - 1);
        CommitId anywhere = slots.take(CommitId.ANYWHERE);
        assertThat(List.of(one, other, anywhere))
                .extracting(CommitId::partition)
                .containsExactly(1, Wire.PARTITIONS_MAX - 1, CommitId.ANYWHERE);
        assertThat(List.of(one, other, anywhere)).extracting(CommitId::session).doesNotHaveDuplicates();
        slots.settled(other);
        assertThat(slots.take(1).isOfSlotOf(one)).isFalse();
        assertThat(slots.take(Wire.PARTITIONS_MAX - 1)).isEqualTo(CommitId.of(other.session(), other.slot(), 2));
    }

    // Goal: names that clients of earlier versions have drawn name no partition, and neither do other names
    // that are drawn so.
    @Test
    void shouldKeepPartitionAndRandomBitsApart() {
        assertThat(CommitId.session(-1, 0)).isEqualTo(0xFFFF_FFFF_FFFF_8000L);
        assertThat(CommitId.session(0, Wire.PARTITIONS_MAX - 1)).isEqualTo(0x83FF);
        assertThat(CommitId.session(-1, CommitId.ANYWHERE)).isEqualTo(0xFFFF_FFFF_FFFF_4FFFL);
        assertThat(CommitId.session(0, CommitId.ANYWHERE)).isEqualTo(0x4000);
        for (int i = 0; i < 100; i++) {
            long ofEarlierVersions = UUID.randomUUID().getMostSignificantBits();
            assertThat(CommitId.of(ofEarlierVersions, 0, 1).partition()).isEqualTo(CommitId.ANYWHERE);
        }
        assertThatIllegalArgumentException().isThrownBy(() -> CommitId.newSession(Wire.PARTITIONS_MAX));
        assertThatIllegalArgumentException().isThrownBy(() -> CommitId.newSession(CommitId.ANYWHERE - 1));
    }

    @Test
    void shouldNameCommitsByFieldsThatDoNotTouch() {
        CommitId largest = CommitId.of(-1, CommitId.SLOTS_MAX - 1, (1L << 48) - 1);
        assertThat(largest).isEqualTo(new CommitId(-1, -1));
        assertThat(largest.slot()).isEqualTo(CommitId.SLOTS_MAX - 1);
        assertThat(largest.number()).isEqualTo((1L << 48) - 1);
        assertThat(CommitId.parse(largest.toString())).isEqualTo(largest);
        CommitId smallest = CommitId.of(5, 0, 1);
        assertThat(smallest).isEqualTo(new CommitId(5, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> CommitId.of(0, 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> CommitId.of(5, CommitId.SLOTS_MAX, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> CommitId.of(5, 0, 1L << 48));
        assertThatIllegalArgumentException().isThrownBy(() -> CommitId.of(5, 0, 0));
    }
}
