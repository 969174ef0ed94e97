package dev.rcc.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.verify.Scenario.Wish;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.Protocols;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Trials of records that are indexed. */
class IndexTrialTest {
    private static final long SEEDS = Long.getLong("rcc.verify.seeds", 2);
    private static final Wish INDEXES = new Wish(Scenario.INDEXES::equals, code -> true, faults -> true);

    static List<Protocol> protocols() {
        return Protocols.all();
    }

    // Goal: indexes have the entries of their records, and finds miss none, whichever node dies.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldFindNoAnomaly(Protocol protocol) {
        long committed = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            Trial trial = Trial.run(Scenario.draw(protocol, seed, INDEXES));
            assertThat(trial.isClean())
                    .as(
                            "%s%n%s%n%s%nreplay: rcc verify --protocol %s --workload indexes --seed %s",
                            trial.scenario(),
                            trial.violations(),
                            trial.checked().report(),
                            protocol.name(),
                            seed)
                    .isTrue();
            committed += trial.committed();
        }
        assertThat(committed).isGreaterThan(SEEDS * 100);
    }
}
