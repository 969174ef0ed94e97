package dev.rcc.bench.paper.dslr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.bench.locks.run.MicroTrace;
import dev.rcc.bench.locks.run.ShortTpccTrace;
import dev.rcc.bench.paper.Claim;
import dev.rcc.bench.paper.Judging;
import dev.rcc.bench.paper.Lab;
import dev.rcc.bench.paper.LockSetup;
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

class DslrBookTest {
    private static final int CLAIMS = 43;

    // Goal: each claim can come out as true. Method: a lab in which the world is as the paper says.
    @Test
    void shouldFindEveryClaimTrueInAWorldAsThePaperDescribesIt() throws InterruptedException {
        assertThat(Judging.judge(DslrBook.BOOK, DslrBookTest::asThePaperSays))
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
                List.of(DslrBookTest::allAlike, DslrBookTest::oppositeOfThePaper, DslrBookTest::readersFirstIsBest);
        for (Lab.Experiment world : worlds) {
            Judging.judge(DslrBook.BOOK, world).stream()
                    .filter(finding -> finding.outcome().verdict() == Verdict.NOT_HELD)
                    .forEach(finding -> refuted.add(finding.claim().text()));
        }
        assertThat(refuted).containsExactlyInAnyOrderElementsOf(texts());
    }

    @Test
    void shouldHaveEachLockManagerBesideDslr() {
        Set<String> ran = new HashSet<>();
        DslrBook.BOOK.setups().forEach(setup -> ran.add(((LockSetup) setup).manager()));
        assertThat(ran).containsExactlyInAnyOrderElementsOf(LockSchemes.names());
    }

    private static List<String> texts() {
        return DslrBook.BOOK.sections().stream()
                .flatMap(section -> section.claims().stream().map(Claim::text))
                .toList();
    }

    // ---- worlds

    private static Measured asThePaperSays(Setup any) {
        LockSetup setup = (LockSetup) any;
        return switch (setup.trace()) {
            case MicroTrace micro -> ofMicro(setup.manager(), micro);
            case ShortTpccTrace tpcc
            when setup.lockNodes() > 0 -> ofBackoff(setup.terms().backoffNanosMax() / 1_000);
            case ShortTpccTrace tpcc
            when setup.clients().failRate() > 0 -> ofLease(setup.terms().leaseNanos() / 1_000);
            case ShortTpccTrace tpcc when setup.clients().longNanos() > 0 -> ofScans(setup, tpcc.scanRate());
            case ShortTpccTrace tpcc -> ofTpcc(setup, tpcc);
            default -> throw new AssertionError(setup);
        };
    }

    private static Measured ofMicro(String manager, MicroTrace micro) {
        boolean isDslr = manager.equals("dslr");
        boolean isWorst = manager.equals("drtm") || manager.equals("n-cosed");
        double loss = isDslr ? 0.1 : isWorst ? 0.5 : 0.3;
        double throughput = (isDslr ? 1e6 : 8e5) * (1 - loss * (micro.alpha() - 1.5));
        if (manager.equals("drtm") && micro.rho() > 0) {
            throughput *= micro.rho() < 1 ? 0.4 : 10;
        }
        return measured(throughput, isDslr ? 10 : 20, isDslr ? 100 : 200, 0);
    }

    private static Measured ofBackoff(long micros) {
        Map<Quantity, Double> values = new HashMap<>();
        values.put(Quantity.THROUGHPUT, micros < 1_000 ? 1_000.0 : 3_000.0);
        values.put(Quantity.ZEROINGS, micros < 1_000 ? 1.0 : 10.0);
        return new Measured(values);
    }

    private static Measured ofLease(long micros) {
        double throughput = micros == 100 ? 1e5 : micros < 100 ? 1e4 : 5e4;
        return measured(throughput, 10, 100, micros < 100 ? 0.9 : 0.1);
    }

    private static Measured ofScans(LockSetup setup, double rate) {
        if (rate > 0.01) {
            boolean isFixed = setup.clients().longSlots() == 1;
            return measured(isFixed ? 10 : 20, 10, 100, isFixed ? 0.7 : 0);
        }
        double ofDslr = rate == 0 ? 110_000 : rate < 0.001 ? 40_000 : rate < 0.01 ? 10_000 : 1_000;
        return measured(setup.manager().equals("traditional-ro") && rate > 0.0001 ? 1.3 * ofDslr : ofDslr, 10, 100, 0);
    }

    /** By nodes, by 1 or 10 warehouses a node. */
    private static Measured ofTpcc(LockSetup setup, ShortTpccTrace tpcc) {
        boolean isHigh = tpcc.warehouses() == 1;
        int nodes = setup.shape().nodes();
        double scaled = Math.pow(nodes, setup.manager().equals("dslr") ? 0.97 : 0.96);
        Measured slower = switch (setup.manager()) {
            case "dslr" -> measured(7_000 * scaled, 100, 1_000, 0);
            case "traditional" -> isHigh ? slower(scaled, 2, 2, 2) : slower(worse(nodes), 2.7, 2.8, 3);
            case "n-cosed" -> isHigh ? slower(scaled, 2, 2, 10) : slower(worse(nodes), 1.2, 1.3, 3);
            case "drtm" -> isHigh ? slower(scaled, 2.2, 2.2, 46.7) : slower(scaled, 1.2, 1.3, 4.9);
            default -> isHigh ? slower(scaled, 1.9, 2, 10) : slower(scaled, 1.2, 1.3, 2.4);
        };
        Map<Quantity, Double> values = new HashMap<>();
        values.putAll(slower.values());
        boolean isBusy = setup.terms().pollNanos() == 0;
        values.put(Quantity.NIC_SHARE, isBusy ? 0.14 : 0.052);
        values.computeIfPresent(Quantity.THROUGHPUT, (_, value) -> isBusy ? 0.95 * value : value);
        return new Measured(values);
    }

    private static double worse(int nodes) {
        return Math.pow(nodes, 0.93) * 1.05;
    }

    private static Measured slower(double scaled, double throughput, double mean, double tail) {
        return measured(7_000 * scaled / throughput, 100 * mean, 1_000 * tail, 0);
    }

    private static Measured measured(double throughput, double mean, double tail, double aborts) {
        return new Measured(Map.of(
                Quantity.THROUGHPUT,
                throughput,
                Quantity.LATENCY_MEAN,
                mean,
                Quantity.LATENCY_P999,
                tail,
                Quantity.ABORT_RATE,
                aborts));
    }

    /** Nothing makes a difference, and nothing is ever reset. */
    private static Measured allAlike(Setup setup) {
        return new Measured(Map.of(
                Quantity.THROUGHPUT,
                1_000.0,
                Quantity.LATENCY_MEAN,
                10.0,
                Quantity.LATENCY_P999,
                100.0,
                Quantity.ABORT_RATE,
                0.4,
                Quantity.NIC_SHARE,
                0.5,
                Quantity.ZEROINGS,
                0.0));
    }

    /** What is high there is low here; where all are alike there, more is done by more nodes at a higher latency here. */
    private static Measured oppositeOfThePaper(Setup setup) {
        Map<Quantity, Double> values = new HashMap<>();
        double nodes = ((LockSetup) setup).shape().nodes();
        asThePaperSays(setup).values().forEach((quantity, value) -> values.put(quantity, 1e9 / (value + 1e-9)));
        values.computeIfPresent(Quantity.LATENCY_MEAN, (_, value) -> value * nodes);
        return new Measured(values);
    }

    private static Measured readersFirstIsBest(Setup setup) {
        Map<Quantity, Double> values = new HashMap<>();
        values.putAll(asThePaperSays(setup).values());
        if (((LockSetup) setup).manager().equals("traditional-ro")) {
            values.computeIfPresent(Quantity.THROUGHPUT, (_, value) -> 10 * value);
        }
        return new Measured(values);
    }
}
