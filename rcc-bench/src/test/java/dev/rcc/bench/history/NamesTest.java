package dev.rcc.bench.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {
    @Test
    void shouldNumberEachTextOnce() {
        Names names = new Names();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 10_000; i++) {
                assertThat(names.intern("t" + i)).isEqualTo(i);
            }
        }
        assertThat(names.size()).isEqualTo(10_000);
        assertThat(names.get(77)).isEqualTo("t77");
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 10, 27, 30})
    void shouldUseAllPartsOfATableOfAnySize(int bits) {
        int mask = (1 << bits) - 1;
        assertThat(IntStream.range(0, 10_000).map(text -> Names.home(("t" + text).hashCode(), mask)))
                .allMatch(home -> home >= 0 && home <= mask)
                .anyMatch(home -> home > mask / 8 * 7)
                .anyMatch(home -> home < mask / 8);
    }
}
