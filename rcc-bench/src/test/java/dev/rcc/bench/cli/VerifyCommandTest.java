package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.history.History;
import dev.rcc.bench.verify.Scenario;
import dev.rcc.bench.verify.Trial;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyCommandTest {
    private final StringWriter out = new StringWriter();
    private final List<Scenario> ran = new ArrayList<>();

    private int run(Function<Scenario, Trial> runner, String... args) {
        return VerifyCommand.commandLine(scenario -> {
                    ran.add(scenario);
                    return runner.apply(scenario);
                })
                .setOut(new PrintWriter(out, true))
                .execute(args);
    }

    @Test
    void shouldFindNothingWrongWithAFewSeeds() {
        assertThat(run(Trial::run, "--protocol", "nowait,occ", "--seeds", "3")).isEqualTo(Rcc.OK);
        assertThat(ran).extracting(Scenario::seed).containsExactly(1L, 2L, 3L, 1L, 2L, 3L);
        assertThat(out.toString()).containsPattern("nowait +3 +[1-9]").containsPattern("occ +3 +[1-9]");
        assertThat(out.toString()).doesNotContain("ANOMALY");
    }

    @Test
    void shouldNarrowTheChoice() {
        String[] args = {
            "--protocol", "nowait", "--seeds", "5", "--workload", "ycsb", "--code", "1010", "--faults", "fair"
        };
        assertThat(run(Trial::run, args)).isEqualTo(Rcc.OK);
        assertThat(ran).allSatisfy(scenario -> {
            assertThat(scenario.workload().name()).isEqualTo("ycsb");
            assertThat(scenario.code().digits()).isEqualTo("1010");
            assertThat(scenario.weather()).isEqualTo(Scenario.Weather.FAIR);
        });
    }

    @Test
    void shouldShowWhatIsWrongAndHowToReplayIt() {
        History history = History.parse("t1: r(x)0 w(y)1 | t2: r(y)0 w(x)1");
        int code = run(
                scenario -> new Trial(
                        scenario,
                        2,
                        Map.of(),
                        List.of("money is not conserved"),
                        history,
                        Checker.check(history, Model.SERIALIZABLE)),
                "--protocol",
                "waitdie",
                "--faults",
                "rough",
                "--seed",
                "17");
        assertThat(code).isEqualTo(Rcc.FAILED);
        assertThat(ran).hasSize(1);
        assertThat(out.toString())
                .contains(
                        "ANOMALY in waitdie",
                        "money is not conserved",
                        "G2-item",
                        "t1 before t2",
                        "replay: rcc verify --protocol waitdie --faults rough --seed 17");
    }

    // The same seed gives the same history, byte for byte, and 'rcc check' reads it.
    @Test
    void shouldWriteAHistoryThatIsTheSameEachTime(@TempDir Path directory) throws IOException {
        Path first = directory.resolve("first.json");
        Path second = directory.resolve("second.json");
        for (Path file : List.of(first, second)) {
            assertThat(run(Trial::run, "--protocol", "sundial", "--seed", "5", "--history", file.toString()))
                    .isEqualTo(Rcc.OK);
        }
        assertThat(Files.readAllBytes(second)).isEqualTo(Files.readAllBytes(first));
        assertThat(CheckCommand.commandLine().setOut(new PrintWriter(out, true)).execute(first.toString()))
                .isEqualTo(Rcc.OK);
    }
}
