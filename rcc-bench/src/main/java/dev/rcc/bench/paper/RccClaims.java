package dev.rcc.bench.paper;

import dev.rcc.bench.paper.Claim.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * What RCC, sections 6.2 to 6.6, says in words about its six protocols. CALVIN is left out of comparisons between
 * protocols, as the paper does (6.3), and whatever is about TPC-C is not tested.
 */
public final class RccClaims {
    private static final String RPC = "rpc";
    private static final String ONE_SIDED = "one-sided";
    private static final String HYBRID = "hybrid";
    private static final String SMALLBANK = "smallbank";
    private static final String YCSB = "ycsb";

    private static final List<String> COMPARABLE = List.of("nowait", "waitdie", "occ", "mvcc", "sundial");
    private static final List<Integer> COROUTINES = List.of(1, 3, 5, 7, 9, 11);
    private static final List<Double> CONTENTION = List.of(0.0, 10.0, 50.0, 90.0);
    private static final List<Double> COMPUTATION = List.of(1.0, 16.0, 64.0, 256.0);
    private static final List<Integer> CLUSTERS = List.of(4, 40, 80, 160);

    private static final double LOW = 0;
    private static final double HIGH = 90;

    private RccClaims() {}

    /** All claims, in the paper's order. */
    public static List<Claim> all() {
        List<Claim> claims = new ArrayList<>();
        overall(claims);
        coroutines(claims);
        contention(claims);
        computation(claims);
        queuePairs(claims);
        return List.copyOf(claims);
    }

    // ---- 6.2: overall results, with one coroutine
    // --------------------------------------------------------------------

    private static void overall(List<Claim> claims) {
        claims.add(new Claim(
                "6.2",
                "For the same protocol, one-sided generally performs better than RPC.",
                "more throughput in at least 9 of the 10 pairs of protocol and workload",
                lab -> {
                    List<String> figures = new ArrayList<>();
                    int better = 0;
                    for (String workload : List.of(SMALLBANK, YCSB)) {
                        for (String protocol : COMPARABLE) {
                            double ratio = ratio(lab, single(protocol, workload), ONE_SIDED, RPC);
                            better += ratio > 1 ? 1 : 0;
                            figures.add(format("%s %s: %.2f times RPC's", workload, protocol, ratio));
                        }
                    }
                    return new Finding(Verdict.of(better >= 9), figures);
                }));
        claims.add(new Claim(
                "6.2",
                "MVCC does not benefit from one-sided primitives on TPC-C.",
                "TPC-C is not among RCC's workloads",
                lab -> new Finding(Verdict.NOT_TESTED, List.of())));
        claims.add(new Claim(
                "6.2",
                "Of the one-sided implementations, OCC is a best choice for YCSB.",
                "within 5 % of the highest throughput",
                lab -> {
                    Map<String, Double> ranking = ranking(lab, YCSB, ONE_SIDED);
                    double best = ranking.values().iterator().next();
                    return new Finding(Verdict.of(ranking.get("occ") >= 0.95 * best), List.of(describe(ranking)));
                }));
        claims.add(new Claim(
                "6.2",
                "Of the one-sided implementations, OCC is the second to the worst for SmallBank.",
                "fourth of the five by throughput",
                lab -> {
                    Map<String, Double> ranking = ranking(lab, SMALLBANK, ONE_SIDED);
                    List<String> order = List.copyOf(ranking.keySet());
                    return new Finding(Verdict.of(order.indexOf("occ") == 3), List.of(describe(ranking)));
                }));
        claims.add(new Claim(
                "6.2",
                "On SmallBank, one-sided 2PL performs better than one-sided OCC, MVCC and SUNDIAL.",
                "NOWAIT and WAITDIE both have more throughput than each of the three",
                lab -> {
                    Map<String, Double> ranking = ranking(lab, SMALLBANK, ONE_SIDED);
                    List<String> order = List.copyOf(ranking.keySet());
                    boolean first = order.indexOf("nowait") < 2 && order.indexOf("waitdie") < 2;
                    return new Finding(Verdict.of(first), List.of(describe(ranking)));
                }));
        claims.add(new Claim(
                "6.2",
                "The best protocol depends on the workload and on the communication.",
                "the protocol with the highest throughput is not the same in all four combinations",
                lab -> {
                    List<String> figures = new ArrayList<>();
                    List<String> best = new ArrayList<>();
                    for (String workload : List.of(SMALLBANK, YCSB)) {
                        for (String code : List.of(RPC, ONE_SIDED)) {
                            Map<String, Double> ranking = ranking(lab, workload, code);
                            best.add(ranking.keySet().iterator().next());
                            figures.add(workload + " " + code + ": " + describe(ranking));
                        }
                    }
                    return new Finding(Verdict.of(best.stream().distinct().count() > 1), figures);
                }));
        claims.add(new Claim(
                "6.2",
                "For YCSB, RPC implementations perform alike across protocols while one-sided ones peak at OCC.",
                "the best RPC is at most 1.25 times the worst, and OCC is the best one-sided",
                lab -> {
                    Map<String, Double> rpc = ranking(lab, YCSB, RPC);
                    Map<String, Double> oneSided = ranking(lab, YCSB, ONE_SIDED);
                    boolean holds = spread(rpc) <= 1.25
                            && oneSided.keySet().iterator().next().equals("occ");
                    return new Finding(
                            Verdict.of(holds),
                            List.of(
                                    format("RPC, best %.2f times worst: %s", spread(rpc), describe(rpc)),
                                    "one-sided: " + describe(oneSided)));
                }));
        claims.add(hybrid("mvcc", SMALLBANK, 17.8, 21.7));
        claims.add(hybrid("sundial", SMALLBANK, 14.8, 8.6));
        claims.add(hybrid("sundial", YCSB, 51.6, 4.5));
    }

    private static Claim hybrid(String protocol, String workload, double overRpc, double overOneSided) {
        return new Claim(
                "6.2",
                format(
                        "On %s, the hybrid %s performs better than RPC (by %.1f %%) and one-sided (by %.1f %%).",
                        workload, protocol, overRpc, overOneSided),
                "the cherry-picked hybrid has more throughput than both",
                lab -> {
                    double rpc = ratio(lab, single(protocol, workload), HYBRID, RPC);
                    double oneSided = ratio(lab, single(protocol, workload), HYBRID, ONE_SIDED);
                    return new Finding(
                            Verdict.of(rpc > 1 && oneSided > 1),
                            List.of(format(
                                    "%+.1f %% over RPC, %+.1f %% over one-sided",
                                    (rpc - 1) * 100, (oneSided - 1) * 100)));
                });
    }

    // ---- 6.3: coroutines
    // ---------------------------------------------------------------------------------------------

    private static void coroutines(List<Claim> claims) {
        claims.add(new Claim(
                "6.3",
                "Latency always increases with more coroutines.",
                "from each of 1, 3, 5, 7, 9, 11 to the next, for every protocol, workload, RPC and one-sided",
                lab -> monotone(lab, Measured::latencyMicros, "latency in us")));
        claims.add(new Claim(
                "6.3",
                "Throughput increases with more coroutines.",
                "11 coroutines commit more than 1, for every protocol, workload, RPC and one-sided",
                lab -> {
                    List<String> figures = new ArrayList<>();
                    boolean holds = true;
                    for (Setup setup : uniform()) {
                        double growth =
                                lab.throughput(setup.withCoroutines(11)) / lab.throughput(setup.withCoroutines(1));
                        holds &= growth > 1;
                        figures.add(format("%s: %.2f times", name(setup), growth));
                    }
                    return new Finding(Verdict.of(holds), figures);
                }));
        claims.add(new Claim(
                "6.3",
                "Throughput starts to plateau after a certain number of coroutines.",
                "from 9 to 11 coroutines it grows by less than a quarter of what it grows from 1 to 3, for every protocol,"
                        + " workload, RPC and one-sided",
                lab -> {
                    List<String> figures = new ArrayList<>();
                    boolean holds = true;
                    for (Setup setup : uniform()) {
                        double early =
                                lab.throughput(setup.withCoroutines(3)) - lab.throughput(setup.withCoroutines(1));
                        double late =
                                lab.throughput(setup.withCoroutines(11)) - lab.throughput(setup.withCoroutines(9));
                        holds &= late < early / 4;
                        figures.add(format("%s: %+,.0f/s at first, %+,.0f/s at last", name(setup), early, late));
                    }
                    return new Finding(Verdict.of(holds), figures);
                }));
        claims.add(new Claim(
                "6.3",
                "With more coroutines, hybrids lie between RPC and one-sided on SmallBank.",
                "for 9 and 11 coroutines, within 2 % of the range of the uniform codes, for every protocol",
                RccClaims::betweenUniform));
        claims.add(new Claim(
                "6.3",
                "With more coroutines, hybrids perform similar to one-sided on YCSB.",
                "for 11 coroutines, within 10 %, for every protocol",
                lab -> {
                    List<String> figures = new ArrayList<>();
                    boolean holds = true;
                    for (String protocol : COMPARABLE) {
                        double ratio = ratio(lab, Setup.of(protocol, RPC, YCSB).withCoroutines(11), HYBRID, ONE_SIDED);
                        holds &= Math.abs(ratio - 1) <= 0.1;
                        figures.add(format("%s: %.2f times one-sided's", protocol, ratio));
                    }
                    return new Finding(Verdict.of(holds), figures);
                }));
        claims.add(new Claim(
                "6.3",
                "For CALVIN more coroutines may or may not improve throughput.",
                "some step from 1 to 3, 5, 7, 9, 11 coroutines does not improve it by more than 2 %",
                lab -> {
                    List<String> figures = new ArrayList<>();
                    boolean holds = false;
                    for (String workload : List.of(SMALLBANK, YCSB)) {
                        for (String code : List.of(RPC, ONE_SIDED)) {
                            List<Double> series =
                                    series(lab, Setup.of("calvin", code, workload), COROUTINES, Setup::withCoroutines);
                            for (int i = 1; i < series.size(); i++) {
                                holds |= series.get(i) <= 1.02 * series.get(i - 1);
                            }
                            figures.add(format("%s %s: %s /s", workload, code, numbers(series)));
                        }
                    }
                    return new Finding(Verdict.of(holds), figures);
                }));
        claims.add(new Claim(
                "6.3",
                "RDMA improves CALVIN over its TCP version less than it improves the others.",
                "the ratio of one-sided on RDMA to RPC on TCP is CALVIN's smallest, on each workload",
                lab -> {
                    List<String> figures = new ArrayList<>();
                    boolean holds = true;
                    for (String workload : List.of(SMALLBANK, YCSB)) {
                        double calvin = gainOverTcp(lab, "calvin", workload);
                        figures.add(format("%s calvin: %.1f times TCP's", workload, calvin));
                        for (String protocol : COMPARABLE) {
                            double other = gainOverTcp(lab, protocol, workload);
                            holds &= calvin < other;
                            figures.add(format("%s %s: %.1f times TCP's", workload, protocol, other));
                        }
                    }
                    return new Finding(Verdict.of(holds), figures);
                }));
    }

    private static double gainOverTcp(Lab lab, String protocol, String workload) throws InterruptedException {
        return lab.throughput(Setup.of(protocol, ONE_SIDED, workload))
                / lab.throughput(Setup.of(protocol, RPC, workload).withNetwork(Setup.TCP));
    }

    private static Finding betweenUniform(Lab lab) throws InterruptedException {
        List<String> figures = new ArrayList<>();
        boolean holds = true;
        for (String protocol : COMPARABLE) {
            for (int coroutines : List.of(9, 11)) {
                Setup setup = Setup.of(protocol, RPC, SMALLBANK).withCoroutines(coroutines);
                double rpc = lab.throughput(setup);
                double oneSided = lab.throughput(setup.withCode(ONE_SIDED));
                double hybrid = lab.throughput(setup.withCode(HYBRID));
                holds &= hybrid >= 0.98 * Math.min(rpc, oneSided) && hybrid <= 1.02 * Math.max(rpc, oneSided);
                figures.add(format(
                        "%s, %d coroutines: RPC %,.0f, hybrid %,.0f, one-sided %,.0f /s",
                        protocol, coroutines, rpc, hybrid, oneSided));
            }
        }
        return new Finding(Verdict.of(holds), figures);
    }

    /** Something of a result, as a number. */
    @FunctionalInterface
    private interface Measure {
        double of(Measured measured);
    }

    private static Finding monotone(Lab lab, Measure measure, String what) throws InterruptedException {
        List<String> figures = new ArrayList<>();
        boolean holds = true;
        for (Setup setup : uniform()) {
            List<Double> series = new ArrayList<>();
            for (int coroutines : COROUTINES) {
                series.add(measure.of(lab.run(setup.withCoroutines(coroutines))));
            }
            for (int i = 1; i < series.size(); i++) {
                holds &= series.get(i) > series.get(i - 1);
            }
            figures.add(format("%s, %s: %s", name(setup), what, numbers(series)));
        }
        return new Finding(Verdict.of(holds), figures);
    }

    // ---- 6.4: contention
    // ---------------------------------------------------------------------------------------------

    private static void contention(List<Claim> claims) {
        claims.add(new Claim(
                "6.4",
                "With low contention, the differences in throughput are small, and the worst one-sided is better than the"
                        + " best RPC.",
                "without a hot area: the best is at most 1.5 times the worst under each kind of code, and the worst"
                        + " one-sided has more than the best RPC",
                lab -> {
                    Map<String, Double> rpc = ranking(lab, RPC, LOW);
                    Map<String, Double> oneSided = ranking(lab, ONE_SIDED, LOW);
                    boolean holds = spread(rpc) <= 1.5 && spread(oneSided) <= 1.5 && worst(oneSided) > best(rpc);
                    return new Finding(
                            Verdict.of(holds), List.of("RPC: " + describe(rpc), "one-sided: " + describe(oneSided)));
                }));
        claims.add(new Claim(
                "6.4",
                "As contention increases, the throughput of all protocols decreases.",
                "less at 90 % hot accesses than at none, for every protocol, RPC and one-sided",
                lab -> {
                    List<String> figures = new ArrayList<>();
                    boolean holds = true;
                    for (String code : List.of(RPC, ONE_SIDED)) {
                        for (String protocol : COMPARABLE) {
                            List<Double> series = series(
                                    lab, Setup.of(protocol, code, YCSB), CONTENTION, Setup::withHotAccessPercent);
                            holds &= series.getLast() < series.getFirst();
                            figures.add(format("%s %s, 0, 10, 50, 90 %%: %s /s", protocol, code, numbers(series)));
                        }
                    }
                    return new Finding(Verdict.of(holds), figures);
                }));
        claims.add(new Claim(
                "6.4",
                "OCC drops most as contention increases.",
                "at 90 % hot accesses it keeps the smallest share of its throughput, RPC and one-sided",
                lab -> decidedByKept(lab, kept -> lastOf(kept).equals("occ"))));
        claims.add(new Claim(
                "6.4",
                "NOWAIT and WAITDIE drop considerably; MVCC and SUNDIAL are less affected.",
                "at 90 % hot accesses MVCC and SUNDIAL keep a larger share of their throughput than NOWAIT and WAITDIE,"
                        + " RPC and one-sided",
                lab -> decidedByKept(
                        lab,
                        kept -> Math.min(kept.get("mvcc"), kept.get("sundial"))
                                > Math.max(kept.get("nowait"), kept.get("waitdie")))));
        claims.add(new Claim(
                "6.4",
                "With high contention, protocols differ much, but RPC and one-sided less.",
                "from none to 90 % hot accesses, best over worst one-sided protocol grows, and the mean ratio of one-sided"
                        + " to RPC comes nearer to 1",
                lab -> {
                    double spreadLow = spread(ranking(lab, ONE_SIDED, LOW));
                    double spreadHigh = spread(ranking(lab, ONE_SIDED, HIGH));
                    double gapLow = gap(lab, setup -> setup.withHotAccessPercent(LOW));
                    double gapHigh = gap(lab, setup -> setup.withHotAccessPercent(HIGH));
                    return new Finding(
                            Verdict.of(spreadHigh > spreadLow && Math.abs(gapHigh - 1) < Math.abs(gapLow - 1)),
                            List.of(
                                    format("best over worst one-sided: %.2f, then %.2f", spreadLow, spreadHigh),
                                    format("one-sided over RPC: %.2f, then %.2f", gapLow, gapHigh)));
                }));
        claims.add(new Claim(
                "6.4",
                "At low contention, one-sided SUNDIAL and MVCC are worse than one-sided OCC.",
                "without a hot area, both have less throughput",
                lab -> {
                    Map<String, Double> ranking = ranking(lab, ONE_SIDED, LOW);
                    double occ = ranking.get("occ");
                    return new Finding(
                            Verdict.of(ranking.get("sundial") < occ && ranking.get("mvcc") < occ),
                            List.of(describe(ranking)));
                }));
        claims.add(new Claim(
                "6.4",
                "With high contention, OCC is always the worst.",
                "at 90 % hot accesses it has the least throughput, RPC and one-sided",
                lab -> {
                    Map<String, Double> rpc = ranking(lab, RPC, HIGH);
                    Map<String, Double> oneSided = ranking(lab, ONE_SIDED, HIGH);
                    return new Finding(
                            Verdict.of(lastOf(rpc).equals("occ")
                                    && lastOf(oneSided).equals("occ")),
                            List.of("RPC: " + describe(rpc), "one-sided: " + describe(oneSided)));
                }));
    }

    /** A criterion on the share of its throughput that each protocol keeps, the largest first. */
    @FunctionalInterface
    private interface KeptCriterion {
        boolean holds(Map<String, Double> kept);
    }

    private static Finding decidedByKept(Lab lab, KeptCriterion criterion) throws InterruptedException {
        List<String> figures = new ArrayList<>();
        boolean holds = true;
        for (String code : List.of(RPC, ONE_SIDED)) {
            Map<String, Double> kept = new LinkedHashMap<>();
            for (String protocol : COMPARABLE) {
                Setup setup = Setup.of(protocol, code, YCSB);
                kept.put(
                        protocol,
                        lab.throughput(setup.withHotAccessPercent(HIGH))
                                / lab.throughput(setup.withHotAccessPercent(LOW)));
            }
            Map<String, Double> sorted = sorted(kept);
            holds &= criterion.holds(sorted);
            List<String> shares = new ArrayList<>();
            sorted.forEach((protocol, share) -> shares.add(format("%s %.0f %%", protocol, share * 100)));
            figures.add(code + " keeps: " + String.join(", ", shares));
        }
        return new Finding(Verdict.of(holds), figures);
    }

    // ---- 6.5: computation
    // --------------------------------------------------------------------------------------------

    private static void computation(List<Claim> claims) {
        claims.add(new Claim(
                "6.5",
                "RPC and one-sided decrease alike as computation increases.",
                "each step from 1 to 16, 64 and 256 us lowers the throughput, for every protocol, RPC and one-sided",
                lab -> {
                    List<String> figures = new ArrayList<>();
                    boolean holds = true;
                    for (String code : List.of(RPC, ONE_SIDED)) {
                        for (String protocol : COMPARABLE) {
                            List<Double> series =
                                    series(lab, Setup.of(protocol, code, YCSB), COMPUTATION, Setup::withComputeMicros);
                            for (int i = 1; i < series.size(); i++) {
                                holds &= series.get(i) < series.get(i - 1);
                            }
                            figures.add(format("%s %s: %s /s", protocol, code, numbers(series)));
                        }
                    }
                    return new Finding(Verdict.of(holds), figures);
                }));
        claims.add(new Claim(
                "6.5",
                "The advantage of one-sided over RPC diminishes as computation increases.",
                "the mean ratio of one-sided to RPC is smaller with 256 us than with 1 us",
                lab -> {
                    double little = gap(lab, setup -> setup.withComputeMicros(COMPUTATION.getFirst()));
                    double much = gap(lab, setup -> setup.withComputeMicros(COMPUTATION.getLast()));
                    return new Finding(
                            Verdict.of(much < little),
                            List.of(format("one-sided over RPC: %.2f with 1 us, %.2f with 256 us", little, much)));
                }));
    }

    // ---- 6.6: queue pairs
    // --------------------------------------------------------------------------------------------

    private static void queuePairs(List<Claim> claims) {
        claims.add(new Claim(
                "6.6",
                "One-sided keeps its superiority over RPC up to a cluster of 160 nodes.",
                "more throughput with the queue pairs of 4, 40, 80 and 160 nodes and 90 % hot accesses, for every protocol",
                lab -> {
                    List<String> figures = new ArrayList<>();
                    boolean holds = true;
                    for (String protocol : COMPARABLE) {
                        List<String> ratios = new ArrayList<>();
                        for (int nodes : CLUSTERS) {
                            double ratio = ratio(lab, emulated(protocol, nodes), ONE_SIDED, RPC);
                            holds &= ratio > 1;
                            ratios.add(format("%.2f", ratio));
                        }
                        figures.add(protocol + ", one-sided over RPC: " + String.join(", ", ratios));
                    }
                    return new Finding(Verdict.of(holds), figures);
                }));
        claims.add(new Claim(
                "6.6",
                "The advantage of one-sided closes as the cluster grows.",
                "the mean ratio of one-sided to RPC is smaller with the queue pairs of 160 nodes than with those of 4",
                lab -> {
                    double small = gap(lab, setup -> emulated(setup.protocol(), CLUSTERS.getFirst()));
                    double large = gap(lab, setup -> emulated(setup.protocol(), CLUSTERS.getLast()));
                    return new Finding(
                            Verdict.of(large < small),
                            List.of(format("one-sided over RPC: %.2f with 4 nodes, %.2f with 160", small, large)));
                }));
    }

    private static Setup emulated(String protocol, int nodes) {
        return Setup.of(protocol, RPC, YCSB).withHotAccessPercent(HIGH).withEmulatedNodes(nodes);
    }

    // ---- what the experiments share
    // ----------------------------------------------------------------------------------

    /** One coroutine, as in 6.2. */
    private static Setup single(String protocol, String workload) {
        return Setup.of(protocol, RPC, workload).withCoroutines(1);
    }

    private static List<Setup> uniform() {
        List<Setup> setups = new ArrayList<>();
        for (String workload : List.of(SMALLBANK, YCSB)) {
            for (String code : List.of(RPC, ONE_SIDED)) {
                COMPARABLE.forEach(protocol -> setups.add(Setup.of(protocol, code, workload)));
            }
        }
        return setups;
    }

    private static double ratio(Lab lab, Setup setup, String code, String toCode) throws InterruptedException {
        return lab.throughput(setup.withCode(code)) / lab.throughput(setup.withCode(toCode));
    }

    /** The mean ratio, over all protocols, of one-sided to RPC. */
    private static double gap(Lab lab, UnaryOperator<Setup> change) throws InterruptedException {
        double sum = 0;
        for (String protocol : COMPARABLE) {
            sum += ratio(lab, change.apply(Setup.of(protocol, RPC, YCSB)), ONE_SIDED, RPC);
        }
        return sum / COMPARABLE.size();
    }

    /** The protocols' throughput with one coroutine, the highest first. */
    private static Map<String, Double> ranking(Lab lab, String workload, String code) throws InterruptedException {
        Map<String, Double> ranking = new LinkedHashMap<>();
        for (String protocol : COMPARABLE) {
            ranking.put(protocol, lab.throughput(single(protocol, workload).withCode(code)));
        }
        return sorted(ranking);
    }

    /** The protocols' throughput for YCSB with this contention, the highest first. */
    private static Map<String, Double> ranking(Lab lab, String code, double hotAccessPercent)
            throws InterruptedException {
        Map<String, Double> ranking = new LinkedHashMap<>();
        for (String protocol : COMPARABLE) {
            ranking.put(
                    protocol, lab.throughput(Setup.of(protocol, code, YCSB).withHotAccessPercent(hotAccessPercent)));
        }
        return sorted(ranking);
    }

    private static Map<String, Double> sorted(Map<String, Double> unsorted) {
        Map<String, Double> sorted = new LinkedHashMap<>();
        unsorted.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .forEach(entry -> sorted.put(entry.getKey(), entry.getValue()));
        return sorted;
    }

    /** A setup changed by one value of a series. */
    @FunctionalInterface
    private interface Change<T> {
        Setup apply(Setup setup, T value);
    }

    private static <T> List<Double> series(Lab lab, Setup setup, List<T> values, Change<T> change)
            throws InterruptedException {
        List<Double> series = new ArrayList<>();
        for (T value : values) {
            series.add(lab.throughput(change.apply(setup, value)));
        }
        return series;
    }

    private static double best(Map<String, Double> ranking) {
        return ranking.values().iterator().next();
    }

    private static double worst(Map<String, Double> ranking) {
        return ranking.get(lastOf(ranking));
    }

    private static double spread(Map<String, Double> ranking) {
        return best(ranking) / worst(ranking);
    }

    private static String lastOf(Map<String, Double> ranking) {
        return List.copyOf(ranking.keySet()).getLast();
    }

    private static String describe(Map<String, Double> ranking) {
        List<String> each = new ArrayList<>();
        ranking.forEach((protocol, throughput) -> each.add(format("%s %,.0f", protocol, throughput)));
        return String.join(", ", each) + " /s";
    }

    private static String numbers(List<Double> series) {
        List<String> each = new ArrayList<>();
        series.forEach(number -> each.add(number < 1000 ? format("%.1f", number) : format("%,.0f", number)));
        return String.join(" ", each);
    }

    private static String name(Setup setup) {
        return setup.workload() + " " + setup.protocol() + " " + setup.code();
    }

    @SuppressWarnings("AnnotateFormatMethod") // the annotation is not worth a dependency
    private static String format(String text, Object... arguments) {
        return String.format(Locale.ROOT, text, arguments);
    }
}
