package dev.rcc.bench.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.history.History;
import dev.rcc.bench.history.HistoryBuilder;
import dev.rcc.bench.history.Op;
import dev.rcc.bench.history.SerialHistory;
import dev.rcc.bench.history.Status;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The checker against results that are known otherwise. Every failure names its seed. */
class CheckerPropertyTest {
    private static final long SEED = Long.getLong("rcc.seed", 42);
    private static final int ROUNDS = 2_000;

    @Test
    void shouldAcceptSerialHistories() {
        for (long seed = SEED; seed < SEED + 8; seed++) {
            History history = shuffled(
                    new SerialHistory(seed, "k/", 60, 8).add(3_000, 6, 7).build(), seed);
            CheckResult checked = Checker.check(history, Model.STRICT_SERIALIZABLE);
            assertThat(checked.isClean()).as("seed %s: %s", seed, checked).isTrue();
            assertThat(checked.transactions()).isEqualTo(3_000);
            assertThat(checked.edges()).isGreaterThan(3_000);
        }
    }

    @Test
    void shouldAcceptSerialHistoriesOfWhichSomeOutcomesAreUnknown() {
        for (long seed = SEED; seed < SEED + 8; seed++) {
            History known =
                    new SerialHistory(seed, "k/", 60, 8).add(3_000, 2, 3).build();
            History history = Mutations.someOutcomesUnknown(known, new SplittableRandom(seed));
            CheckResult checked = Checker.check(history, Model.STRICT_SERIALIZABLE);
            assertThat(checked.isClean()).as("seed %s: %s", seed, checked).isTrue();
            assertThat(checked.transactions())
                    .as("some of the unknown transactions do not count")
                    .isBetween(1_500, 2_999);
        }
    }

    // Goal: the checker judges tiny histories, anomalous or not, as trying all orders does. Method: correct
    // histories, of which a version or two were changed.
    @ParameterizedTest
    @EnumSource(Model.class)
    void shouldAgreeWithTryingAllOrders(Model model) {
        SplittableRandom random = new SplittableRandom(SEED);
        int clean = 0;
        int dirty = 0;
        for (int round = 0; round < ROUNDS; round++) {
            History history = new SerialHistory(random.nextLong(), "k", 4, 3)
                    .add(2 + random.nextInt(5), 3, 3)
                    .build();
            for (int mutations = random.nextInt(4); mutations > 0; mutations--) {
                history = Mutations.oneVersion(history, random);
            }
            CheckResult checked = Checker.check(history, model);
            boolean isExplained = BruteForce.explains(history, model);
            String what = "seed " + SEED + ", round " + round + ": " + history + "\n" + checked;
            assertThat(Checker.check(history, model, 0).isClean())
                    .as("without patience, " + what)
                    .isEqualTo(checked.isClean());
            if (isExplained) {
                assertThat(checked.isClean()).as(what).isTrue();
                clean++;
            } else if (!scansWhatWasRemoved(history)) {
                assertThat(checked.isClean()).as(what).isFalse();
                dirty++;
            }
        }
        assertThat(clean).isGreaterThan(ROUNDS / 5);
        assertThat(dirty).isGreaterThan(ROUNDS / 5);
    }

    /** A scan does not record which absence of a key it has seen, if there have been several. */
    private static boolean scansWhatWasRemoved(History history) {
        boolean removes = false;
        for (int op = 0; op < history.ops(); op++) {
            removes |= history.kind(op) == Op.DELETE;
        }
        return removes && history.scans() > 0;
    }

    /** The same transactions, listed in another order. */
    private static History shuffled(History history, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] places = new int[history.size()];
        for (int i = 0; i < places.length; i++) {
            int j = random.nextInt(i + 1);
            places[i] = places[j];
            places[j] = i;
        }
        HistoryBuilder builder = new HistoryBuilder();
        for (int t : places) {
            builder.begin(
                    history.name(t), history.process(t), history.startNanos(t), history.endNanos(t), Status.COMMITTED);
            for (int op = history.opsFrom(t); op < history.opsFrom(t + 1); op++) {
                Mutations.copy(history, op, builder, history.version(op));
            }
        }
        return builder.build();
    }
}
