package dev.rcc.it.example.punctual;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.verify.Scenario;
import dev.rcc.bench.verify.Trial;
import dev.rcc.core.time.Timestamp;
import dev.rcc.protocols.locking.LockMode;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Runs PUNCTUAL in contended, faulty simulated clusters, as {@code rcc verify} does with the protocols that users can select. */
class PunctualTrialTest {
    private static final long SEED = Long.getLong("rcc.seed", 1);
    private static final int SEEDS = 40;
    private static final long SHORT_NANOS = 50_000;

    /** Scenarios in which attempts are late. Options are not drawn: {@link Punctual#with} would restore the correct rules. */
    private static final Scenario.Wish CALLS_GET_LOST =
            new Scenario.Wish("smallbank"::equals, code -> true, Scenario.FaultKind.PARTITIONED::equals, false);

    private static final PunctualRules TAKING = new PunctualRules(SHORT_NANOS) {
        @Override
        public long grant(long word, LockMode mode, long owner) {
            long lateBy = (Timestamp.clock(owner) - Timestamp.clock(word)) * Timestamp.TICK_NANOS - SHORT_NANOS;
            boolean isLate = !isFree(word) && !isShared(word) && lateBy > 0;
            return super.grant(isLate ? FREE : word, mode, owner);
        }
    };

    @Test
    void shouldBeCleanInEveryScenario() {
        long committed = 0;
        Set<String> options = new HashSet<>();
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            Trial trial = Trial.run(Scenario.draw(new Punctual(), seed, Scenario.Wish.ANYTHING));
            assertThat(trial.violations()).as("%s", trial.scenario()).isEmpty();
            assertThat(trial.checked().isClean()).as("%s", trial).isTrue();
            committed += trial.committed();
            options.add(trial.scenario().options());
        }
        assertThat(committed).as("committed from seed %s", SEED).isPositive();
        assertThat(options).as("options from seed %s", SEED).contains("").hasSizeGreaterThan(1);
    }

    // Goal: the trials detect a broken protocol. Method: the mistake that deadlines invite: a late holder loses its
    // lock.
    @Test
    void shouldNotBeCleanIfLateHoldersLoseTheirLocks() {
        assertThat(LongStream.range(SEED, SEED + SEEDS)
                        .mapToObj(seed -> Trial.run(Scenario.draw(new Punctual(TAKING), seed, CALLS_GET_LOST)))
                        .anyMatch(trial -> !trial.checked().isClean()))
                .as("some of %s seeds from %s show it", SEEDS, SEED)
                .isTrue();
    }
}
