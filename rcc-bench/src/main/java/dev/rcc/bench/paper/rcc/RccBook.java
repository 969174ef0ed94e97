package dev.rcc.bench.paper.rcc;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.paper.Assumption;
import dev.rcc.bench.paper.Band;
import dev.rcc.bench.paper.BenchSetup;
import dev.rcc.bench.paper.Book;
import dev.rcc.bench.paper.Book.Section;
import dev.rcc.bench.paper.Claim;
import dev.rcc.bench.paper.Criterion;
import dev.rcc.bench.paper.Criterion.Trend;
import dev.rcc.bench.paper.Figure;
import dev.rcc.bench.paper.Quantity;
import dev.rcc.bench.paper.Row;
import dev.rcc.bench.paper.Row.Entry;
import dev.rcc.bench.paper.Settings;
import dev.rcc.bench.paper.Setup;
import dev.rcc.core.fabric.Atomicity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * The claims of RCC, sections 4.2, 4.4, 5.1, and 6.2 to 6.6, in words, about its six protocols. Comparisons between protocols omit
 * CALVIN, as in the paper (6.3). Its TPC-C consists of NewOrders (6.1). It does not give the number of warehouses: here, one a node.
 */
public final class RccBook {
    static final String RPC = "rpc";
    private static final String ONE_SIDED = "one-sided";
    private static final String HYBRID = BenchSetup.HYBRID;
    static final String SMALLBANK = "smallbank";
    static final String YCSB = "ycsb";
    private static final String TPCC = "tpcc";

    /** The protocols that run with either primitive. */
    static final List<String> COMPARABLE = List.of("nowait", "waitdie", "occ", "mvcc", "sundial");
    /** The protocols that lock at access here, as 4.4 and 4.5 describe them; by default they lock at commit. */
    private static final List<String> LOCK_AT_ACCESS = List.of("mvcc", "sundial");

    private static final List<String> WORKLOADS = List.of(SMALLBANK, YCSB);
    private static final List<String> UNIFORM = List.of(RPC, ONE_SIDED);
    private static final List<Integer> COROUTINES = List.of(1, 3, 5, 7, 9, 11);
    private static final List<Double> CONTENTION = List.of(0.0, 10.0, 50.0, 90.0);
    private static final List<Double> COMPUTATION = List.of(1.0, 16.0, 64.0, 256.0);
    private static final List<Integer> CLUSTERS = List.of(4, 40, 80, 160);

    private static final double LOW = 0;
    private static final double HIGH = 90;

    // ---- the setup of 6.1

    /** Four nodes with ten workers and three replicas; ten coroutines unless the paper gives another number. */
    private static final BenchConfig.Shape SHAPE = new BenchConfig.Shape(4, 10, 10, 3);
    /** YCSB's default contention. */
    private static final double HOT_ACCESS_PERCENT = 10;
    /** YCSB's default computation. */
    static final double COMPUTE_MICROS = 5;

    /**
     * A tenth of TPC-C's items and customers, so that a run has enough memory. Conflicts occur at a warehouse's ten districts, which are as
     * many as in TPC-C.
     */
    private static final Map<String, String> TPCC_SCALE =
            Map.of("warehouses-per-node", "1", "items", "10000", "customers", "300");

    static final String HOT_ACCESS_OPTION = "hot-access-percent";
    static final String COMPUTE_OPTION = "compute-us";
    static final String DOORBELL_OPTION = "nowait.doorbell";
    /** Lock and read are not one doorbell batch. */
    static final String READ_APART = "single";

    static final String TCP = "tcp10g";
    static final String ZEROMQ = "zmq";
    private static final String RDMA = "connectx4-edr";

    /** Ends of the ranges of the costs that the profile assumes. */
    private static final List<Assumption> ASSUMPTIONS = List.of(
            new Assumption("cheap processors", Map.of("cpuHandlerNanos", "100", "cpuTransactionNanos", "0")),
            new Assumption("dear processors", Map.of("cpuHandlerNanos", "700", "cpuTransactionNanos", "2000")),
            new Assumption("NICs that send and serve with units of their own", Map.of("nicIsShared", "false")));

    /** The claims. */
    public static final Book BOOK = new Book(
            "rcc",
            "Comprehensive Framework of RDMA-enabled Concurrency Control Protocols",
            List.of(
                    new Section("4.2", "Two-phase Locking: NOWAIT", doorbellBatching()),
                    new Section("4.4", "MVCC", versions()),
                    new Section("5.1", "Methodology", stages()),
                    new Section("6.2", "Overall Results", overall()),
                    new Section("6.3", "Effect of Co-routines", coroutines()),
                    new Section("6.4", "Effect of Contention Level", contention()),
                    new Section("6.5", "Effect of Computation", computation()),
                    new Section("6.6", "Scalability of QPs", queuePairs())),
            List.of(Settings.TEXT, new Settings("code", "as in its authors' code", RccSettings::asInTheirCode)),
            ASSUMPTIONS,
            Optional.of(new AuthorsLogs()));

    private RccBook() {}

    // ---- 4.2, 4.4 and 5.1: doorbell batches, versions and stages
    // ----------------------------------------------------------------------------

    private static List<Claim> doorbellBatching() {
        BenchSetup batched = single("nowait", SMALLBANK).withCode(ONE_SIDED);
        BenchSetup apart = batched.withProtocolOption(DOORBELL_OPTION, READ_APART);
        String row = "NOWAIT, batched over apart";
        return List.of(Claim.of(
                "text",
                "On SmallBank, to post lock and read as one doorbell batch increases throughput by 25.1 % and decreases the mean"
                        + " latency by 22.7 %.",
                "at least 1.1 times the throughput and at most 0.9 times the mean latency, one-sided, with one coroutine",
                new Criterion.All(List.of(
                        Criterion.each(
                                Band.atLeast(1.1),
                                Row.of(
                                        row,
                                        Entry.of("throughput", new Figure.Ratio(throughput(batched), throughput(apart)))
                                                .said(1.251))),
                        Criterion.each(
                                Band.atMost(0.9),
                                Row.of(
                                        row,
                                        Entry.of("mean latency", new Figure.Ratio(latency(batched), latency(apart)))
                                                .said(0.773)))))));
    }

    private static List<Claim> versions() {
        return List.of(Claim.of(
                "text",
                "With four versions a record, at most 4.2 % of MVCC's aborts are for want of the right one.",
                "at most 4.2 % of the aborts, YCSB with 10 % and 90 % hot accesses, RPC and one-sided",
                Criterion.each(
                        Band.atMost(0.042),
                        each(
                                UNIFORM,
                                code -> new Row(
                                        code + ", share of the aborts",
                                        Stream.of(HOT_ACCESS_PERCENT, HIGH)
                                                .map(percent -> Entry.of(
                                                        percent.intValue() + " % hot", goneVersions(code, percent)))
                                                .toList())))));
    }

    private static Figure goneVersions(String code, double hotAccessPercent) {
        BenchSetup setup = withHotAccessPercent(of("mvcc", code, YCSB), hotAccessPercent);
        return new Figure.Ratio(
                new Figure.Reading(setup, Quantity.aborts("version-gone")),
                new Figure.Reading(setup, Quantity.ABORT_RATE));
    }

    private static List<Claim> stages() {
        String figure4 = "figure 4";
        return List.of(
                Claim.of(
                        figure4,
                        "Log and commit prefer one-sided operations.",
                        "a shorter mean time one-sided, for every protocol and workload, with one coroutine",
                        Criterion.each(
                                Band.below(1),
                                each(
                                        List.of("log", "commit"),
                                        stage -> new Row(
                                                stage + ", one-sided over RPC",
                                                WORKLOADS.stream()
                                                        .flatMap(workload -> COMPARABLE.stream()
                                                                .map(protocol -> Entry.of(
                                                                        workload + " " + protocol,
                                                                        stageRatio(protocol, workload, stage))))
                                                        .toList())))),
                Claim.of(
                        figure4,
                        "Release prefers one-sided operations.",
                        "a shorter mean time one-sided, for NOWAIT and WAITDIE, which release what they have read, on every"
                                + " workload, with one coroutine",
                        Criterion.each(
                                Band.below(1),
                                each(
                                        WORKLOADS,
                                        workload -> new Row(
                                                workload + ", one-sided over RPC",
                                                Stream.of("nowait", "waitdie")
                                                        .map(protocol -> Entry.of(
                                                                protocol, stageRatio(protocol, workload, "release")))
                                                        .toList())))),
                Claim.of(
                        figure4,
                        "SUNDIAL's renew prefers RPC.",
                        "a longer mean time one-sided on every workload, with one coroutine",
                        Criterion.each(
                                Band.above(1),
                                new Row(
                                        "renew, one-sided over RPC",
                                        WORKLOADS.stream()
                                                .map(workload ->
                                                        Entry.of(workload, stageRatio("sundial", workload, "renew")))
                                                .toList()))),
                Claim.of(
                        figure4,
                        "For complex reads as in MVCC and SUNDIAL, RPC may be rewarding.",
                        "a longer mean time of fetch one-sided, for one of the two on one of the workloads at least, with one"
                                + " coroutine",
                        new Criterion.Within(
                                Band.above(1),
                                1,
                                each(
                                        List.of("mvcc", "sundial"),
                                        protocol -> new Row(
                                                protocol + " fetch, one-sided over RPC",
                                                WORKLOADS.stream()
                                                        .map(workload -> Entry.of(
                                                                workload, stageRatio(protocol, workload, "fetch")))
                                                        .toList())))));
    }

    private static Figure stageRatio(String protocol, String workload, String stage) {
        BenchSetup setup = single(protocol, workload);
        return new Figure.Ratio(
                new Figure.Reading(setup.withCode(ONE_SIDED), Quantity.stage(stage)),
                new Figure.Reading(setup, Quantity.stage(stage)));
    }

    // ---- 6.2: overall results, with one coroutine
    // --------------------------------------------------------------------

    private static List<Claim> overall() {
        String figure5 = "figure 5";
        return List.of(
                Claim.of(
                        figure5,
                        "For the same protocol, one-sided generally performs better than RPC.",
                        "more throughput in at least 9 of the 10 pairs of protocol and workload",
                        new Criterion.Within(
                                Band.above(1),
                                9,
                                each(
                                        WORKLOADS,
                                        workload -> byProtocol(
                                                workload + ", one-sided over RPC",
                                                protocol -> ratio(single(protocol, workload), ONE_SIDED, RPC))))),
                Claim.of(
                        figure5,
                        "MVCC does not benefit from one-sided primitives on TPC-C, in latency and in throughput.",
                        "one-sided has at most 1.05 times the throughput of RPC, and at least 0.95 times its mean latency",
                        new Criterion.All(List.of(
                                Criterion.each(
                                        Band.atMost(1.05),
                                        Row.of(
                                                "MVCC, one-sided over RPC",
                                                Entry.of("throughput", ratio(single("mvcc", TPCC), ONE_SIDED, RPC)))),
                                Criterion.each(
                                        Band.atLeast(0.95),
                                        Row.of(
                                                "MVCC, one-sided over RPC",
                                                Entry.of(
                                                        "mean latency",
                                                        new Figure.Ratio(
                                                                latency(single("mvcc", TPCC)
                                                                        .withCode(ONE_SIDED)),
                                                                latency(single("mvcc", TPCC))))))))),
                Claim.of(
                        figure5,
                        "On TPC-C, all protocols abort over half of their attempts.",
                        "an abort rate above 0.5, for every protocol, RPC and one-sided",
                        Criterion.each(
                                Band.above(0.5),
                                each(
                                        UNIFORM,
                                        code -> byProtocol(
                                                "abort rate, " + code,
                                                protocol -> new Figure.Reading(
                                                        single(protocol, TPCC).withCode(code), Quantity.ABORT_RATE))))),
                Claim.of(
                        figure5,
                        "Of the one-sided implementations, OCC is a best choice for YCSB.",
                        "within 5 % of the highest throughput",
                        new Criterion.NearHighest("occ", 0.95, List.of(ranking(YCSB, ONE_SIDED)))),
                Claim.of(
                        figure5,
                        "Of the one-sided implementations, OCC is the second to the worst for SmallBank.",
                        "fourth of the five by throughput",
                        new Criterion.Rank("occ", 4, List.of(ranking(SMALLBANK, ONE_SIDED)))),
                Claim.of(
                        figure5,
                        "On SmallBank, one-sided 2PL performs better than one-sided OCC, MVCC and SUNDIAL.",
                        "NOWAIT and WAITDIE both have more throughput than each of the three",
                        new Criterion.Order(
                                List.of("nowait", "waitdie"),
                                List.of("occ", "mvcc", "sundial"),
                                List.of(ranking(SMALLBANK, ONE_SIDED)))),
                Claim.of(
                        figure5,
                        "The best protocol depends on the workload and on the communication.",
                        "the protocol with the highest throughput is not the same in all four combinations",
                        new Criterion.LeaderChanges(List.of(
                                ranking(SMALLBANK, RPC),
                                ranking(SMALLBANK, ONE_SIDED),
                                ranking(YCSB, RPC),
                                ranking(YCSB, ONE_SIDED)))),
                Claim.of(
                        figure5,
                        "For YCSB, RPC implementations perform alike across protocols while one-sided ones peak at OCC.",
                        "the best RPC is at most 1.25 times the worst, and OCC is the best one-sided",
                        new Criterion.All(List.of(
                                Criterion.each(
                                        Band.atMost(1.25),
                                        Row.of(
                                                "RPC, best over worst",
                                                Entry.of("", Figure.spread(figures(ranking(YCSB, RPC)))))),
                                new Criterion.Rank("occ", 1, List.of(ranking(YCSB, ONE_SIDED)))))),
                hybrid("mvcc", SMALLBANK, 17.8, 21.7),
                hybrid("sundial", SMALLBANK, 14.8, 8.6),
                hybrid("sundial", YCSB, 51.6, 4.5));
    }

    private static Claim hybrid(String protocol, String workload, double overRpc, double overOneSided) {
        BenchSetup setup = single(protocol, workload);
        return Claim.of(
                "figure 5",
                String.format(
                        Locale.ROOT,
                        "On %s, the hybrid %s performs better than RPC (by %.1f %%) and one-sided (by %.1f %%).",
                        workload,
                        protocol,
                        overRpc,
                        overOneSided),
                "the cherry-picked hybrid has more throughput than both",
                Criterion.each(
                        Band.above(1),
                        Row.of(
                                "hybrid",
                                Entry.of("over RPC", ratio(setup, HYBRID, RPC)).said(1 + overRpc / 100),
                                Entry.of("over one-sided", ratio(setup, HYBRID, ONE_SIDED))
                                        .said(1 + overOneSided / 100))));
    }

    // ---- 6.3: coroutines
    // ---------------------------------------------------------------------------------------------

    private static List<Claim> coroutines() {
        return List.of(
                Claim.of(
                        "figure 6",
                        "Latency always increases with more coroutines.",
                        "from each of 1, 3, 5, 7, 9, 11 to the next, for every protocol, workload, RPC and one-sided",
                        new Criterion.Series(
                                Trend.RISES, each(uniform(), setup -> byCoroutines(setup, Quantity.LATENCY_MEAN)))),
                Claim.of(
                        "figure 6",
                        "Throughput increases with more coroutines.",
                        "11 coroutines commit more than 1, for every protocol, workload, RPC and one-sided",
                        new Criterion.Series(
                                Trend.ENDS_HIGHER, each(uniform(), setup -> byCoroutines(setup, Quantity.THROUGHPUT)))),
                Claim.of(
                        "figure 6",
                        "Throughput starts to plateau after a certain number of coroutines.",
                        "from 9 to 11 coroutines it grows by less than a quarter of what it grows from 1 to 3, for every"
                                + " protocol, workload, RPC and one-sided",
                        new Criterion.Flattens(
                                0.25, each(uniform(), setup -> byCoroutines(setup, Quantity.THROUGHPUT)))),
                Claim.of(
                        "figure 6",
                        "With more coroutines, hybrids lie between RPC and one-sided on SmallBank.",
                        "for 9 and 11 coroutines, within 2 % of the range of the uniform codes, for every protocol",
                        new Criterion.All(List.of(
                                Criterion.each(
                                        Band.atLeast(0.98),
                                        hybridRows("hybrid over the lower of RPC and one-sided", Figure::lowest)),
                                Criterion.each(
                                        Band.atMost(1.02),
                                        hybridRows("hybrid over the higher of RPC and one-sided", Figure::highest))))),
                Claim.of(
                        "figure 6",
                        "With more coroutines, hybrids perform similar to one-sided on YCSB.",
                        "for 11 coroutines, within 10 %, for every protocol",
                        Criterion.each(
                                Band.between(0.9, 1.1),
                                byProtocol(
                                        "hybrid over one-sided, 11 coroutines",
                                        protocol ->
                                                ratio(of(protocol, RPC, YCSB).withCoroutines(11), HYBRID, ONE_SIDED)))),
                Claim.of(
                        "figure 7",
                        "For CALVIN more coroutines may or may not improve throughput.",
                        "some step from 1 to 3, 5, 7, 9, 11 coroutines does not improve it by more than 2 %",
                        new Criterion.Within(
                                Band.atMost(1.02), 1, each(codes(List.of("calvin")), RccBook::coroutineSteps))),
                Claim.of(
                        "text",
                        "RDMA improves CALVIN over its TCP version less than it improves the others.",
                        "the ratio of one-sided on RDMA to RPC on TCP is CALVIN's smallest, on each workload",
                        new Criterion.Rank("calvin", COMPARABLE.size() + 1, each(WORKLOADS, RccBook::gainsOverTcp))));
    }

    private static Row gainsOverTcp(String workload) {
        return new Row(
                workload + ", RDMA over TCP",
                Stream.concat(Stream.of("calvin"), COMPARABLE.stream())
                        .map(protocol -> Entry.of(
                                protocol,
                                new Figure.Ratio(
                                        throughput(of(protocol, ONE_SIDED, workload)),
                                        throughput(
                                                of(protocol, RPC, workload).withNetwork(network(TCP, SHAPE.nodes()))))))
                        .toList());
    }

    /** For 9 and 11 coroutines, the hybrid's throughput over a figure of the uniform codes' throughputs. */
    private static List<Row> hybridRows(String label, Function<List<Figure>, Figure> what) {
        return each(
                List.of(9, 11),
                coroutines -> byProtocol(label + ", " + coroutines + " coroutines", protocol -> {
                    BenchSetup setup = of(protocol, RPC, SMALLBANK).withCoroutines(coroutines);
                    return new Figure.Ratio(
                            throughput(setup.withCode(HYBRID)),
                            what.apply(List.of(throughput(setup), throughput(setup.withCode(ONE_SIDED)))));
                }));
    }

    private static Row byCoroutines(BenchSetup setup, Quantity quantity) {
        return series(
                name(setup) + ", by coroutines",
                setup,
                COROUTINES,
                (each, count) -> each.withCoroutines(count),
                changed -> new Figure.Reading(changed, quantity));
    }

    private static Row coroutineSteps(BenchSetup setup) {
        List<Entry> steps = new ArrayList<>();
        for (int i = 1; i < COROUTINES.size(); i++) {
            int fewer = COROUTINES.get(i - 1);
            int more = COROUTINES.get(i);
            steps.add(Entry.of(
                    fewer + " to " + more,
                    new Figure.Ratio(throughput(setup.withCoroutines(more)), throughput(setup.withCoroutines(fewer)))));
        }
        return new Row(name(setup), steps);
    }

    // ---- 6.4: contention
    // ---------------------------------------------------------------------------------------------

    private static List<Claim> contention() {
        String figure8 = "figure 8";
        return List.of(
                Claim.of(
                        figure8,
                        "With low contention, the differences in throughput are small, and the worst one-sided is better than"
                                + " the best RPC.",
                        "without a hot area: the best is at most 1.5 times the worst under each kind of code, and the worst"
                                + " one-sided has more than the best RPC",
                        new Criterion.All(List.of(
                                Criterion.each(
                                        Band.atMost(1.5),
                                        Row.of(
                                                "best over worst",
                                                Entry.of("RPC", Figure.spread(figures(contended(RPC, LOW)))),
                                                Entry.of(
                                                        "one-sided",
                                                        Figure.spread(figures(contended(ONE_SIDED, LOW)))))),
                                Criterion.each(
                                        Band.above(1),
                                        Row.of(
                                                "worst one-sided over best RPC",
                                                Entry.of(
                                                        "",
                                                        new Figure.Ratio(
                                                                Figure.lowest(figures(contended(ONE_SIDED, LOW))),
                                                                Figure.highest(figures(contended(RPC, LOW)))))))))),
                Claim.of(
                        figure8,
                        "As contention increases, the throughput of all protocols decreases.",
                        "less at 90 % hot accesses than at none, for every protocol, RPC and one-sided",
                        new Criterion.Series(
                                Trend.ENDS_LOWER,
                                each(
                                        ycsb(),
                                        setup -> series(
                                                name(setup) + ", by hot accesses in %",
                                                setup,
                                                CONTENTION,
                                                RccBook::withHotAccessPercent,
                                                RccBook::throughput)))),
                Claim.of(
                        figure8,
                        "OCC drops most as contention increases.",
                        "at 90 % hot accesses it keeps the smallest share of its throughput, RPC and one-sided",
                        new Criterion.Rank("occ", COMPARABLE.size(), each(UNIFORM, RccBook::kept))),
                Claim.of(
                        figure8,
                        "NOWAIT and WAITDIE drop considerably; MVCC and SUNDIAL are less affected.",
                        "at 90 % hot accesses MVCC and SUNDIAL keep a larger share of their throughput than NOWAIT and"
                                + " WAITDIE, RPC and one-sided",
                        new Criterion.Order(
                                List.of("mvcc", "sundial"),
                                List.of("nowait", "waitdie"),
                                each(UNIFORM, RccBook::kept))),
                Claim.of(
                        figure8,
                        "With high contention, protocols differ much, but RPC and one-sided less.",
                        "from none to 90 % hot accesses, best over worst one-sided protocol grows, and the mean ratio of"
                                + " one-sided to RPC comes nearer to 1",
                        new Criterion.All(List.of(
                                new Criterion.Series(
                                        Trend.RISES,
                                        List.of(Row.of(
                                                "best over worst one-sided",
                                                Entry.of(
                                                        "without a hot area",
                                                        Figure.spread(figures(contended(ONE_SIDED, LOW)))),
                                                Entry.of(
                                                        "with 90 %",
                                                        Figure.spread(figures(contended(ONE_SIDED, HIGH))))))),
                                new Criterion.Series(
                                        Trend.FALLS,
                                        List.of(Row.of(
                                                "one-sided over RPC, distance from 1",
                                                Entry.of(
                                                        "without a hot area",
                                                        new Figure.Distance(contendedGap(LOW), 1)),
                                                Entry.of("with 90 %", new Figure.Distance(contendedGap(HIGH), 1)))))))),
                Claim.of(
                        figure8,
                        "At low contention, one-sided SUNDIAL and MVCC are worse than one-sided OCC.",
                        "without a hot area, both have less throughput",
                        new Criterion.Order(
                                List.of("occ"), List.of("sundial", "mvcc"), List.of(contended(ONE_SIDED, LOW)))),
                Claim.of(
                        figure8,
                        "With high contention, OCC is always the worst.",
                        "at 90 % hot accesses it has the least throughput, RPC and one-sided",
                        new Criterion.Rank("occ", COMPARABLE.size(), each(UNIFORM, code -> contended(code, HIGH)))));
    }

    /** The protocols' throughput for YCSB with some contention. */
    private static Row contended(String code, double hotAccessPercent) {
        return byProtocol(
                code, protocol -> throughput(withHotAccessPercent(of(protocol, code, YCSB), hotAccessPercent)));
    }

    private static Figure contendedGap(double hotAccessPercent) {
        return gap(setup -> withHotAccessPercent(setup, hotAccessPercent));
    }

    /** The share of its throughput that each protocol keeps at high contention. */
    private static Row kept(String code) {
        return byProtocol(code + " keeps", protocol -> {
            BenchSetup setup = of(protocol, code, YCSB);
            return new Figure.Ratio(
                    throughput(withHotAccessPercent(setup, HIGH)), throughput(withHotAccessPercent(setup, LOW)));
        });
    }

    // ---- 6.5: computation
    // --------------------------------------------------------------------------------------------

    private static List<Claim> computation() {
        return List.of(
                Claim.of(
                        "figure 9",
                        "RPC and one-sided decrease alike as computation increases.",
                        "each step from 1 to 16, 64 and 256 us lowers the throughput, for every protocol, RPC and one-sided",
                        new Criterion.Series(
                                Trend.FALLS,
                                each(
                                        ycsb(),
                                        setup -> series(
                                                name(setup) + ", by us of computation",
                                                setup,
                                                COMPUTATION,
                                                RccBook::withComputeMicros,
                                                RccBook::throughput)))),
                Claim.of(
                        "figure 9",
                        "The advantage of one-sided over RPC diminishes as computation increases.",
                        "the mean ratio of one-sided to RPC is smaller with 256 us than with 1 us",
                        new Criterion.Series(
                                Trend.FALLS,
                                List.of(Row.of(
                                        "one-sided over RPC",
                                        Entry.of(
                                                "1 us", gap(setup -> withComputeMicros(setup, COMPUTATION.getFirst()))),
                                        Entry.of(
                                                "256 us",
                                                gap(setup -> withComputeMicros(setup, COMPUTATION.getLast()))))))));
    }

    // ---- 6.6: queue pairs
    // --------------------------------------------------------------------------------------------

    private static List<Claim> queuePairs() {
        return List.of(
                Claim.of(
                        "figure 10",
                        "One-sided keeps its superiority over RPC up to a cluster of 160 nodes.",
                        "more throughput with the queue pairs of 4, 40, 80 and 160 nodes and 90 % hot accesses, for every"
                                + " protocol",
                        Criterion.each(
                                Band.above(1),
                                each(
                                        COMPARABLE,
                                        protocol -> series(
                                                protocol + ", one-sided over RPC, by nodes",
                                                of(protocol, RPC, YCSB),
                                                CLUSTERS,
                                                RccBook::emulated,
                                                setup -> ratio(setup, ONE_SIDED, RPC))))),
                Claim.of(
                        "figure 10",
                        "The advantage of one-sided closes as the cluster grows.",
                        "the mean ratio of one-sided to RPC is smaller with the queue pairs of 160 nodes than with those of 4",
                        new Criterion.Series(
                                Trend.FALLS,
                                List.of(Row.of(
                                        "one-sided over RPC",
                                        Entry.of("4 nodes", gap(setup -> emulated(setup, CLUSTERS.getFirst()))),
                                        Entry.of("160 nodes", gap(setup -> emulated(setup, CLUSTERS.getLast()))))))));
    }

    private static BenchSetup emulated(BenchSetup setup, int nodes) {
        return withHotAccessPercent(setup, HIGH).withNetwork(network(RDMA, nodes));
    }

    // ---- setups
    // ------------------------------------------------------------------------------------------------------

    /** The defaults of 6.1, with ten coroutines. */
    private static BenchSetup of(String protocol, String code, String workload) {
        BenchSetup plain = BenchSetup.of(protocol, code, workload, SHAPE, network(RDMA, SHAPE.nodes()));
        BenchSetup setup =
                LOCK_AT_ACCESS.contains(protocol) ? plain.withProtocolOption(protocol + ".locks", "access") : plain;
        return switch (workload) {
            case YCSB -> withComputeMicros(withHotAccessPercent(setup, HOT_ACCESS_PERCENT), COMPUTE_MICROS);
            case TPCC -> setup.withWorkloadOption("only", "new-order").withWorkloadOptions(TPCC_SCALE);
            default -> setup;
        };
    }

    /** One coroutine, as in 6.2. */
    private static BenchSetup single(String protocol, String workload) {
        return of(protocol, RPC, workload).withCoroutines(1);
    }

    /** Whether a run is on a network without RDMA. */
    static boolean isTcp(Setup.Network.Simulated network) {
        return List.of(TCP, ZEROMQ).contains(network.profile());
    }

    static Setup.Network network(String profile, int emulatedNodes) {
        return new Setup.Network.Simulated(profile, Atomicity.GLOBAL, emulatedNodes, Map.of());
    }

    private static BenchSetup withHotAccessPercent(BenchSetup setup, double percent) {
        return setup.withWorkloadOption(HOT_ACCESS_OPTION, Double.toString(percent));
    }

    /** With a longer computation, fewer transactions commit in a second, so the run takes longer. */
    private static BenchSetup withComputeMicros(BenchSetup setup, double micros) {
        return setup.withWorkloadOption(COMPUTE_OPTION, Double.toString(micros))
                .withStretch(Math.max(1, micros / COMPUTE_MICROS));
    }

    /** Every workload, RPC and one-sided, for every protocol. */
    private static List<BenchSetup> uniform() {
        return codes(COMPARABLE);
    }

    private static List<BenchSetup> codes(List<String> protocols) {
        List<BenchSetup> setups = new ArrayList<>();
        for (String workload : WORKLOADS) {
            for (String code : UNIFORM) {
                protocols.forEach(protocol -> setups.add(of(protocol, code, workload)));
            }
        }
        return setups;
    }

    private static List<BenchSetup> ycsb() {
        return uniform().stream().filter(setup -> setup.workload().equals(YCSB)).toList();
    }

    // ---- figures and rows
    // --------------------------------------------------------------------------------------------

    private static Figure throughput(BenchSetup setup) {
        return new Figure.Reading(setup, Quantity.THROUGHPUT);
    }

    private static Figure latency(BenchSetup setup) {
        return new Figure.Reading(setup, Quantity.LATENCY_MEAN);
    }

    private static Figure ratio(BenchSetup setup, String code, String toCode) {
        return new Figure.Ratio(throughput(setup.withCode(code)), throughput(setup.withCode(toCode)));
    }

    /** The mean ratio, over all protocols, of one-sided to RPC on YCSB. */
    private static Figure gap(UnaryOperator<BenchSetup> change) {
        return Figure.mean(COMPARABLE.stream()
                .map(protocol -> ratio(change.apply(of(protocol, RPC, YCSB)), ONE_SIDED, RPC))
                .toList());
    }

    /** The protocols' throughput with one coroutine. */
    private static Row ranking(String workload, String code) {
        return byProtocol(
                workload + " " + code,
                protocol -> throughput(single(protocol, workload).withCode(code)));
    }

    private static Row byProtocol(String label, Function<String, Figure> figure) {
        return new Row(
                label,
                COMPARABLE.stream()
                        .map(protocol -> Entry.of(protocol, figure.apply(protocol)))
                        .toList());
    }

    /** A setup changed by one value of a series. */
    @FunctionalInterface
    private interface Change<T> {
        BenchSetup apply(BenchSetup setup, T value);
    }

    private static <T> Row series(
            String label, BenchSetup setup, List<T> values, Change<T> change, Function<BenchSetup, Figure> figure) {
        return new Row(
                label,
                values.stream()
                        .map(value -> Entry.of(
                                value.toString().replaceFirst("\\.0$", ""), figure.apply(change.apply(setup, value))))
                        .toList());
    }

    private static <T> List<Row> each(List<T> of, Function<T, Row> row) {
        return of.stream().map(row).toList();
    }

    private static List<Figure> figures(Row row) {
        return row.entries().stream().map(Entry::figure).toList();
    }

    private static String name(BenchSetup setup) {
        return setup.workload() + " " + setup.protocol() + " " + setup.code();
    }
}
