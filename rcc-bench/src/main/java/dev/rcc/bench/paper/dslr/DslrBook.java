package dev.rcc.bench.paper.dslr;

import dev.rcc.bench.paper.Band;
import dev.rcc.bench.paper.Book;
import dev.rcc.bench.paper.Book.Section;
import dev.rcc.bench.paper.Claim;
import dev.rcc.bench.paper.Criterion;
import dev.rcc.bench.paper.Criterion.Trend;
import dev.rcc.bench.paper.Figure;
import dev.rcc.bench.paper.LockSetup;
import dev.rcc.bench.paper.Quantity;
import dev.rcc.bench.paper.Row;
import dev.rcc.bench.paper.Row.Entry;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * The claims of DSLR, sections 6.2 to 6.5 and A.4 to A.7, in words, about its lock manager and the managers that it is compared with.
 *
 * <p>If the paper gives a number, a value {@link #about} it is as good: from four fifths of the number to five quarters. A range has this
 * margin at both of its ends.
 */
public final class DslrBook {
    private static final double MARGIN = 1.25;

    private static final String DSLR = DslrSetups.DSLR;
    private static final String TRADITIONAL = DslrSetups.TRADITIONAL;
    private static final String READERS_FIRST = DslrSetups.READERS_FIRST;
    private static final String DRTM = "drtm";

    /** The lock managers that 6.2, 6.3 and A.4 compare: all but the manager of 6.4. */
    private static final List<String> MANAGERS = DslrSetups.compared();

    private static final List<String> BASELINES =
            MANAGERS.stream().filter(name -> !name.equals(DSLR)).toList();
    private static final List<String> DECENTRALIZED =
            BASELINES.stream().filter(name -> !name.equals(TRADITIONAL)).toList();
    /** The managers that have queues and send messages. */
    private static final List<String> QUEUES = MANAGERS.stream()
            .filter(name -> name.equals(TRADITIONAL) || name.equals("n-cosed"))
            .toList();

    private static final List<String> TRIED_AGAIN =
            BASELINES.stream().filter(name -> !QUEUES.contains(name)).toList();

    private static final int HIGH = 1;
    private static final int LOW = 10;
    private static final List<Integer> NODES = List.of(1, 2, 4, 8, 16);
    private static final List<Double> ALPHAS = List.of(1.5, 2.0, 2.5, 3.0);
    private static final List<Double> RHOS = List.of(0.0, 0.25, 0.5, 0.75, 1.0);
    private static final List<Double> MANY_SCANS = List.of(0.05, 0.1, 0.2, 0.5);
    private static final List<Integer> BACKOFFS = List.of(10, 100, 1_000, 10_000);
    private static final List<Integer> LEASES = List.of(10, 50, 100, 500, 1_000, 10_000);
    private static final List<Double> FAILURES = List.of(0.001, 0.01, 0.1);
    private static final List<Integer> DELAYS = List.of(0, 1, 10, 100);

    /** The claims. */
    public static final Book BOOK = Book.of(
            "dslr",
            "Distributed Lock Management with RDMA: Decentralization without Starvation",
            List.of(
                    new Section("6.2", "Locking Performance For TPC-C", tpcc()),
                    new Section("6.3", "Scalability of DSLR", scalability()),
                    new Section("6.4", "Performance with Long-Running Reads", longReads()),
                    new Section("6.5", "Effectiveness of Our Multi-Slot Leasing", slots()),
                    new Section("A.4", "Performance Study with Microbenchmark", micro()),
                    new Section("A.5", "Effectiveness of Random Backoff", backoff()),
                    new Section("A.6", "Lease Time and Transaction Failures", leases()),
                    new Section("A.7", "DSLR with Dynamic Interval Polling", polling())));

    private DslrBook() {}

    /** The values that count as a number of the paper. */
    static Band about(double number) {
        return about(number, number);
    }

    /** The values that count as a range of the paper. */
    static Band about(double low, double high) {
        return Band.between(low / MARGIN, high * MARGIN);
    }

    // ---- 6.2: TPC-C on 16 nodes

    private static List<Claim> tpcc() {
        return List.of(
                Claim.of(
                        "figure 8a",
                        "DSLR has more throughput than all others, at high and at low contention.",
                        "first, with 1 and with 10 warehouses a node",
                        new Criterion.Rank(
                                DSLR,
                                1,
                                List.of(
                                        byManager("1 warehouse", MANAGERS, name -> throughput(tpcc(name, HIGH))),
                                        byManager("10 warehouses", MANAGERS, name -> throughput(tpcc(name, LOW)))))),
                Claim.of(
                        "figure 8a",
                        "At high contention, DSLR has 1.8 to 2.5 times the throughput of all others.",
                        "1.44 to 3.13 times that of each, with 1 warehouse a node",
                        Criterion.each(about(1.8, 2.5), gains(BASELINES, HIGH, Quantity.THROUGHPUT))),
                Claim.of(
                        "figure 8a",
                        "At low contention, DSLR has 2.8 times the throughput of Traditional.",
                        "2.24 to 3.5 times, with 10 warehouses a node",
                        Criterion.each(about(2.8), said(2.8, gains(List.of(TRADITIONAL), LOW, Quantity.THROUGHPUT)))),
                Claim.of(
                        "figure 8a",
                        "At low contention, DSLR has 1.1 to 1.3 times the throughput of the other decentralized ones.",
                        "0.88 to 1.63 times that of each, with 10 warehouses a node",
                        Criterion.each(about(1.1, 1.3), gains(DECENTRALIZED, LOW, Quantity.THROUGHPUT))),
                Claim.of(
                        "figure 8b",
                        "At high contention, DSLR's mean latency is 1.9 to 2.5 times lower than that of all others.",
                        "1.52 to 3.13 times, with 1 warehouse a node",
                        Criterion.each(about(1.9, 2.5), gains(BASELINES, HIGH, Quantity.LATENCY_MEAN))),
                Claim.of(
                        "figure 8b",
                        "At low contention, DSLR's mean latency is 1.2 to 1.5 times lower than that of the other decentralized ones,"
                                + " and 2.8 times lower than Traditional's.",
                        "0.96 to 1.88 times, and 2.24 to 3.5 times, with 10 warehouses a node",
                        new Criterion.All(List.of(
                                Criterion.each(about(1.2, 1.5), gains(DECENTRALIZED, LOW, Quantity.LATENCY_MEAN)),
                                Criterion.each(
                                        about(2.8),
                                        said(2.8, gains(List.of(TRADITIONAL), LOW, Quantity.LATENCY_MEAN)))))),
                Claim.of(
                        "figure 8c",
                        "At low contention, DSLR's 99.9th percentile is 2.4 to 4.9 times lower than that of all others.",
                        "1.92 to 6.13 times, with 10 warehouses a node",
                        Criterion.each(about(2.4, 4.9), gains(BASELINES, LOW, Quantity.LATENCY_P999))),
                Claim.of(
                        "figure 8c",
                        "At high contention, DSLR's 99.9th percentile is up to 46.7 times lower than that of others.",
                        "37.4 to 58.4 times lower than the highest of them, with 1 warehouse a node",
                        Criterion.each(
                                about(46.7),
                                Row.of(
                                        "p99.9 over DSLR's",
                                        Entry.of(
                                                        "the highest",
                                                        Figure.highest(
                                                                figures(gains(BASELINES, HIGH, Quantity.LATENCY_P999))))
                                                .said(46.7)))),
                Claim.of(
                        "figure 8c",
                        "At high contention, Traditional's tail is shorter than those of the other baselines.",
                        "it has the lowest 99.9th percentile of them, with 1 warehouse a node",
                        new Criterion.Rank(
                                TRADITIONAL,
                                BASELINES.size(),
                                List.of(byManager(
                                        "p99.9",
                                        BASELINES,
                                        name -> reading(tpcc(name, HIGH), Quantity.LATENCY_P999))))),
                Claim.of(
                        "figure 8c",
                        "At high contention, DSLR's 99.9th percentile is about half of Traditional's.",
                        "1.6 to 2.5 times lower, with 1 warehouse a node",
                        Criterion.each(about(2), said(2, gains(List.of(TRADITIONAL), HIGH, Quantity.LATENCY_P999)))));
    }

    /** DSLR's gain over each of some managers: its throughput over the other's, or the other's latency over its. */
    private static Row gains(List<String> others, int warehouses, Quantity quantity) {
        boolean isBetterHigh = quantity.equals(Quantity.THROUGHPUT);
        Figure own = reading(tpcc(DSLR, warehouses), quantity);
        return byManager(isBetterHigh ? "DSLR's over" : "over DSLR's", others, name -> {
            Figure other = reading(tpcc(name, warehouses), quantity);
            return isBetterHigh ? new Figure.Ratio(own, other) : new Figure.Ratio(other, own);
        });
    }

    private static LockSetup tpcc(String manager, int warehouses) {
        return DslrSetups.tpcc(manager, DslrSetups.NODES, warehouses);
    }

    // ---- 6.3: 1 to 16 nodes with locks and clients, 10 warehouses each

    private static List<Claim> scalability() {
        return List.of(
                Claim.of(
                        "figure 9",
                        "With 16 times as many nodes, DSLR has 14.5 times the throughput.",
                        "11.6 to 18.1 times, from 1 to 16 nodes",
                        Criterion.each(about(14.5), said(14.5, growth(List.of(DSLR))))),
                Claim.of(
                        "figure 9",
                        "The throughput of all scales almost linearly.",
                        "at least 12 times as much with 16 nodes as with 1, for each",
                        Criterion.each(Band.atLeast(12), growth(MANAGERS))),
                Claim.of(
                        "figure 9",
                        "Lock managers with queues and messages scale worse than those that try again.",
                        "with 16 nodes, each has gained less over 1 node than Retry-on-Fail and DrTM",
                        new Criterion.Order(TRIED_AGAIN, QUEUES, List.of(growth(BASELINES)))),
                Claim.of(
                        "figure 9",
                        "DSLR has more throughput than the others.",
                        "first, with 1, 2, 4, 8 and 16 nodes",
                        new Criterion.Rank(
                                DSLR,
                                1,
                                NODES.stream()
                                        .map(nodes -> byManager(
                                                nodes + " nodes", MANAGERS, name -> throughput(scaled(name, nodes))))
                                        .toList())),
                Claim.of(
                        "figure 9",
                        "DrTM has the longest tail.",
                        "the highest 99.9th percentile, with 16 nodes",
                        new Criterion.Rank(
                                DRTM,
                                1,
                                List.of(byManager(
                                        "p99.9, 16 nodes",
                                        MANAGERS,
                                        name -> reading(scaled(name, 16), Quantity.LATENCY_P999))))),
                Claim.of(
                        "figure 9",
                        "DSLR's mean latency and 99.9th percentile stay the same with more nodes.",
                        "the highest is at most 1.25 times the lowest, of 1 to 16 nodes",
                        Criterion.each(
                                Band.atMost(MARGIN),
                                Row.of(
                                        "DSLR, highest over lowest",
                                        Entry.of("mean", Figure.spread(byNodes(Quantity.LATENCY_MEAN))),
                                        Entry.of("p99.9", Figure.spread(byNodes(Quantity.LATENCY_P999)))))));
    }

    private static Row growth(List<String> managers) {
        return byManager(
                "16 nodes over 1",
                managers,
                name -> new Figure.Ratio(throughput(scaled(name, 16)), throughput(scaled(name, 1))));
    }

    private static List<Figure> byNodes(Quantity quantity) {
        return NODES.stream()
                .map(nodes -> reading(scaled(DSLR, nodes), quantity))
                .toList();
    }

    private static LockSetup scaled(String manager, int nodes) {
        return DslrSetups.tpcc(manager, nodes, LOW);
    }

    // ---- 6.4: scans of a table beside TPC-C

    private static List<Claim> longReads() {
        List<String> managers = List.of(DSLR, TRADITIONAL, READERS_FIRST);
        return List.of(
                Claim.of(
                        "figure 10",
                        "With few long reads already, the throughput of all drops significantly.",
                        "with 0.01 %, each has at most 0.8 times what it has without",
                        Criterion.each(
                                Band.atMost(0.8),
                                byManager(
                                        "0.01 % over none",
                                        managers,
                                        name -> new Figure.Ratio(
                                                throughput(DslrSetups.scans(name, 0.0001)),
                                                throughput(DslrSetups.scans(name, 0)))))),
                Claim.of(
                        "figure 10",
                        "With 0.01 % long reads, DSLR and Traditional_RO are similar.",
                        "Traditional_RO has 0.8 to 1.25 times DSLR's throughput",
                        Criterion.each(about(1), readersFirst(List.of(0.0001)))),
                Claim.of(
                        "figure 10",
                        "With 0.1 % to 1 % long reads, Traditional_RO has 1.2 to 1.4 times DSLR's throughput.",
                        "0.96 to 1.75 times, with 0.1 % and 1 %",
                        Criterion.each(about(1.2, 1.4), readersFirst(List.of(0.001, 0.01)))),
                Claim.of(
                        "figure 10",
                        "With 0.1 % to 1 % long reads, Traditional_RO is ahead of DSLR.",
                        "more throughput, with 0.1 % and 1 %",
                        Criterion.each(Band.above(1), readersFirst(List.of(0.001, 0.01)))),
                Claim.of(
                        "figure 10",
                        "With 1 % long reads, the whole system comes to a halt.",
                        "Traditional_RO has at most a twentieth of what DSLR has without long reads",
                        Criterion.each(
                                Band.atMost(0.05),
                                Row.of(
                                        "Traditional_RO with 1 % over DSLR without",
                                        Entry.of(
                                                        "",
                                                        new Figure.Ratio(
                                                                throughput(DslrSetups.scans(READERS_FIRST, 0.01)),
                                                                throughput(DslrSetups.scans(DSLR, 0))))
                                                .said(1_400.0 / 110_000)))));
    }

    private static Row readersFirst(List<Double> rates) {
        return new Row(
                "Traditional_RO over DSLR",
                rates.stream()
                        .map(rate -> Entry.of(
                                percent(rate),
                                new Figure.Ratio(
                                        throughput(DslrSetups.scans(READERS_FIRST, rate)),
                                        throughput(DslrSetups.scans(DSLR, rate)))))
                        .toList());
    }

    // ---- 6.5: leases of as many slots as a scan needs

    private static List<Claim> slots() {
        return List.of(
                Claim.of(
                        "figure 11",
                        "Multi-slot leasing has a better throughput than a fixed lease.",
                        "more throughput, with 5 %, 10 %, 20 % and 50 % long reads",
                        Criterion.each(
                                Band.above(1),
                                byRate(
                                        "multi-slot over fixed",
                                        MANY_SCANS,
                                        rate -> new Figure.Ratio(
                                                throughput(DslrSetups.scans(DSLR, rate)),
                                                throughput(DslrSetups.fixedLease(rate)))))),
                Claim.of(
                        "figure 11",
                        "With multi-slot leasing no transaction aborts.",
                        "an abort rate of 0, with 5 %, 10 %, 20 % and 50 % long reads",
                        Criterion.each(
                                Band.atMost(0),
                                byRate(
                                        "abort rate, multi-slot",
                                        MANY_SCANS,
                                        rate -> reading(DslrSetups.scans(DSLR, rate), Quantity.ABORT_RATE)))),
                Claim.of(
                        "figure 11",
                        "With a fixed lease over half of the transactions abort.",
                        "an abort rate above 0.5, with 5 %, 10 %, 20 % and 50 % long reads",
                        Criterion.each(
                                Band.above(0.5),
                                byRate(
                                        "abort rate, fixed",
                                        MANY_SCANS,
                                        rate -> reading(DslrSetups.fixedLease(rate), Quantity.ABORT_RATE)))));
    }

    // ---- A.4: one lock a transaction, by a power law

    private static List<Claim> micro() {
        return List.of(
                Claim.of(
                        "figure 14",
                        "With more skew, all have less throughput.",
                        "less with alpha 3 than with 1.5, for each",
                        new Criterion.Series(
                                Trend.ENDS_LOWER,
                                MANAGERS.stream()
                                        .map(name -> byAlpha(name, Quantity.THROUGHPUT))
                                        .toList())),
                Claim.of(
                        "figure 14",
                        "DSLR loses least by skew.",
                        "of what it has with alpha 1.5 it keeps the largest share with 3",
                        new Criterion.Rank(DSLR, 1, List.of(kept(MANAGERS)))),
                Claim.of(
                        "figure 14",
                        "At each skew, DSLR has the lowest mean latency and the lowest 99.9th percentile.",
                        "the lowest of all, with alpha 1.5, 2, 2.5 and 3",
                        new Criterion.All(List.of(
                                lowestByAlpha("mean", Quantity.LATENCY_MEAN),
                                lowestByAlpha("p99.9", Quantity.LATENCY_P999)))),
                Claim.of(
                        "figure 14",
                        "At each skew, DSLR has the highest throughput.",
                        "first, with alpha 1.5, 2, 2.5 and 3",
                        new Criterion.Rank(
                                DSLR,
                                1,
                                ALPHAS.stream()
                                        .map(alpha -> byManager(
                                                "alpha " + plain(alpha),
                                                MANAGERS,
                                                name -> throughput(DslrSetups.micro(name, alpha, 0.5))))
                                        .toList())),
                Claim.of(
                        "figure 14",
                        "Skew affects DrTM and N-CoSED most.",
                        "of what they have with alpha 1.5, each keeps a smaller share with 3 than all others",
                        new Criterion.Order(
                                MANAGERS.stream()
                                        .filter(name -> !DRTM.equals(name) && !"n-cosed".equals(name))
                                        .toList(),
                                MANAGERS.stream()
                                        .filter(name -> DRTM.equals(name) || "n-cosed".equals(name))
                                        .toList(),
                                List.of(kept(MANAGERS)))),
                Claim.of(
                        "figure 15",
                        "DrTM drops significantly as soon as there are shared locks.",
                        "with rho 0.25 it has at most half the throughput that it has with 0",
                        Criterion.each(
                                Band.atMost(0.5),
                                Row.of(
                                        "DrTM, rho 0.25 over 0",
                                        Entry.of(
                                                "",
                                                new Figure.Ratio(
                                                        throughput(DslrSetups.micro(DRTM, 2, 0.25)),
                                                        throughput(DslrSetups.micro(DRTM, 2, 0))))))),
                Claim.of(
                        "figure 15",
                        "When all only read, DrTM is first.",
                        "the highest throughput, with rho 1",
                        new Criterion.Rank(DRTM, 1, List.of(byRho(1)))),
                Claim.of(
                        "figure 15",
                        "Otherwise DSLR is first.",
                        "the highest throughput, with rho 0, 0.25, 0.5 and 0.75",
                        new Criterion.Rank(
                                DSLR,
                                1,
                                RHOS.stream()
                                        .filter(rho -> rho < 1)
                                        .map(DslrBook::byRho)
                                        .toList())));
    }

    private static Row byAlpha(String manager, Quantity quantity) {
        return new Row(
                manager + ", by alpha",
                ALPHAS.stream()
                        .map(alpha -> Entry.of(plain(alpha), reading(DslrSetups.micro(manager, alpha, 0.5), quantity)))
                        .toList());
    }

    private static Row kept(List<String> managers) {
        return byManager(
                "alpha 3 over 1.5",
                managers,
                name -> new Figure.Ratio(
                        throughput(DslrSetups.micro(name, 3, 0.5)), throughput(DslrSetups.micro(name, 1.5, 0.5))));
    }

    private static Criterion lowestByAlpha(String what, Quantity quantity) {
        return new Criterion.Rank(
                DSLR,
                MANAGERS.size(),
                ALPHAS.stream()
                        .map(alpha -> byManager(
                                what + ", alpha " + plain(alpha),
                                MANAGERS,
                                name -> reading(DslrSetups.micro(name, alpha, 0.5), quantity)))
                        .toList());
    }

    private static Row byRho(double rho) {
        return byManager("rho " + plain(rho), MANAGERS, name -> throughput(DslrSetups.micro(name, 2, rho)));
    }

    // ---- A.5: one node with one warehouse, 31 with clients

    private static List<Claim> backoff() {
        return List.of(
                Claim.of(
                        "figure 16",
                        "With a backoff of at most 10 or 100 us, the throughput is far below that with 1,000 us and more.",
                        "with 1,000 and 10,000 us, each has at least 1.25 times that of each with 10 and 100",
                        Criterion.each(
                                Band.atLeast(MARGIN),
                                Row.of(
                                        "1,000 and 10,000 us over 10 and 100 us",
                                        Entry.of(
                                                "lowest over highest",
                                                new Figure.Ratio(
                                                        Figure.lowest(backoffs(List.of(1_000, 10_000))),
                                                        Figure.highest(backoffs(List.of(10, 100)))))))),
                Claim.of(
                        "figure 16",
                        "With a backoff of less than 1,000 us, DSLR keeps failing to reset counters.",
                        "fewer resets to zero a second with 10 and 100 us than with 1,000 and 10,000",
                        new Criterion.Order(
                                List.of("1000", "10000"), List.of("10", "100"), List.of(zeroings(BACKOFFS)))),
                Claim.of(
                        "figure 16",
                        "With 1,000 us and more, counters are reset as required.",
                        "there are resets to zero, with 1,000 and 10,000 us",
                        Criterion.each(Band.above(0), zeroings(List.of(1_000, 10_000)))));
    }

    private static List<Figure> backoffs(List<Integer> micros) {
        return micros.stream().map(most -> throughput(DslrSetups.backoff(most))).toList();
    }

    private static Row zeroings(List<Integer> micros) {
        return byMicros("resets to zero, by us", micros, most -> reading(DslrSetups.backoff(most), Quantity.ZEROINGS));
    }

    // ---- A.6: transactions that fail without a release

    private static List<Claim> leases() {
        return List.of(
                Claim.of(
                        "figure 18",
                        "With leases of 10 and 50 us, many transactions abort.",
                        "more than with each longer lease, for 0.1 %, 1 % and 10 % failures",
                        new Criterion.Order(
                                List.of("10", "50"),
                                List.of("100", "500", "1000", "10000"),
                                FAILURES.stream()
                                        .map(rate -> byLease("abort rate", rate, Quantity.ABORT_RATE))
                                        .toList())),
                Claim.of(
                        "figure 17",
                        "With leases of 10 and 50 us, the throughput is low.",
                        "less than with 100 us, for 0.1 %, 1 % and 10 % failures",
                        new Criterion.Order(List.of("100"), List.of("10", "50"), throughputs())),
                Claim.of(
                        "figure 17",
                        "With leases of 500 us and more, waiting lowers the throughput.",
                        "less than with 100 us, for 0.1 %, 1 % and 10 % failures",
                        new Criterion.Order(List.of("100"), List.of("500", "1000", "10000"), throughputs())),
                Claim.of(
                        "figure 17",
                        "The best lease is about 100 us.",
                        "within 5 % of the highest throughput, for 0.1 %, 1 % and 10 % failures",
                        new Criterion.NearHighest("100", 0.95, throughputs())));
    }

    private static List<Row> throughputs() {
        return FAILURES.stream()
                .map(rate -> byLease("throughput", rate, Quantity.THROUGHPUT))
                .toList();
    }

    private static Row byLease(String what, double rate, Quantity quantity) {
        return byMicros(
                what + ", " + percent(rate) + " failures, by us of lease",
                LEASES,
                lease -> reading(DslrSetups.failing(lease, rate), quantity));
    }

    // ---- A.7: looking after a while, or all the time

    private static List<Claim> polling() {
        return List.of(
                Claim.of(
                        "figure 19",
                        "With busy polling, DSLR uses less than 15 % of the network's capacity.",
                        "less than 0.15, with 0, 1, 10 and 100 ms between transactions",
                        Criterion.each(Band.below(0.15), nicShare("busy", true))),
                Claim.of(
                        "figure 19",
                        "With dynamic polling, it uses a little over 5 %.",
                        "the highest share of 0, 1, 10 and 100 ms between transactions is 0.04 to 0.0625",
                        Criterion.each(
                                about(0.05),
                                Row.of(
                                        "dynamic",
                                        Entry.of("the highest", Figure.highest(figures(nicShare("", false))))
                                                .said(0.05)))),
                Claim.of(
                        "figure 19",
                        "Dynamic polling reduces the use of the network considerably.",
                        "at most half of that with busy polling, without a time between transactions",
                        Criterion.each(
                                Band.atMost(0.5),
                                Row.of(
                                        "dynamic over busy",
                                        Entry.of(
                                                        "",
                                                        new Figure.Ratio(
                                                                reading(
                                                                        DslrSetups.polling(0, false),
                                                                        Quantity.NIC_SHARE),
                                                                reading(
                                                                        DslrSetups.polling(0, true),
                                                                        Quantity.NIC_SHARE)))
                                                .said(5.0 / 15)))),
                Claim.of(
                        "figure 19",
                        "Dynamic polling has a slightly better throughput.",
                        "more throughput, without a time between transactions",
                        Criterion.each(
                                Band.above(1),
                                Row.of(
                                        "dynamic over busy",
                                        Entry.of(
                                                "",
                                                new Figure.Ratio(
                                                        throughput(DslrSetups.polling(0, false)),
                                                        throughput(DslrSetups.polling(0, true))))))));
    }

    private static Row nicShare(String label, boolean isBusy) {
        return new Row(
                label + ", by ms between transactions",
                DELAYS.stream()
                        .map(delay -> Entry.of(
                                Integer.toString(delay),
                                reading(DslrSetups.polling(delay, isBusy), Quantity.NIC_SHARE)))
                        .toList());
    }

    // ---- figures and rows

    private static Figure throughput(LockSetup setup) {
        return reading(setup, Quantity.THROUGHPUT);
    }

    private static Figure reading(LockSetup setup, Quantity quantity) {
        return new Figure.Reading(setup, quantity);
    }

    private static Row byManager(String label, List<String> managers, Function<String, Figure> figure) {
        return new Row(
                label,
                managers.stream()
                        .map(name -> Entry.of(name, figure.apply(name)))
                        .toList());
    }

    private static Row byRate(String label, List<Double> rates, Function<Double, Figure> figure) {
        return new Row(
                label,
                rates.stream()
                        .map(rate -> Entry.of(percent(rate), figure.apply(rate)))
                        .toList());
    }

    private static Row byMicros(String label, List<Integer> micros, IntFunction<Figure> figure) {
        return new Row(
                label,
                micros.stream()
                        .map(each -> Entry.of(Integer.toString(each), figure.apply(each)))
                        .toList());
    }

    /** The row with the paper's number for its one figure. */
    private static Row said(double number, Row row) {
        List<Entry> entries = new ArrayList<>();
        row.entries().forEach(entry -> entries.add(entry.said(number)));
        return new Row(row.label(), entries);
    }

    private static List<Figure> figures(Row row) {
        return row.entries().stream().map(Entry::figure).toList();
    }

    private static String percent(double rate) {
        return plain(rate * 100) + " %";
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(Math.round(number * 1e4) / 1e4)
                .stripTrailingZeros()
                .toPlainString();
    }
}
