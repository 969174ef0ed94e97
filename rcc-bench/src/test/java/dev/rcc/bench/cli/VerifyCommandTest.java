package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.check.Checker;
import dev.rcc.bench.check.Model;
import dev.rcc.bench.driver.Manifest;
import dev.rcc.bench.history.History;
import dev.rcc.bench.verify.Scenario;
import dev.rcc.bench.verify.Trial;
import dev.rcc.protocols.mvcc.Mvcc;
import dev.rcc.transport.sim.Faults;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyCommandTest {
    private final StringWriter out = new StringWriter();
    private final List<Scenario> ran = Collections.synchronizedList(new ArrayList<>());

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
        assertThat(ran)
                .extracting(Scenario::seed)
                .as("each seed has a second trial")
                .containsExactlyInAnyOrder(1L, 1L, 2L, 2L, 3L, 3L, 1L, 1L, 2L, 2L, 3L, 3L);
        assertThat(out.toString()).containsPattern("nowait +3 +[1-9]").containsPattern("occ +3 +[1-9]");
        assertThat(out.toString()).doesNotContain("ANOMALY");
    }

    // Goal: the line that is printed for a seed's second trial replays that trial.
    @Test
    void shouldRunClientsAndIndexesBesideSomeSeeds() {
        Function<Scenario, Trial> clientsAreDirty = scenario -> {
            Trial trial = dirtyEveryThird(scenario);
            boolean isOfClients = scenario.workload().name().equals(Scenario.CLIENTS);
            return new Trial(
                    scenario,
                    trial.committed(),
                    trial.faults(),
                    Map.of("w", 1L),
                    isOfClients ? List.of("told twice") : List.of(),
                    trial.history(),
                    trial.checked());
        };
        assertThat(run(clientsAreDirty, "--protocol", "occ", "--seeds", "5")).isEqualTo(Rcc.FAILED);
        assertThat(ran)
                .filteredOn(scenario -> scenario.workload().name().equals(Scenario.CLIENTS))
                .singleElement()
                .extracting(Scenario::seed)
                .isEqualTo(4L);
        assertThat(out.toString())
                .contains("told twice", "replay: rcc verify --protocol occ --workload clients --seed 4")
                .containsPattern("occ +5 +50 +1 ")
                .contains("windows hit: 10 w");
        assertThat(ran)
                .filteredOn(scenario -> scenario.workload().name().equals(Scenario.INDEXES))
                .extracting(Scenario::seed)
                .containsExactlyInAnyOrder(1L, 5L);
        ran.clear();
        run(clientsAreDirty, "--protocol", "occ", "--workload", "clients", "--seed", "4");
        assertThat(ran).singleElement().asString().contains(" clients ", "seed 4");
    }

    // Goal: the line that is printed for a seed's other second trial replays that trial.
    @Test
    void shouldRunTransactionsThatReadFirstBesideEveryFourthSeed() {
        Function<Scenario, Trial> readFirstIsDirty = scenario -> {
            Trial trial = dirtyEveryThird(scenario);
            boolean readsFirst = scenario.toString().contains(" churn that reads first ");
            return new Trial(
                    scenario,
                    trial.committed(),
                    trial.faults(),
                    Map.of(),
                    readsFirst ? List.of("written twice") : List.of(),
                    trial.history(),
                    trial.checked());
        };
        assertThat(run(readFirstIsDirty, "--protocol", "nowait", "--seeds", "9"))
                .isEqualTo(Rcc.FAILED);
        assertThat(ran)
                .filteredOn(scenario -> scenario.toString().contains("reads first"))
                .extracting(Scenario::seed)
                .containsExactlyInAnyOrder(2L, 6L);
        assertThat(out.toString())
                .contains("written twice", "replay: rcc verify --protocol nowait --workload read-first --seed 6");
        ran.clear();
        run(readFirstIsDirty, "--protocol", "nowait", "--workload", "read-first", "--seed", "6");
        assertThat(ran).singleElement().asString().contains(" churn that reads first ", "seed 6");
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
            assertThat(scenario.faults()).isEqualTo(Scenario.FaultKind.FAIR);
        });
    }

    // Goal: a given option is not drawn; the other options are, and the line that replays a seed has the
    // given ones.
    @Test
    void shouldTakeOptionsOfAProtocol() {
        String[] args = {"--protocol", "mvcc", "-O", "mvcc.versions=2", "--seeds", "40", "--workload", "ycsb"};
        assertThat(run(VerifyCommandTest::dirtyEveryThird, args)).isEqualTo(Rcc.FAILED);
        assertThat(ran)
                .extracting(scenario -> ((Mvcc) scenario.protocol()).chosen())
                .allSatisfy(chosen -> assertThat(chosen.versions()).isEqualTo(2))
                .anySatisfy(chosen -> assertThat(chosen.pendingWaits()).isZero())
                .anySatisfy(chosen -> assertThat(chosen.adjustsClocks()).isFalse());
        assertThat(out.toString())
                .contains("replay: rcc verify --protocol mvcc --workload ycsb -O mvcc.versions=2 --seed 3");
    }

    @Test
    void shouldRefuseOptionsThatNoProtocolToVerifyHas() {
        StringWriter err = new StringWriter();
        int code = VerifyCommand.commandLine(VerifyCommandTest::dirtyEveryThird)
                .setErr(new PrintWriter(err, true))
                .execute("--protocol", "mvcc", "-O", "waitdie.wait-ms=2");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains("-O: got 'waitdie.wait-ms=2', allowed: options of mvcc");
    }

    // Goal: no trial waits for ever for a lock that only a next configuration frees, when there is none.
    @Test
    void shouldNotHuntALockManagerWithoutLeasesWhereNothingMakesUpForALoss() {
        List<Scenario.FaultKind> forGood = List.of(Scenario.FaultKind.PARTITIONED, Scenario.FaultKind.DEADLY);
        String[] args = {"--protocol", "dslr", "--seeds", "40", "-O", "dslr.manager=dslr"};
        run(VerifyCommandTest::dirtyEveryThird, args);
        assertThat(ran).extracting(Scenario::faults).containsAll(forGood);
        ran.clear();
        args[args.length - 1] = "dslr.manager=n-cosed";
        run(VerifyCommandTest::dirtyEveryThird, args);
        assertThat(ran).extracting(Scenario::faults).doesNotContainAnyElementsOf(forGood);
        StringWriter err = new StringWriter();
        int code = VerifyCommand.commandLine(VerifyCommandTest::dirtyEveryThird)
                .setErr(new PrintWriter(err, true))
                .execute("--protocol", "dslr", "-O", "dslr.manager=drtm", "--faults", "fair,deadly");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString())
                .contains("--faults: got 'fair,deadly', allowed: of rough, failover")
                .contains("only in the next configuration");
    }

    @Test
    void shouldRefuseACodeUnderWhichALockManagerDoesNotRun() {
        StringWriter err = new StringWriter();
        int code = VerifyCommand.commandLine(VerifyCommandTest::dirtyEveryThird)
                .setErr(new PrintWriter(err, true))
                .execute("--protocol", "dslr", "-O", "dslr.manager=traditional", "--code", "one-sided");
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains("--code: dslr.manager: got 'traditional' with lock=one-sided");
    }

    @Test
    void shouldPrintTheAnomalyAndTheCommandToReplayIt() {
        History history = History.parse("t1: r(x)0 w(y)1 | t2: r(y)0 w(x)1");
        int code = run(
                scenario -> new Trial(
                        scenario,
                        2,
                        Map.of(),
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

    // Goal: no history replaces another one.
    @Test
    void shouldRefuseAHistoryOfSeveralSeedsOrProtocols(@TempDir Path directory) {
        Path file = directory.resolve("history.json");
        for (String several : List.of("--protocol all --seed 3", "--protocol occ --seeds 2", "--locks all --seed 3")) {
            StringWriter err = new StringWriter();
            int code = VerifyCommand.commandLine(VerifyCommandTest::dirtyEveryThird)
                    .setErr(new PrintWriter(err, true))
                    .execute((several + " --history " + file).split(" "));
            assertThat(code).as(several).isEqualTo(Rcc.BAD_INPUT);
            assertThat(err.toString()).contains("--history: got '" + file + "' for ");
            assertThat(file).doesNotExist();
        }
    }

    // Goal: of a seed with several trials, the history of the one that failed is kept.
    @Test
    void shouldWriteTheHistoryOfTheTrialThatFailed(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("history.json");
        Function<Scenario, Trial> clientsAreDirty = scenario -> {
            boolean isOfClients = scenario.workload().name().equals(Scenario.CLIENTS);
            History history = History.parse(isOfClients ? "t1: w(x)1 | t2: w(y)1 | t3: w(z)1" : "t1: w(x)1");
            return new Trial(
                    scenario,
                    1,
                    Map.of(),
                    Map.of(),
                    isOfClients ? List.of("told twice") : List.of(),
                    history,
                    Checker.check(history, Model.SERIALIZABLE));
        };
        String[] args = {"--protocol", "occ", "--seed", "4", "--history", file.toString()};
        assertThat(run(clientsAreDirty, args)).isEqualTo(Rcc.FAILED);
        assertThat(ran).as("trials").hasSize(2);
        assertThat(History.read(file).size()).isEqualTo(3);
        assertThat(run(VerifyCommandTest::dirtyEveryThird, args)).isEqualTo(Rcc.OK);
        assertThat(History.read(file).size()).as("of the first trial").isEqualTo(1);
    }

    /** The output, without the time that it took. */
    private String printed() {
        String text = out.toString().replaceAll("\\d+ seeds in .*", "");
        out.getBuffer().setLength(0);
        return text;
    }

    private static Trial dirtyEveryThird(Scenario scenario) {
        List<String> violations = scenario.seed() % 3 == 0 ? List.of("seed " + scenario.seed() + " is bad") : List.of();
        Map<Faults.Kind, Long> faults = new EnumMap<>(Map.of(Faults.Kind.CRASH, scenario.seed()));
        History history = History.parse("t1: w(x)1");
        return new Trial(
                scenario, 5, faults, Map.of(), violations, history, Checker.check(history, Model.SERIALIZABLE));
    }

    @Test
    void shouldPrintTheSameHoweverManyTrialsRunAtATime() {
        String[] args = {"--protocol", "occ,mvcc", "--seeds", "25", "--threads", "1"};
        assertThat(run(VerifyCommandTest::dirtyEveryThird, args)).isEqualTo(Rcc.FAILED);
        String one = printed();
        args[args.length - 1] = "5";
        assertThat(run(VerifyCommandTest::dirtyEveryThird, args)).isEqualTo(Rcc.FAILED);
        assertThat(printed()).isEqualTo(one).contains("seed 24 is bad");
    }

    @Test
    void shouldRunTheGreatestSeed() {
        String seed = Long.toString(Long.MAX_VALUE);
        run(VerifyCommandTest::dirtyEveryThird, "--protocol", "occ", "--seed", seed);
        assertThat(ran).isNotEmpty().extracting(Scenario::seed).containsOnly(Long.MAX_VALUE);
    }

    @Test
    void shouldResumeFromTheFileAndPrintTheSameResult(@TempDir Path directory) {
        String file = directory.resolve("hunt.json").toString();
        run(VerifyCommandTest::dirtyEveryThird, "--protocol", "occ", "--seeds", "10");
        String whole = printed();
        run(VerifyCommandTest::dirtyEveryThird, "--protocol", "occ", "--seeds", "6", "--resume", file);
        printed();
        ran.clear();
        String[] args = {"--protocol", "occ", "--seeds", "10", "--resume", file};
        assertThat(run(VerifyCommandTest::dirtyEveryThird, args)).isEqualTo(Rcc.FAILED);
        assertThat(ran)
                .extracting(Scenario::seed)
                .as("each seed has a second trial")
                .containsExactlyInAnyOrder(7L, 7L, 8L, 8L, 9L, 9L, 10L, 10L);
        assertThat(printed()).isEqualTo(whole);
    }

    @Test
    void shouldRejectResumingTheHuntOfAnotherBuildAndLeaveItsFile(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("hunt.json");
        String[] args = {"--protocol", "occ", "--seeds", "1", "--resume", file.toString()};
        run(VerifyCommandTest::dirtyEveryThird, args);
        String commit = Manifest.here().commit();
        String other = Files.readString(file).replace("\"commit\":\"" + commit + "\"", "\"commit\":\"other\"");
        Files.writeString(file, other);
        StringWriter err = new StringWriter();
        int code = VerifyCommand.commandLine(VerifyCommandTest::dirtyEveryThird)
                .setErr(new PrintWriter(err, true))
                .execute(args);
        assertThat(code).isEqualTo(Rcc.BAD_INPUT);
        assertThat(err.toString())
                .contains("--resume: got '" + file + "', allowed: a new file, or one of the same build and options (")
                .contains("(other), this build is");
        assertThat(Files.readString(file)).isEqualTo(other);
    }

    @Test
    void shouldRejectResumingWithAnotherChoice(@TempDir Path directory) {
        String file = directory.resolve("hunt.json").toString();
        StringWriter err = new StringWriter();
        run(VerifyCommandTest::dirtyEveryThird, "--protocol", "occ", "--seeds", "1", "--resume", file);
        int code = VerifyCommand.commandLine(VerifyCommandTest::dirtyEveryThird)
                .setErr(new PrintWriter(err, true))
                .execute("--protocol", "occ", "--seeds", "2", "--faults", "fair", "--resume", file);
        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains("was written by a hunt without a choice, this hunt is with --faults fair");
        assertThat(ran).extracting(Scenario::seed).as("of the hunt before").containsOnly(1L);
    }
}
