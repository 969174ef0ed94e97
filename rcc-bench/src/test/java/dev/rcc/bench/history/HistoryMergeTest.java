package dev.rcc.bench.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import java.util.List;
import org.junit.jupiter.api.Test;

class HistoryMergeTest {
    private static History skewed(String name, String read, String written) {
        return new HistoryBuilder()
                .initialVersion(1)
                .begin(name, name, 10, 20, Status.COMMITTED)
                .read(read, 1)
                .write(written, name.hashCode())
                .build();
    }

    // Each part by itself is fine: the anomaly shows only when all parts are checked together.
    @Test
    void shouldShowAnAnomalyThatSpansParts() {
        History one = skewed("a", "x", "y");
        History other = skewed("b", "y", "x");
        assertThat(Checker.check(one, Model.SERIALIZABLE).isClean()).isTrue();
        assertThat(Checker.check(other, Model.SERIALIZABLE).isClean()).isTrue();
        History merged = HistoryMerge.of(List.of(one, other));
        assertThat(merged.size()).isEqualTo(2);
        assertThat(Checker.check(merged, Model.SERIALIZABLE).isClean()).isFalse();
    }

    @Test
    void shouldOrderTransactionsByTheirEndAndKeepAllOfThem() {
        HistoryBuilder even = new HistoryBuilder();
        HistoryBuilder odd = new HistoryBuilder();
        for (int i = 0; i < 10; i++) {
            (i % 2 == 0 ? even : odd)
                    .begin("t" + i, "p" + i % 2, i, i + 1, Status.COMMITTED)
                    .write("k", i + 1);
        }
        History merged = HistoryMerge.of(List.of(odd.build(), new HistoryBuilder().build(), even.build()));
        assertThat(merged.size()).isEqualTo(10);
        for (int i = 0; i < 10; i++) {
            assertThat(merged.name(i)).isEqualTo("t" + i);
            assertThat(merged.process(i)).isEqualTo("p" + i % 2);
            assertThat(merged.startNanos(i)).isEqualTo(i);
            assertThat(merged.version(merged.opsFrom(i))).isEqualTo(i + 1);
        }
    }

    @Test
    void shouldStayIncompleteWhenAPartIs() {
        History part = new HistoryBuilder().incomplete("node 1 died").build();
        assertThat(HistoryMerge.of(List.of(part, new HistoryBuilder().build())).incomplete())
                .isEqualTo("node 1 died");
    }
}
