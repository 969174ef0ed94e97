package dev.rcc.bench.paper.rcc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.paper.BenchSetup;
import dev.rcc.bench.paper.Claim;
import dev.rcc.bench.paper.Judging;
import dev.rcc.bench.paper.Lab;
import dev.rcc.bench.paper.Measured;
import dev.rcc.bench.paper.Quantity;
import dev.rcc.bench.paper.Setup;
import dev.rcc.bench.paper.Verdict;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RccBookTest {
    private static final int CLAIMS = 35;
    /** Stages, and how long they take by RPC for each microsecond one-sided, as the paper says. */
    private static final Map<String, Double> STAGES =
            Map.of("log", 2.0, "commit", 1.5, "release", 1.5, "renew", 0.5, "fetch", 0.7);

    /** How the paper's protocols compare at low contention, one-sided. */
    private static final Map<String, Double> SPEED =
            Map.of("nowait", 1.00, "waitdie", 0.99, "occ", 0.95, "mvcc", 0.96, "sundial", 0.90, "calvin", 0.1);
    /** And how much of it they lose for each percent of hot accesses. */
    private static final Map<String, Double> LOSS =
            Map.of("nowait", 0.006, "waitdie", 0.005, "occ", 0.009, "mvcc", 0.003, "sundial", 0.002, "calvin", 0.001);

    // Goal: each claim can come out as true. Method: a lab in which the world is as the paper says.
    @Test
    void shouldFindEveryClaimTrueInAWorldAsThePaperDescribesIt() throws InterruptedException {
        assertThat(Judging.judge(RccBook.BOOK, RccBookTest::asThePaperSays))
                .hasSize(CLAIMS)
                .allSatisfy(finding -> assertThat(finding.outcome().verdict())
                        .as("%s%n%s", finding.claim().text(), finding.outcome().rows())
                        .isEqualTo(Verdict.HELD));
    }

    // Goal: each claim can come out as false. Method: worlds in which nothing is as the paper says.
    @Test
    void shouldFindEveryClaimFalseInSomeWorld() throws InterruptedException {
        Set<String> refuted = new HashSet<>();
        List<Lab.Experiment> worlds =
                List.of(setup -> measured(1000, 100), RccBookTest::oppositeOfThePaper, RccBookTest::wonderfulWorld);
        for (Lab.Experiment world : worlds) {
            Judging.judge(RccBook.BOOK, world).stream()
                    .filter(finding -> finding.outcome().verdict() == Verdict.NOT_HELD)
                    .forEach(finding -> refuted.add(finding.claim().text()));
        }
        List<Claim> claims = RccBook.BOOK.sections().stream()
                .flatMap(section -> section.claims().stream())
                .filter(claim -> claim.criterion().isPresent())
                .toList();
        assertThat(claims)
                .hasSize(CLAIMS)
                .allSatisfy(claim -> assertThat(refuted).contains(claim.text()));
    }

    private static Measured asThePaperSays(Setup any) {
        BenchSetup setup = (BenchSetup) any;
        boolean isRpc = setup.code().equals("rpc");
        if (setup.workload().equals("tpcc")) {
            return measured(isRpc, 100_000, 100, 0.6);
        }
        double coroutines = setup.shape().coroutines();
        boolean isYcsb = setup.workload().equals("ycsb");
        double speed = 1_000_000 * SPEED.get(setup.protocol());
        if (isYcsb && setup.shape().coroutines() == 1) {
            speed = setup.protocol().equals("occ") ? 1_100_000 : 1_000_000;
        }
        if (isYcsb
                && option(setup, "hot-access-percent") == 0
                && setup.protocol().equals("occ")) {
            speed = 1_050_000;
        }
        if (!isYcsb && setup.shape().coroutines() == 1) {
            speed = Map.of("nowait", 5.0, "waitdie", 4.0, "mvcc", 3.0, "occ", 2.0, "sundial", 1.0, "calvin", 0.1)
                            .get(setup.protocol())
                    * 1e5;
        }
        double hiding = setup.protocol().equals("calvin") ? 1 : 1 - Math.exp(-coroutines / 3);
        double contention = isYcsb ? 1 - LOSS.get(setup.protocol()) * option(setup, "hot-access-percent") : 1;
        double computation = isYcsb ? 20 / (20 + option(setup, "compute-us")) : 1;
        double advantage = 1
                + 0.5
                        * (isYcsb ? computation : 1)
                        * (isYcsb ? 1 - option(setup, "hot-access-percent") / 200 : 1)
                        * Math.sqrt(4.0 / simulated(setup).emulatedNodes());
        double code = switch (setup.code()) {
            case "rpc" -> 1 / advantage;
            case "hybrid" -> setup.shape().coroutines() == 1 ? 1.05 : isYcsb ? 1 : 1 / Math.sqrt(advantage);
            default -> 1;
        };
        double network =
                Set.of(RccBook.TCP, RccBook.ZEROMQ).contains(simulated(setup).profile())
                        ? setup.protocol().equals("calvin") ? 0.9 : 0.05
                        : 1;
        double doorbell = RccBook.READ_APART.equals(setup.protocolOptions().get(RccBook.DOORBELL_OPTION)) ? 1.25 : 1;
        return measured(
                isRpc,
                speed * hiding * contention * computation * code * network / doorbell,
                10 * coroutines * doorbell,
                0.5);
    }

    /** Hybrids are beyond compare, and CALVIN grows with every coroutine. */
    private static Measured wonderfulWorld(Setup any) {
        BenchSetup setup = (BenchSetup) any;
        double hybrid = setup.code().equals("hybrid") ? 10 : 1;
        return measured(1000 * hybrid * setup.shape().coroutines(), 100);
    }

    private static Measured oppositeOfThePaper(Setup any) {
        BenchSetup setup = (BenchSetup) any;
        if (setup.workload().equals("tpcc")) {
            boolean isOneSided = setup.code().equals("one-sided");
            return measured(isOneSided ? 200_000 : 100_000, isOneSided ? 50 : 100, 0.4);
        }
        Measured paper = asThePaperSays(setup);
        return measured(
                !setup.code().equals("rpc"),
                1e12 / paper.values().get(Quantity.THROUGHPUT),
                1 / paper.values().get(Quantity.LATENCY_MEAN),
                0.01);
    }

    private static Measured measured(double throughput, double latencyMicros) {
        return measured(throughput, latencyMicros, 0);
    }

    private static Measured measured(double throughput, double latencyMicros, double abortRate) {
        return measured(true, throughput, latencyMicros, abortRate);
    }

    private static Measured measured(boolean isRpc, double throughput, double latencyMicros, double abortRate) {
        Map<Quantity, Double> values = new HashMap<>();
        values.put(Quantity.THROUGHPUT, throughput);
        values.put(Quantity.LATENCY_MEAN, latencyMicros);
        values.put(Quantity.ABORT_RATE, abortRate);
        values.put(Quantity.aborts("version-gone"), 0.01);
        STAGES.forEach((stage, ratio) -> values.put(Quantity.stage(stage), isRpc ? ratio : 1));
        return new Measured(values);
    }

    private static double option(BenchSetup setup, String key) {
        return Double.parseDouble(setup.workloadOptions().get(key));
    }

    private static Setup.Network.Simulated simulated(BenchSetup setup) {
        return (Setup.Network.Simulated) setup.network();
    }
}
