package dev.rcc.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.verify.Scenario.Wish;
import dev.rcc.bench.verify.clients.ClientWindows;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.Protocols;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Trials of clients at gateways. */
class ClientTrialTest {
    private static final long SEEDS = Long.getLong("rcc.verify.seeds", 2);
    private static final Wish CLIENTS = new Wish(Scenario.CLIENTS::equals, code -> true, faults -> true);

    static List<Protocol> protocols() {
        return Protocols.all();
    }

    private static Trial run(Protocol protocol, long seed) {
        Trial trial = Trial.run(Scenario.draw(protocol, seed, CLIENTS));
        assertThat(trial.isClean())
                .as(
                        "%s%n%s%n%s%nreplay: rcc verify --protocol %s --workload clients --seed %s",
                        trial.scenario(), trial.violations(), trial.checked().report(), protocol.name(), seed)
                .isTrue();
        return trial;
    }

    // Goal: commits take effect at most once and as reported to clients, whichever node dies; and the trials
    // reach the states in which that is hard.
    @Test
    void shouldFindNoAnomalyAndHitAllClientWindows() {
        Set<String> windows = new HashSet<>();
        for (Protocol protocol : Protocols.all()) {
            long committed = 0;
            for (long seed = 1; seed <= SEEDS; seed++) {
                Trial trial = run(protocol, seed);
                windows.addAll(trial.windows().keySet());
                committed += trial.committed();
            }
            assertThat(committed).as(protocol.name()).isGreaterThan(SEEDS * 100);
        }
        assertThat(windows).containsAll(ClientWindows.ALL);
    }

    @Test
    void shouldGiveTheSameResultWithTheSameSeed() {
        Scenario scenario = Scenario.draw(Protocols.byName("nowait"), 7, CLIENTS);
        Trial first = Trial.run(scenario);
        Trial second = Trial.run(Scenario.draw(Protocols.byName("nowait"), 7, CLIENTS));
        assertThat(second.windows()).isEqualTo(first.windows());
        assertThat(second.faults()).isEqualTo(first.faults());
        assertThat(second.history().size()).isEqualTo(first.history().size());
    }

    // A key that a client had looked for in vain, within a range that it had scanned for update, was fetched
    // as absent by an optimistic attempt, and then turned up in the range: the client got the error that the
    // server had failed.
    @ParameterizedTest
    @CsvSource({"occ, 112", "occ, 129", "occ, 158", "sundial, 136"})
    void shouldBeSerializableIfAKeyIsInsertedIntoARangeScannedForUpdate(String protocol, long seed) {
        run(Protocols.byName(protocol), seed);
    }
}
