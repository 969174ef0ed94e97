package dev.rcc.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RccClaimsTest {
    /** How the paper's protocols compare at low contention, one-sided. */
    private static final Map<String, Double> SPEED =
            Map.of("nowait", 1.00, "waitdie", 0.99, "occ", 0.95, "mvcc", 0.96, "sundial", 0.90, "calvin", 0.1);
    /** And how much of it they lose for each percent of hot accesses. */
    private static final Map<String, Double> LOSS =
            Map.of("nowait", 0.006, "waitdie", 0.005, "occ", 0.009, "mvcc", 0.003, "sundial", 0.002, "calvin", 0.001);

    // Goal: each claim can come out as true. Method: a lab in which the world is as the paper says.
    @Test
    void shouldFindEveryClaimTrueInAWorldAsThePaperDescribesIt() throws InterruptedException {
        Lab lab = new Lab(RccClaimsTest::asThePaperSays);
        for (Claim claim : RccClaims.all()) {
            Claim.Finding finding = claim.test().decide(lab);
            assertThat(finding.verdict())
                    .as("%s%n%s", claim.text(), String.join("\n", finding.figures()))
                    .isNotEqualTo(Verdict.DOES_NOT_HOLD);
        }
    }

    // Goal: each claim can come out as false. Method: worlds in which nothing is as the paper says.
    @Test
    void shouldFindEveryClaimFalseInSomeWorld() throws InterruptedException {
        Set<String> refuted = new HashSet<>();
        List<Lab> worlds = List.of(
                new Lab(setup -> new Measured(1000, 100, 0)),
                new Lab(RccClaimsTest::oppositeOfThePaper),
                new Lab(RccClaimsTest::wonderfulWorld));
        for (Lab lab : worlds) {
            for (Claim claim : RccClaims.all()) {
                if (claim.test().decide(lab).verdict() == Verdict.DOES_NOT_HOLD) {
                    refuted.add(claim.text());
                }
            }
        }
        assertThat(RccClaims.all())
                .filteredOn(claim -> !claim.criterion().contains("TPC-C"))
                .allSatisfy(claim -> assertThat(refuted).contains(claim.text()));
    }

    @Test
    void shouldRunEachExperimentOnce() throws InterruptedException {
        Set<Setup> seen = new HashSet<>();
        Lab lab = new Lab(setup -> {
            assertThat(seen.add(setup)).as("%s has run already", setup).isTrue();
            return asThePaperSays(setup);
        });
        for (Claim claim : RccClaims.all()) {
            claim.test().decide(lab);
        }
        assertThat(lab.done().keySet()).isEqualTo(seen);
    }

    private static Measured asThePaperSays(Setup setup) {
        double coroutines = setup.coroutines();
        boolean isYcsb = setup.workload().equals("ycsb");
        double speed = 1_000_000 * SPEED.get(setup.protocol());
        if (isYcsb && setup.coroutines() == 1) {
            speed = setup.protocol().equals("occ") ? 1_100_000 : 1_000_000;
        }
        if (isYcsb && setup.hotAccessPercent() == 0 && setup.protocol().equals("occ")) {
            speed = 1_050_000;
        }
        if (!isYcsb && setup.coroutines() == 1) {
            speed = Map.of("nowait", 5.0, "waitdie", 4.0, "mvcc", 3.0, "occ", 2.0, "sundial", 1.0, "calvin", 0.1)
                            .get(setup.protocol())
                    * 1e5;
        }
        double hiding = setup.protocol().equals("calvin") ? 1 : 1 - Math.exp(-coroutines / 3);
        double contention = isYcsb ? 1 - LOSS.get(setup.protocol()) * setup.hotAccessPercent() : 1;
        double computation = isYcsb ? 20 / (20 + setup.computeMicros()) : 1;
        double advantage = 1
                + 0.5
                        * (isYcsb ? computation : 1)
                        * (isYcsb ? 1 - setup.hotAccessPercent() / 200 : 1)
                        * Math.sqrt(4.0 / setup.emulatedNodes());
        double code = switch (setup.code()) {
            case "rpc" -> 1 / advantage;
            case "hybrid" -> setup.coroutines() == 1 ? 1.05 : isYcsb ? 1 : 1 / Math.sqrt(advantage);
            default -> 1;
        };
        double network = setup.network().equals(Setup.TCP) ? setup.protocol().equals("calvin") ? 0.9 : 0.05 : 1;
        return new Measured(speed * hiding * contention * computation * code * network, 10 * coroutines, 0);
    }

    /** Hybrids are beyond compare, and CALVIN grows with every coroutine. */
    private static Measured wonderfulWorld(Setup setup) {
        double hybrid = setup.code().equals("hybrid") ? 10 : 1;
        return new Measured(1000 * hybrid * setup.coroutines(), 100, 0);
    }

    private static Measured oppositeOfThePaper(Setup setup) {
        Measured paper = asThePaperSays(setup);
        return new Measured(1e12 / paper.committedPerSecond(), 1 / paper.latencyMicros(), 0);
    }
}
