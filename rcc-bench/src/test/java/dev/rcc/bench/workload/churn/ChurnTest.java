package dev.rcc.bench.workload.churn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChurnTest {
    private final Table table =
            new Catalog(new RingPlacement(3, 1), 8, List.of(TableSchema.ofLongKeys(0, "churned", 64, 12))).table(0);

    // Goal: transactions that look in vain for keys meet those that insert others, at leaves that they share.
    @Test
    void shouldCrowdKeysIntoTheFirstLeaves() {
        long[] keys = Churn.hashedKeys(table, 12, 2);
        assertThat(keys).doesNotHaveDuplicates().hasSize(12);
        long[] leaves = Arrays.stream(keys)
                .map(key -> table.layout().leafOffset(KeyHash.of(key)))
                .distinct()
                .sorted()
                .toArray();
        assertThat(leaves)
                .containsExactly(table.layout().leafOffsetAt(0), table.layout().leafOffsetAt(1));
    }

    @Test
    void shouldLeaveKeysWhereTheyAreByChance() {
        assertThat(Churn.hashedKeys(table, 4, 0)).containsExactly(0, 1, 2, 3);
    }
}
