package dev.rcc.bench.workload.smallbank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MixTest {
    private static final long SEED = 7;
    private static final int DRAWS = 100_000;

    @Test
    void shouldDrawEachKindByItsWeight() {
        Map<SmallBank.Kind, Integer> counts = draw(new Mix(15, 15, 15, 25, 15, 15));
        counts.forEach((kind, count) -> assertThat((double) count / DRAWS)
                .as("%s, seed %d", kind, SEED)
                .isCloseTo(kind == SmallBank.Kind.SEND_PAYMENT ? 0.25 : 0.15, within(0.01)));
        assertThat(counts).hasSize(6);
    }

    @Test
    void shouldNeverDrawAKindWithoutWeight() {
        assertThat(draw(new Mix(0, 3, 0, 0, 1, 0)))
                .containsOnlyKeys(SmallBank.Kind.BALANCE, SmallBank.Kind.TRANSACT_SAVINGS);
    }

    // The mix of RCC (6.1).
    @Test
    void shouldHaveTheWeightsOfThePaperByDefault() {
        assertThat(SmallBank.WEIGHTS.values().stream().map(option -> option.key() + " " + option.defaultValue()))
                .containsExactly(
                        "amalgamate 15",
                        "balance 15",
                        "deposit-checking 15",
                        "send-payment 25",
                        "transact-savings 15",
                        "write-check 15");
    }

    private static Map<SmallBank.Kind, Integer> draw(Mix mix) {
        SplittableRandom random = new SplittableRandom(SEED);
        Map<SmallBank.Kind, Integer> counts = new EnumMap<>(SmallBank.Kind.class);
        for (int i = 0; i < DRAWS; i++) {
            counts.merge(mix.next(random), 1, Integer::sum);
        }
        return counts;
    }
}
