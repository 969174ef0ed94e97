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

/** Runs EXCLUSIVE in contended, faulty simulated clusters, as {@code rcc verify} does with the protocols that users can select. */
class ExclusiveTrialTest {
    private static final long SEED = Long.getLong("rcc.seed", 1);
    private static final int SEEDS = 20;
    /**
     * Scenarios in which a lock that is never dropped does not cost much: clients that lose nodes give up soon. Under other
     * faults clients try for seconds, and the simulation executes every step of them.
     */
    private static final Scenario.Wish CALLS_GET_LOST =
            new Scenario.Wish("list-append"::equals, ExclusiveTrialTest::locksByRpc, ExclusiveTrialTest::isLossy);

    @Test
    void shouldBeCleanInEveryScenario() {
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

    // Goal: the trials detect a broken protocol. Method: an owner that is not unique. A handler grants an exclusive
    // lock to the owner that it finds in the word: here, to every transaction.
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
