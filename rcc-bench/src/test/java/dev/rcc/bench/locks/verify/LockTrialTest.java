package dev.rcc.bench.locks.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.locks.cluster.LockSchemes;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lock managers keep their promises under any fault plan, and the fault plans inject faults. */
@Execution(ExecutionMode.CONCURRENT) // one manager takes as long as the others together
class LockTrialTest {
    private static final int SEEDS = Integer.getInteger("rcc.verify.seeds", 5);

    static List<LockSchemes.Choice> schemes() {
        return LockSchemes.all();
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void shouldKeepItsPromises(LockSchemes.Choice choice) {
        long[] sums = new long[5];
        LongStream.range(1, 1 + SEEDS).forEach(seed -> {
            LockTrial trial = LockTrial.run(LockScenario.draw(choice, seed));
            assertThat(trial.violations()).as("%s", trial.scenario()).isEmpty();
            assertThat(trial.checked().isClean())
                    .as("%s%n%s", trial.scenario(), trial.checked().report())
                    .isTrue();
            sums[0] += trial.granted();
            sums[1] += trial.checked().history().requests().size();
            sums[2] += trial.resets();
            sums[3] += trial.zeroings();
            sums[4] += trial.deaths();
        });
        assertThat(sums[0]).as("granted of " + sums[1]).isGreaterThan(sums[1] / 8);
        if (choice.name().equals("dslr")) {
            assertThat(sums[2]).as("resets").isPositive();
            assertThat(sums[3]).as("zeroings").isPositive();
            assertThat(sums[4]).as("deaths").isPositive();
        }
    }

    @Test
    void shouldGiveTheSameResultInEachRun() {
        LockScenario scenario = LockScenario.draw(LockSchemes.byName("dslr").orElseThrow(), 7);
        assertThat(LockTrial.run(scenario).checked().history().requests())
                .isEqualTo(LockTrial.run(
                                LockScenario.draw(LockSchemes.byName("dslr").orElseThrow(), 7))
                        .checked()
                        .history()
                        .requests());
    }
}
