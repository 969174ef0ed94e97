package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.verify.Scenario;
import dev.rcc.bench.verify.Trial;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.protocols.mvcc.MvccOptions;
import dev.rcc.protocols.mvcc.PrintedMvcc;
import dev.rcc.protocols.sundial.GatedSundial;
import dev.rcc.protocols.sundial.Sundial;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The hunt of {@code rcc verify} would have found the holes that the printed protocols have: with the hole it finds an
 * anomaly, the same for the same seed; without, none on the same seeds.
 */
class MendedHolesTest {
    private static final long SEEDS = 200;

    /**
     * A hole in a protocol.
     *
     * @param name what is wrong
     * @param printed the protocol with the hole
     * @param mended the protocol without
     * @param oneSided the stages that must be one-sided for the hole to be there
     */
    record Hole(String name, Protocol printed, Protocol mended, List<String> oneSided) {
        @Override
        public String toString() {
            return name;
        }

        private Scenario draw(Protocol protocol, long seed) {
            Predicate<HybridCode> code = each -> oneSided.stream()
                    .allMatch(stage -> each.isOneSided(protocol.stages().indexOf(stage)));
            return Scenario.draw(
                    protocol, seed, new Scenario.Wish(workload -> true, code, VerifyTest.UNREPLACED::contains));
        }
    }

    static List<Hole> holes() {
        return List.of(
                // rcc, 4.4
                new Hole(
                        "MVCC: a reader raises rts after it has read",
                        PrintedMvcc.with(MvccOptions.DEFAULT),
                        new Mvcc(MvccOptions.DEFAULT),
                        List.of("fetch")),
                // rcc, 4.5
                new Hole(
                        "SUNDIAL: a renewal raises the lease of what was locked since",
                        GatedSundial.asPrinted(GatedSundial.Gate.OPEN),
                        new Sundial(),
                        List.of("renew", "commit", "release")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("holes")
    void shouldFindTheHoleAndNothingWhereItIsMended(Hole hole) {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Scenario scenario = hole.draw(hole.printed, seed);
            Scenario mended = hole.draw(hole.mended, seed);
            assertThat(mended).hasToString(scenario.toString());
            Trial clean = Trial.run(mended);
            assertThat(clean.isClean())
                    .as("%s: %s %s", mended, clean.violations(), clean.checked().report())
                    .isTrue();
            Trial trial = Trial.run(scenario);
            if (!trial.checked().findings().isEmpty()) { // a violation that only a client has found is not the hole's
                Trial replayed = Trial.run(scenario);
                assertThat(replayed.checked().report())
                        .isEqualTo(trial.checked().report());
                assertThat(replayed.history().size()).isEqualTo(trial.history().size());
                return;
            }
        }
        throw new AssertionError("no anomaly in " + SEEDS + " seeds of " + hole.printed.name() + " with its hole");
    }
}
