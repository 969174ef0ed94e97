package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.client.wire.CommitId;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CommitSlotsTest {
    private final CommitSlots slots = new CommitSlots();

    @Test
    void shouldNumberASlotsCommitsOnlyWhenTheLastIsSettled() {
        CommitId first = slots.take();
        CommitId meanwhile = slots.take();
        assertThat(meanwhile.isOfSlotOf(first)).isFalse();
        slots.settled(first);
        CommitId next = slots.take();
        assertThat(next.isOfSlotOf(first)).isTrue();
        assertThat(next.number()).isEqualTo(first.number() + 1);
        assertThat(slots.take().isOfSlotOf(meanwhile))
                .as("of an unknown outcome")
                .isFalse();
    }

    @Test
    void shouldBeginAnotherSessionWhenAllSlotsAreInUse() {
        Set<CommitId> taken = new HashSet<>();
        long session = slots.take().session();
        for (int i = 1; i < CommitId.SLOTS_MAX; i++) {
            taken.add(slots.take());
        }
        assertThat(taken).hasSize(CommitId.SLOTS_MAX - 1).allMatch(id -> id.session() == session);
        CommitId beyond = slots.take();
        assertThat(beyond.session()).isNotEqualTo(session);
        slots.settled(taken.iterator().next()); // of the session before: not used any more
        assertThat(slots.take().session()).isEqualTo(beyond.session());
        assertThat(slots.take().number()).isEqualTo(1);
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
