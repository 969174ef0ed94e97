package dev.rcc.bench.locks.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.protocols.locks.dslr.Dslr;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Locks that are requested at desks keep the promises of DSLR, under any fault plan. */
class DeskTrialTest {
    private static final int SEEDS = Integer.getInteger("rcc.verify.seeds", 5);

    private static final LockSchemes.Choice DESKS = new LockSchemes.Choice(
            "dslr at desks",
            true,
            0,
            LockSchemes.Rests.ON_LEASES,
            terms -> new DeskScheme(
                    (Dslr) LockSchemes.byName("dslr").orElseThrow().scheme(terms), 1));

    @Test
    void shouldKeepItsPromises() {
        long[] sums = new long[5];
        LongStream.range(1, 1 + SEEDS).forEach(seed -> {
            LockTrial trial = LockTrial.run(LockScenario.draw(DESKS, seed));
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
        assertThat(sums[2]).as("resets").isPositive();
        assertThat(sums[3]).as("zeroings").isPositive();
        assertThat(sums[4]).as("deaths").isPositive();
    }
}
