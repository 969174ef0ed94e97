package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.verify.Scenario;
import dev.rcc.bench.verify.Scenario.FaultKind;
import dev.rcc.bench.verify.Trial;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.simulation.Windows;
import dev.rcc.transport.sim.Faults;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The first seeds of {@code rcc verify}, under every protocol: no anomaly. {@code -Drcc.verify.seeds=N} has N of each
 * protocol, {@code -Drcc.seed=S} begins with another one.
 */
class VerifyTest {
    private static final long SEEDS = Long.getLong("rcc.verify.seeds", 12);
    private static final long FIRST = Long.getLong("rcc.seed", 1);
    /** Lost nodes are not replaced. */
    static final Set<FaultKind> UNREPLACED =
            EnumSet.of(FaultKind.ROUGH, FaultKind.FAIR, FaultKind.PARTITIONED, FaultKind.DEADLY);

    static List<Protocol> protocols() {
        return Protocols.all();
    }

    /** The options are those, beside protocol and seed, with which {@code rcc verify} draws the same again. */
    private static void assertClean(Trial trial, String options) {
        assertThat(trial.isClean())
                .as(
                        "%s%n%s%n%s%nreplay: rcc verify --protocol %s%s --seed %s",
                        trial.scenario(),
                        trial.violations(),
                        trial.checked().report(),
                        trial.scenario().protocol().name(),
                        options,
                        trial.scenario().seed())
                .isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("protocols")
    void shouldFindNoAnomaly(Protocol protocol) {
        long committed = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            Trial trial = Trial.run(Scenario.draw(protocol, seed, Scenario.Wish.ANYTHING));
            assertClean(trial, "");
            committed += trial.committed();
        }
        assertThat(committed).as("transactions that committed").isGreaterThan(SEEDS * 40);
    }

    // Goal: phantoms among strings are found as those among numbers are. Even seeds scan strings.
    @ParameterizedTest(name = "{0}")
    @MethodSource("protocols")
    void shouldFindNoPhantomAmongStrings(Protocol protocol) {
        Scenario.Wish scans = new Scenario.Wish(name -> name.equals("ycsb-e"), code -> true, faults -> true);
        for (long seed = FIRST * 2; seed < FIRST * 2 + SEEDS / 2; seed += 2) {
            Trial trial = Trial.run(Scenario.draw(protocol, seed, scans));
            assertThat(trial.scenario().toString()).contains("ycsb-e of strings");
            assertClean(trial, " --workload ycsb-e");
        }
    }

    // Method: a node dies in every one of these clusters; transactions that need it wait, and all of them
    // end. Acknowledged writes are there afterwards, no lock is left, the copies that are left are equal.
    @ParameterizedTest(name = "{0}")
    @MethodSource("protocols")
    void shouldLoseNothingWhenANodeIsLost(Protocol protocol) {
        Scenario.Wish deaths = new Scenario.Wish(name -> true, code -> true, faults -> faults == FaultKind.FAILOVER);
        long committed = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS / 2; seed++) {
            Trial trial = Trial.run(Scenario.draw(protocol, seed, deaths));
            assertClean(trial, " --faults failover");
            assertThat(trial.faults().get(Faults.Kind.CRASH)).isEqualTo(1);
            committed += trial.committed();
        }
        assertThat(committed).as("transactions that committed").isGreaterThan(SEEDS / 2 * 40);
    }

    // Goal: the locks that a dead node has held under a lock manager without leases, and its places in that
    // manager's queues, end with the configuration.
    @ParameterizedTest
    @ValueSource(strings = {"traditional", "traditional-ro", "drtm", "retry-on-fail", "n-cosed"})
    void shouldFreeLocksOfALostNodeUnderAnyLockManager(String manager) {
        Scenario.Wish deaths = new Scenario.Wish(
                name -> true,
                code -> true,
                faults -> faults == FaultKind.FAILOVER,
                true,
                Map.of("dslr.manager", manager));
        long committed = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS / 6; seed++) {
            Trial trial = Trial.run(Scenario.draw(Protocols.byName("dslr"), seed, deaths));
            assertClean(trial, " -O dslr.manager=" + manager + " --faults failover");
            committed += trial.committed();
        }
        assertThat(committed).as("transactions that committed").isGreaterThan(SEEDS / 6 * 40);
    }

    // Goal: data centres are lost whole, come back, and lose each other, and the same promises hold as with
    // nodes.
    @ParameterizedTest(name = "{0}")
    @MethodSource("protocols")
    void shouldLoseNothingWhenDataCentresAreLost(Protocol protocol) {
        Scenario.Wish zones = new Scenario.Wish(
                name -> true, code -> true, faults -> faults == FaultKind.DATACENTER || faults == FaultKind.SPLIT);
        long lost = 0;
        long splits = 0;
        for (long seed = FIRST; seed < FIRST + SEEDS / 4 + 1; seed++) {
            Trial trial = Trial.run(Scenario.draw(protocol, seed, zones));
            assertClean(trial, " --faults datacenter,split");
            lost += trial.windows().getOrDefault(Windows.ZONE_LOST, 0L)
                    + trial.windows().getOrDefault(Windows.ZONE_SUSPECTED, 0L);
            splits += trial.faults().get(Faults.Kind.SPLIT) + trial.faults().get(Faults.Kind.ONE_WAY_SPLIT);
        }
        assertThat(lost).as("data centres lost").isPositive();
        assertThat(splits).as("data centres split").isPositive();
    }

    // A node that was to be taken in cut an absent one off; the others gave up taking it in, took the absent one back
    // first, and could never take it in then, as it did not reach that one.
    @Test
    void shouldTakeANodeInThatHasCutOffAnAbsentOneWhichCameBackFirst() {
        Scenario.Wish zones = new Scenario.Wish(
                name -> true, code -> true, faults -> faults == FaultKind.DATACENTER || faults == FaultKind.SPLIT);
        Trial trial = Trial.run(Scenario.draw(Protocols.byName("nowait"), 34, zones));
        assertThat(trial.violations()).isEmpty();
    }

    // A node that was cut off came back with locks of a transaction that had ended, and later ones of the
    // same coroutine took these locks for their own.
    @Test
    void shouldNotWriteUnderALockThatAnEarlierTransactionCouldNotDrop() {
        Scenario.Wish scans = new Scenario.Wish("ycsb-e"::equals, code -> true, UNREPLACED::contains, false);
        Trial trial = Trial.run(Scenario.draw(Protocols.byName("sundial"), 5, scans));
        assertThat(trial.checked().findings()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1051, 1061, 1197})
    void shouldNotReadUnderALockThatAnEarlierTransactionCouldNotDrop(long seed) {
        Scenario.Wish cutLinks = new Scenario.Wish(
                name -> !name.equals("churn"), code -> true, faults -> faults == FaultKind.PARTITIONED, false);
        Trial trial = Trial.run(Scenario.draw(Protocols.byName("sundial"), seed, cutLinks));
        assertThat(trial.checked().findings()).isEmpty();
    }
}
