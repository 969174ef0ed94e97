package dev.rcc.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.verify.Scenario.FaultKind;
import dev.rcc.bench.verify.Scenario.Wish;
import dev.rcc.core.cluster.Zones;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.simulation.Windows;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScenarioTest {
    private static final Wish PLAIN = new Wish(name -> !name.equals("churn"), code -> true, faults -> true, false);

    static List<Protocol> protocols() {
        return Protocols.all();
    }

    private static List<Scenario> draw(Protocol protocol, Wish wish) {
        return LongStream.rangeClosed(1, 200)
                .mapToObj(seed -> Scenario.draw(protocol, seed, wish))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("protocols")
    void shouldDrawEveryWorkloadAndRingsThatLap(Protocol protocol) {
        List<Scenario> drawn = draw(protocol, Wish.ANYTHING);
        assertThat(drawn).extracting(scenario -> scenario.workload().name()).containsAll(Scenario.WORKLOADS);
        assertThat(drawn).extracting(Scenario::logRingBytes).contains(4 * 1024, 64 * 1024);
    }

    // Goal: without churn, a seed finds the same as it did before there was churn.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldDrawTheSameFromASeedWithAndWithoutChurn(Protocol protocol) {
        List<Scenario> plain = draw(protocol, PLAIN);
        List<Scenario> all = draw(protocol, Wish.ANYTHING);
        for (int i = 0; i < all.size(); i++) {
            Scenario now = all.get(i);
            Scenario before = plain.get(i);
            assertThat(now.code().digits()).isEqualTo(before.code().digits());
            assertThat(now.faults()).isEqualTo(before.faults());
            assertThat(List.of(now.nodes(), now.workers(), now.coroutines(), now.transactions()))
                    .isEqualTo(List.of(before.nodes(), before.workers(), before.coroutines(), before.transactions()));
            if (!now.workload().name().equals("churn")) {
                assertThat(now.workload().name()).isEqualTo(before.workload().name());
            }
        }
    }

    // Goal: a seed keeps its meaning; options that came later are drawn beside it.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldDrawOneOfTheOtherWorkloadsBesideEachSeed(Protocol protocol) {
        for (long seed = 0; seed < 100; seed++) {
            String beside =
                    List.of("clients", "indexes", "read-first", "overflow").get((int) (seed % 4));
            Wish alone = new Wish(beside::equals, code -> true, faults -> true);
            assertThat(Scenario.beside(seed)).isEqualTo(beside);
            assertThat(Scenario.second(protocol, seed, Wish.ANYTHING))
                    .get()
                    .hasToString(Scenario.draw(protocol, seed, alone).toString());
            assertThat(Scenario.second(protocol, seed, alone)).isEmpty();
            assertThat(Scenario.second(protocol, seed, new Wish("churn"::equals, code -> true, faults -> true)))
                    .isEmpty();
            Scenario first = Scenario.draw(protocol, seed, Wish.ANYTHING);
            assertThat(first.workload().name()).isIn(Scenario.WORKLOADS);
            assertThat(first.workload().options())
                    .doesNotContainEntry("growth", "1")
                    .doesNotContainEntry("growth", "3");
        }
    }

    // Goal: transactions that all nodes can run are hunted for in trials of their own, under protocols that
    // run them so, and under these alone.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldDrawFragmentsAsAThirdTrial(Protocol protocol) {
        Wish alone = new Wish(Scenario.FRAGMENTS::equals, code -> true, faults -> true);
        for (long seed = 0; seed < 30; seed++) {
            Optional<Scenario> third = Scenario.third(protocol, seed, Wish.ANYTHING);
            if (protocol.name().equals("calvin")) {
                assertThat(third)
                        .get()
                        .hasToString(Scenario.draw(protocol, seed, alone).toString());
                assertThat(third.orElseThrow().fragments()).isNotEmpty();
            } else {
                assertThat(third).isEmpty();
            }
            assertThat(Scenario.third(protocol, seed, new Wish("churn"::equals, code -> true, faults -> true)))
                    .isEmpty();
            assertThat(Scenario.draw(protocol, seed, Wish.ANYTHING).fragments()).isEmpty();
        }
    }

    // Goal: a seed that overflows is the seed's churn in all else.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldOverflowTheTablesOfTheSeedsChurn(Protocol protocol) {
        Wish overflow = new Wish(Scenario.OVERFLOW::equals, code -> true, faults -> true);
        Wish churn = new Wish("churn"::equals, code -> true, faults -> true);
        List<Scenario> drawn = draw(protocol, overflow);
        List<Scenario> plain = draw(protocol, churn);
        for (int i = 0; i < drawn.size(); i++) {
            assertThat(drawn.get(i).workload().options())
                    .doesNotContainEntry("growth", "0")
                    .containsEntry("keys", plain.get(i).workload().options().get("keys"));
            assertThat(plain.get(i).workload().options()).containsEntry("growth", "0");
            assertThat(drawn.get(i).toString().replace(" in tables that overflow", ""))
                    .isEqualTo(plain.get(i).toString());
        }
    }

    // Goal: each kind that was named occurs, also one that is drawn only if it is named.
    @ParameterizedTest
    @ValueSource(strings = {"list-append", "churn", "clients", "indexes", "read-first", "overflow", "fragments"})
    void shouldDrawEachKindOfFaultsThatIsNamed(String workload) {
        Set<FaultKind> named =
                EnumSet.of(FaultKind.FAIR, FaultKind.PARTITIONED, FaultKind.RETURNS, FaultKind.DATACENTER);
        Wish wish = new Wish(workload::equals, code -> true, named::contains);
        assertThat(draw(Protocols.byName("calvin"), wish))
                .extracting(Scenario::faults)
                .hasSameElementsAs(named);
        assertThat(draw(Protocols.byName("calvin"), Wish.ANYTHING))
                .extracting(Scenario::faults)
                .contains(FaultKind.FAIR, FaultKind.PARTITIONED)
                .doesNotContain(FaultKind.RETURNS, FaultKind.DATACENTER);
    }

    @Test
    void shouldDrawOptionsOfProtocolsThatHaveSome() {
        for (String name : List.of("waitdie", "mvcc", "sundial", "calvin")) {
            Set<String> options = draw(Protocols.byName(name), Wish.ANYTHING).stream()
                    .map(Scenario::options)
                    .collect(Collectors.toSet());
            assertThat(options).as(name).contains("").hasSizeGreaterThan(1);
        }
    }

    // Goal: SUNDIAL waits for locks, as by default, also while it holds those of records that it has accessed before.
    @ParameterizedTest
    @ValueSource(strings = {"commit", "execute"})
    void shouldDrawLocksAtAccessWithEachRuleForConflicts(String renews) {
        Set<String> options = draw(Protocols.byName("sundial"), Wish.ANYTHING).stream()
                .map(Scenario::options)
                .filter(each -> each.contains("sundial.locks=access"))
                .filter(each -> each.contains("sundial.renews=execute") == renews.equals("execute"))
                .map(each -> each.contains("sundial.write-conflicts=no-wait") ? "no-wait" : "wait-die")
                .collect(Collectors.toSet());
        assertThat(options).containsExactlyInAnyOrder("no-wait", "wait-die");
    }

    @Test
    void shouldRunChurnOnlyWhenNothingElseIsWanted() {
        Wish churn = new Wish("churn"::equals, code -> true, faults -> true);
        assertThat(draw(Protocols.byName("occ"), churn))
                .extracting(scenario -> scenario.workload().name())
                .containsOnly("churn");
    }

    // Goal: transactions that look for a key in vain meet transactions that insert other keys at leaves that
    // they share; some seeds have keys as they come.
    @Test
    void shouldCrowdTheKeysOfMostChurns() {
        Wish churn = new Wish("churn"::equals, code -> true, faults -> true);
        assertThat(draw(Protocols.byName("occ"), churn))
                .extracting(scenario -> scenario.workload().options().get("leaves"))
                .contains("0", "1", "2");
    }

    // Goal: a seed that reads first is the seed's churn in all else, so that old seeds keep their meaning.
    @ParameterizedTest
    @MethodSource("protocols")
    void shouldReadFirstInTrialsBesideTheOthers(Protocol protocol) {
        Wish churn = new Wish("churn"::equals, code -> true, faults -> true);
        Wish readFirst = new Wish(Scenario.READ_FIRST::equals, code -> true, faults -> true);
        Set<String> percents = new HashSet<>();
        for (long seed = 1; seed <= 60; seed++) {
            Scenario drawn = Scenario.draw(protocol, seed, readFirst);
            assertThat(drawn.toString().replace(" that reads first", ""))
                    .isEqualTo(Scenario.draw(protocol, seed, churn).toString());
            percents.add(drawn.workload().options().get("read-first-percent"));
            assertThat(Scenario.draw(protocol, seed, Wish.ANYTHING).workload().options())
                    .doesNotContainEntry("read-first-percent", "50")
                    .doesNotContainEntry("read-first-percent", "100");
        }
        assertThat(percents).containsExactlyInAnyOrder("50", "100");
        assertThat(Scenario.windows(protocol, readFirst)).isEqualTo(Scenario.windows(protocol, churn));
    }

    // CALVIN's locks are those of its workers: no record shows that it is locked.
    @Test
    void shouldNotWantALinkToBeHealedWithLocksThatNoRecordShows() {
        Wish cuts = new Wish(workload -> true, code -> true, FaultKind.CUTS::equals);
        assertThat(Scenario.windows(Protocols.byName("nowait"), cuts)).contains(Windows.HEALED_WITH_LOCKS);
        assertThat(Scenario.windows(Protocols.byName("calvin"), cuts))
                .contains(Windows.CUT_IN_FAILOVER)
                .doesNotContain(Windows.HEALED_WITH_LOCKS);
    }

    // Goal: where the data centres are given, the distances are those between them. Method: more nodes than a seed
    // draws.
    @Test
    void shouldKeepGivenDataCentresApart() {
        Zones given = Zones.of(List.of("a", "a", "a", "b", "b", "b", "b"));
        Wish split = new Wish("smallbank"::equals, code -> true, FaultKind.SPLIT::equals).in(Optional.of(given));
        for (long seed = 0; seed < 4; seed++) {
            Scenario scenario = Scenario.draw(Protocols.byName("nowait"), seed, split);
            assertThat(scenario.zones()).isEqualTo(given);
            assertThat(Trial.run(scenario).violations()).isEmpty();
        }
    }
}
