package dev.rcc.client.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CommitIdTest {
    private static final int BUCKETS = 1 << 16;

    // Goal: clients whose commits advance together, as those of a busy program do, do not turn a hash table
    // into a list.
    @Test
    void shouldSpreadTheCommitsOfSlotsThatAdvanceTogether() {
        int[] buckets = new int[BUCKETS];
        for (int slot = 0; slot < 64; slot++) {
            for (int number = 1; number <= BUCKETS / 64; number++) {
                int hash = CommitId.of(0x1234_5678_9ABC_8DEFL, slot, number).hashCode();
                buckets[(hash ^ hash >>> 16) & BUCKETS - 1]++; // as java.util.HashMap does
            }
        }
        assertThat(Arrays.stream(buckets).max().orElseThrow()).isLessThan(10);
    }

    @Test
    void shouldBeEqualToTheSameNameOnly() {
        CommitId id = CommitId.of(7, 3, 5);
        assertThat(CommitId.parse(id.toString())).isEqualTo(id).hasSameHashCodeAs(id);
        assertThat(CommitId.of(7, 3, 6)).isNotEqualTo(id);
        assertThat(CommitId.of(7, 4, 5)).isNotEqualTo(id);
        assertThat(CommitId.of(8, 3, 5)).isNotEqualTo(id);
    }
}
