package dev.rcc.it.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.verify.Scenario;
import dev.rcc.bench.verify.Trial;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.locking.LockingProtocol;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** EXCLUSIVE in simulated clusters that are likely to go wrong: what {@code rcc verify} does with what users can pick. */
class ExclusiveTrialTest {
    private static final long SEED = Long.getLong("rcc.seed", 1);
    private static final int SEEDS = 20;
    /**
     * Where a lock that nobody drops any more does not cost much: clients who lose nodes give up soon, those of other faults try
     * for seconds, of which the simulation does every step.
     */
    private static final Scenario.Wish CALLS_GET_LOST =
            new Scenario.Wish("list-append"::equals, ExclusiveTrialTest::locksByRpc, ExclusiveTrialTest::isLossy);

    @Test
    void shouldBeCleanWhateverTheScenario() {
        long committed = 0;
        long faults = 0;
        for (long seed = SEED; seed < SEED + SEEDS; seed++) {
            Trial trial = Trial.run(Scenario.draw(new Exclusive(), seed, Scenario.Wish.ANYTHING));
            assertThat(trial.violations()).as("%s", trial.scenario()).isEmpty();
            assertThat(trial.checked().isClean()).as("%s", trial).isTrue();
            committed += trial.committed();
            faults +=
                    trial.faults().values().stream().mapToLong(Long::longValue).sum();
        }
        assertThat(committed).as("committed from seed %s", SEED).isPositive();
        assertThat(faults).as("faults from seed %s", SEED).isPositive();
    }

    // Goal: the trials would notice. Method: an owner that is not unique. A lock RPC may come twice, so a handler
    // grants an
    // exclusive lock to the owner that it finds in the word: here, to everybody.
    @Test
    void shouldNotBeCleanIfOwnersAreNotUnique() {
        assertThat(LongStream.range(SEED, SEED + SEEDS)
                        .mapToObj(seed -> Trial.run(Scenario.draw(new Indistinct(), seed, CALLS_GET_LOST)))
                        .anyMatch(trial -> !trial.isClean()))
                .as("some of %s seeds from %s show it", SEEDS, SEED)
                .isTrue();
    }

    private static boolean locksByRpc(HybridCode code) {
        return code.digits().startsWith("0");
    }

    private static boolean isLossy(Scenario.FaultKind faults) {
        return faults == Scenario.FaultKind.PARTITIONED || faults == Scenario.FaultKind.DEADLY;
    }

    /** EXCLUSIVE with a hole. */
    private static final class Indistinct extends LockingProtocol {
        Indistinct() {
            super(new ExclusiveRules() {
                @Override
                public long owner(Transaction txn) {
                    return Timestamp.of(1, 0, 0);
                }
            });
        }

        @Override
        public String name() {
            return "indistinct";
        }
    }
}
