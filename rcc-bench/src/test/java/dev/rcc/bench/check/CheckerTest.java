package dev.rcc.bench.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.bench.history.History;
import dev.rcc.bench.history.HistoryBuilder;
import dev.rcc.bench.history.SerialHistory;
import dev.rcc.bench.history.Status;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CheckerTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "t1: r(x)0 w(x)1 | t2: r(x)1 w(x)2 | t3: r(x)2",
                "t1: w(x)1 w(y)1 | t2: r(x)0 r(y)0 | t3: r(x)1 r(y)1",
                "t1: r(x)0 w(y)1 | t2: r(y)1 w(x)1",
                "t1: r(x)0 w(x)1 r(x)1",
                "t1: w(x)1 w(x)2 r(x)2 | t2: r(x)2",
                "t1: w(x)1 w(x)3 | t2: w(x)2",
                "t1: w(x)1",
                "t1!: w(x)1 | t2: r(x)0",
                "t1?: w(x)1 w(y)1 | t2: r(x)0 r(y)0",
                "t1?: w(x)1 | t2: r(x)1",
                "t1: rl(l)0 i(a)1 wl(l)1 | t2: rl(l)1 i(b)2 wl(l)2 | t3: s(a..c)a=1,b=2",
                "t1: i(b)1 | t2: s(a..c) | t3: s(a..c)b=1 d(b)2 | t4: s(a..c)",
                "t1: i(b)1 | t2: d(b)2 | t3: i(b)3 | t4: d(b)4 | t5: s(a..c) | t6: s(a..)b=3",
                "t1: i(b)1 w(n)1 | t2?: d(b)2 | t3: r(n)1 s(a..d)",
                "t1: s(a..d) i(b)1 s(a..d)b=1 d(b)2 s(a..d)",
                "t1: i(b)1 | t2: d(b)2 i(b)3 | t3: r(b)3 s(a..d)b=3",
                "t1: a(x)1 | t2: a(x)2 r(x)[1 2] a(x)3 r(x)[1 2 3]",
                "t1: a(x)1 r(x)[1] a(x)2 r(x)[1 2] | t2: r(x)[]",
                "t1: a(x)1 | t2!: a(x)2 | t3!: r(x)[1 2] | t4: a(x)3 | t5: r(x)[1 3]",
                "t1: a(x)1 w(y)1 | t2: r(y)1 a(x)2 | t3!: r(x)[2 1]",
                "t1: a(x)1 w(y)1 | t2: r(y)1 a(x)2 | t3?: r(x)[2 1] | t4: r(x)[1 2]",
                "t1: a(x)1 a(x)2 | t2: r(x)[1 2] a(x)3 | t3: r(x)[1 2 3] | t4: r(x)[] | t5: a(x)9 | t6: a(x)8",
            })
    void shouldAcceptSerializableHistories(String history) {
        CheckResult checked = Checker.check(History.parse(history), Model.SERIALIZABLE);
        assertThat(checked.isClean()).as(checked.report()).isTrue();
        assertThat(checked.report()).startsWith("serializable: ").hasLineCount(1);
    }

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource(
            delimiter = ';',
            value = {
                "G0; a dirty write; t1: w(x)1 w(y)2 | t2: w(x)2 w(y)1",
                "G1a; a dirty read; t1!: w(x)1 | t2: r(x)1",
                "G1a; a dirty read; t1!: a(x)1 | t2: a(x)2 | t3: r(x)[1 2]",
                "G1b; an intermediate read; t1: w(x)1 w(x)2 | t2: r(x)1",
                "G1b; an intermediate read; t1: a(x)1 a(x)2 | t2: r(x)[1] | t3: r(x)[1 2]",
                "G1c; circular information flow; t1: w(x)1 r(y)1 | t2: r(x)1 w(y)1",
                "G1c; circular information flow; t1: w(x)1 w(y)2 | t2: r(x)1 w(y)1",
                "G-single; read skew; t1: w(x)1 w(y)1 | t2: r(x)0 r(y)1",
                "G-single; read skew; t1: w(x)1 | t2: r(x)0 r(x)1",
                "G-single; a lost update; t1: r(x)0 w(x)1 | t2: r(x)0 w(x)2",
                "G-single; read skew; t1: a(x)1 | t2: r(x)[1] a(y)7 | t3: r(y)[7] r(x)[]",
                "G2-item; write skew; t1: r(x)0 r(y)0 w(x)1 | t2: r(x)0 r(y)0 w(y)1",
                "G2-item; write skew; t1: w(x)1 | t2: w(y)1 | t3: r(x)1 r(y)0 | t4: r(x)0 r(y)1",
                "G2; a phantom; t1: rl(l)0 i(a)1 wl(l)1 w(n)1 | t2: rl(l)0 r(n)1",
                "G2; a phantom; t1: s(a..d) i(z)1 | t2: i(b)1 s(x..)",
                "G2; a phantom; t1: i(b)1 w(n)1 | t2: s(a..d) r(n)1",
                "G1c; circular information flow; t1: d(b)2 r(n)2 | t2: s(a..d) w(n)2",
                "duplicate-write; two transactions; t1: w(x)1 | t2: w(x)1",
                "duplicate-insert; a key that existed; t1: i(x)1 | t2: i(x)2",
                "duplicate-insert; a key that existed; t1: w(x)1 | t2: i(x)2 w(x)3",
                "duplicate-insert; a key that existed; t1: d(x)1 i(x)2 | t2: i(x)3 d(x)4",
                "duplicate-elements; more than once; t1: a(l)1 a(l)2 | t2: r(l)[1 2 1]",
                "G1b; intermediate; t1: a(l)1 a(l)2 | t2: r(l)[1]",
                "G1b; intermediate; t1: a(l)1 a(l)2 | t2: r(l)[1] | t3: r(l)[1 2]",
                "garbage-read; no transaction wrote; t1: w(x)1 | t2: w(x)5 | t3: r(x)3",
                "garbage-read; no transaction wrote; t1: r(x)7",
                "internal; disagrees; t1: r(x)0 w(x)1 r(x)0",
                "internal; disagrees; t1: r(x)1 w(x)1",
                "internal; disagrees; t1: r(x)1 w(x)1 w(x)2",
                "incompatible-order; contradict; t1: a(x)1 | t2: a(x)2 | t3: r(x)[1 2] | t4: r(x)[2 1]",
                "G-single; read skew; t1?: w(x)1 w(y)1 | t2: r(x)1 r(y)0",
                "G1a; a dirty read; t1!: a(x)1 | t2: a(x)2 r(x)[1 2]",
                "garbage-read; no transaction wrote; t1: a(x)2 r(x)[7 2]",
                "G1b; an intermediate read; t1: a(x)1 a(x)3 | t2: a(x)2 r(x)[1 2]",
                "internal; disagrees; t1: a(x)1 a(x)2 r(x)[2]",
                "internal; disagrees; t1: a(x)1 a(x)2 r(x)[2 1]",
                "internal; disagrees; t1: a(x)1 | t2: a(x)2 a(x)3 r(x)[2 1 3]",
                "internal; disagrees; t1: a(x)1 r(x)[2 1] a(x)2",
                "internal; disagrees; t1: i(b)1 s(a..d)",
                "internal; disagrees; t1: d(b)1 s(a..d)b=1",
                "internal; disagrees; t1: d(b)1 r(b)1",
                "deleted-read; had been removed; t1: i(b)1 | t2: d(b)2 | t3: r(b)2",
                "deleted-read; had been removed; t1: i(b)1 | t2: d(b)2 | t3: s(a..d)b=2",
                "deleted-read; had been removed; t1?: d(b)2 | t3: r(b)2",
            })
    void shouldNameTheAnomaly(String anomaly, String title, String history) {
        History small = History.parse(history);
        CheckResult checked = Checker.check(small, Model.SERIALIZABLE);
        assertFirst(checked, anomaly, title);
        assertThat(Checker.check(small, Model.SERIALIZABLE).report()).isEqualTo(checked.report());
        if (small.contradictions().isEmpty()) {
            for (long seed = 1; seed <= 3; seed++) {
                assertFirst(Checker.check(embedded(seed, small), Model.SERIALIZABLE), anomaly, title);
            }
        }
    }

    private static void assertFirst(CheckResult checked, String anomaly, String title) {
        assertThat(checked.isClean()).isFalse();
        Finding first = checked.findings().getFirst();
        assertThat(first.anomaly().label()).as(checked.report()).isEqualTo(anomaly);
        assertThat(first.title()).contains(title);
        assertThat(first.transactions()).allMatch(name -> name.startsWith("t"));
        assertThat(checked.report()).startsWith("NOT ").contains(anomaly + ", ");
    }

    /** The history amidst thousands of correct transactions. */
    private static History embedded(long seed, History planted) {
        return new SerialHistory(seed, "sea/", 200, 10)
                .add(3_000, 5, 20)
                .add(planted)
                .add(3_000, 5, 20)
                .build();
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "G-single-realtime; t1@0-10: w(x)1 | t2@20-30: r(x)0",
                "G0-realtime; t1@0-10: w(x)2 | t2@20-30: w(x)1",
                "G1c-realtime; t1@20-30: w(x)1 | t2@0-10: r(x)1",
                "G2-item-realtime; t1@0-10: w(x)1 | t2@20-30: r(y)0 | t3@0-40: r(x)0 w(y)1",
                "G2-realtime; t1@0-10: rl(l)0 i(a)1 wl(l)1 | t2@20-30: rl(l)0",
                "G-single-realtime; t1@0-10: w(x)1 | t2@11-20: w(y)1 | t3@21-30: r(y)1 | t4@31-40: r(x)0",
            })
    void shouldNameRealTimeAnomaliesOnlyUnderTheStrictModel(String anomaly, String history) {
        History small = History.parse(history);
        assertThat(Checker.check(small, Model.SERIALIZABLE).isClean()).isTrue();
        assertFirst(Checker.check(small, Model.STRICT_SERIALIZABLE), anomaly, "a cycle of");
        History large = embedded(5, small);
        assertThat(Checker.check(large, Model.SERIALIZABLE).isClean()).isTrue();
        assertFirst(Checker.check(large, Model.STRICT_SERIALIZABLE), anomaly, "a cycle of");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "t1@0-10: w(x)1 | t2@10-30: r(x)0", // t2 began when t1 ended: either may be first
                "t1@0-30: w(x)1 | t2@10-20: r(x)0",
                "t1?@0-10: w(x)1 | t2@20-30: r(x)0 | t3@40-50: r(x)1", // took effect later
                "t1@0-10: w(x)1 | t2@20-30: r(x)1",
            })
    void shouldAcceptStrictlySerializableHistories(String history) {
        CheckResult checked = Checker.check(History.parse(history), Model.STRICT_SERIALIZABLE);
        assertThat(checked.isClean()).as(checked.report()).isTrue();
        assertThat(checked.report()).startsWith("strictly serializable: ");
    }

    @Test
    void shouldRejectATransactionWithoutTimesUnderTheStrictModel() {
        assertThatThrownBy(() -> Checker.check(History.parse("t1@0-1: r(x)0 | t2: r(x)0"), Model.STRICT_SERIALIZABLE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'t2' has no start or no end, allowed: serializable");
    }

    @Test
    void shouldExplainEachEdgeOfTheCycle() {
        String history = "t1: w(x)1 | t2: r(x)0 w(y)1 | t3: r(x)1 r(y)0";
        assertThat(Checker.check(History.parse(history), Model.SERIALIZABLE).report())
                .isEqualTo("""
                NOT serializable: 3 transactions, 3 edges

                G2-item, write skew, a cycle of 3 transactions:
                  t2 before t1, since t2 missed t1's x (read version 0, not 1)
                  t1 before t3, since t3 read t1's x (version 1)
                  t3 before t2, since t3 missed t2's y (read version 0, not 1)
                in
                  t2: r(x)0 w(y)1
                  t1: w(x)1
                  t3: r(x)1 r(y)0
                """);
    }

    @Test
    void shouldExplainOverwritesLeavesScansAndTime() {
        assertReasons("t1: w(x)3 w(y)4 | t2: w(x)5 w(y)2", "t2 overwrote t1's x (version 3) with its own (version 5)");
        assertReasons(
                "t1: rl(l)0 i(a)3 wl(l)3 w(n)1 | t2: rl(l)0 r(n)1",
                "t2 before t1, since t2 read the key set of l (version 0) before t1 changed it (version 3)");
        assertReasons("t1: i(b)1 w(n)1 | t2: s(a..d) r(n)1", "t2 before t1, since t2's scan missed t1's b (version 1)");
        CheckResult stale =
                Checker.check(History.parse("t1@0-10: w(x)1 | t2@1500-1600: r(x)0"), Model.STRICT_SERIALIZABLE);
        assertThat(stale.report()).contains("t1 before t2, since t1 ended 1,490 ns before t2 began");
    }

    private static void assertReasons(String history, String reason) {
        assertThat(Checker.check(History.parse(history), Model.SERIALIZABLE).report())
                .contains(reason);
    }

    @Test
    void shouldShowAShortestCycle() {
        String chain = "t1: r(a)0 w(b)1 | t2: r(b)0 w(c)1 | t3: r(c)0 w(d)1 | t4: r(d)0 w(a)1";
        assertThat(cycle(chain)).hasSize(4);
        assertThat(cycle(chain + " | t5: r(y)0 r(z)0 w(y)1 w(a)2 | t6: r(y)0 r(z)0 w(z)1 w(d)2"))
                .containsExactlyInAnyOrder("t5", "t6");
    }

    // Goal: a search that gives up before it comes to the only anomaly misses no cycle. Method: thousands of
    // transactions between an overwrite and a stale read are all on cycles with these two, and on no others.
    @Test
    void shouldFindACycleEvenIfTheSearchForAShortestOneIsCutOff() {
        History history = new SerialHistory(5, "sea/", 200, 10)
                .add(3_000, 5, 20)
                .add(History.parse("t1@0-10: w(x)1"))
                .add(3_000, 5, 20)
                .add(History.parse("t2@0-10: r(x)0"))
                .build();
        CheckResult checked = Checker.check(history, Model.STRICT_SERIALIZABLE, 1_000);
        assertThat(checked.findings()).as(checked.report()).singleElement().satisfies(finding -> {
            assertThat(finding.transactions()).contains("t1", "t2");
            assertThat(finding.reasons()).contains("t2 before t1, since t2 missed t1's x (read version 0, not 1)");
        });
        assertThat(checked.remarks())
                .containsExactly(
                        "the search for a shorter cycle was cut off",
                        "the search for a cycle of a worse kind was cut off");
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "G0; t1: w(x)2 w(y)1 | t2: w(y)2 w(z)1 | t3: w(z)2 w(x)1",
                "G1c; t1: w(x)1 r(z)1 | t2: r(x)1 w(y)1 | t3: r(y)1 w(z)1",
                "G-single; t1: w(x)1 | t2: r(x)1 w(y)1 | t3: r(y)1 r(x)0",
                "G2-item; t1: r(x)0 w(y)1 | t2: r(y)0 w(z)1 | t3: r(z)0 w(x)1",
                "G2; t1: rl(l)0 i(a)1 wl(l)1 w(n)1 | t2: r(n)1 w(m)1 | t3: r(m)1 rl(l)0",
            })
    void shouldNameACycleOfSeveralTransactionsIfTheSearchIsCutOff(String anomaly, String history) {
        CheckResult checked = Checker.check(History.parse(history), Model.SERIALIZABLE, 0);
        assertThat(checked.findings())
                .as(checked.report())
                .singleElement()
                .satisfies(finding -> assertThat(finding.anomaly().label()).isEqualTo(anomaly));
        assertThat(checked.remarks()).contains("the search for a shorter cycle was cut off");
    }

    private static List<String> cycle(String history) {
        return Checker.check(History.parse(history), Model.SERIALIZABLE)
                .findings()
                .getFirst()
                .transactions();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "t1: i(x)1 | t2: d(x)2 | t3: i(x)3",
                "t1: i(x)1 | t2: d(x)2 i(x)3",
                "t1: i(x)1 w(x)2 | t2: r(x)2 d(x)3 | t3: i(x)4",
                "t1: i(x)1 | t2?: d(x)2 | t3: i(x)3", // only t2 can have deleted x
                "t1: i(x)1 | t2!: i(x)2",
                "t1: a(l)1 a(l)2 | t2: r(l)[1 2]",
            })
    void shouldAcceptInsertsOfKeysThatWereRemovedAndListsReadWhole(String history) {
        CheckResult checked = Checker.check(History.parse(history), Model.SERIALIZABLE);
        assertThat(checked.isClean()).as(checked.report()).isTrue();
    }

    @Test
    void shouldShowListsWhole() {
        String contradiction = "t1: a(x)1 | t2: a(x)2 | t3: r(x)[1 2] | t4: r(x)[2 1]";
        assertReasons(contradiction, "t4 read the list x as [2 1], which neither begins nor continues");
        assertReasons(contradiction, "  t4: r(x)[2 1]\n");
        String twice = "t1: a(x)1 a(x)2 | t2: r(x)[1 2 1]";
        assertReasons(twice, "t2 read the list x as [1 2 1]");
        assertReasons(twice, "  t2: r(x)[1 2 1]\n");
        String skew = "t1: a(x)1 r(y)[] | t2: a(y)2 r(x)[]";
        assertReasons(skew, "t1 missed t2's element 2 of y (read [])");
        assertReasons(skew, "t2 missed t1's element 1 of x (read [])");
        assertReasons("t1: a(x)1 | t2: r(x)[7]", "t2 read element 7 of x, which no transaction wrote");
        assertReasons("t1: a(x)1 a(x)2 | t2: r(x)[1]", "t2 read element 1 of x, which t1 wrote, with more behind it");
    }

    @Test
    void shouldFollowAnOrderThatIsGiven() {
        HistoryBuilder builder = new HistoryBuilder();
        begin(builder, "t1").write("x", 5);
        begin(builder, "t2").read("x", 5).write("x", 3);
        begin(builder, "t3").read("x", 3);
        History backwards = builder.order("x", 5, 3).build();
        assertThat(Checker.check(backwards, Model.SERIALIZABLE).isClean()).isTrue();
        HistoryBuilder byNumber = new HistoryBuilder();
        begin(byNumber, "t1").write("x", 5);
        begin(byNumber, "t2").read("x", 5).write("x", 3);
        assertThat(Checker.check(byNumber.build(), Model.SERIALIZABLE).isClean())
                .isFalse();
    }

    // Goal: an unrecorded transaction raises no false alarm, but a cycle among recorded ones is found.
    // Method: leave every second transaction out of correct histories, then plant a cycle.
    @Test
    void shouldFindOnlyRecordedCyclesInAnIncompleteHistory() {
        History all = new SerialHistory(11, "sea/", 30, 10).add(2_000, 4, 10).build();
        History half = everySecond(all, "");
        CheckResult checked = Checker.check(half, Model.STRICT_SERIALIZABLE);
        assertThat(checked.isClean()).as(checked.report()).isTrue();
        assertThat(checked.report()).contains("note: not all transactions were recorded: half of them");
        assertThat(Checker.check(everySecond(all, "planted"), Model.SERIALIZABLE)
                        .findings())
                .singleElement()
                .satisfies(finding -> assertThat(finding.anomaly()).isEqualTo(Anomaly.G_SINGLE));
    }

    private static History everySecond(History all, String planted) {
        HistoryBuilder builder = new HistoryBuilder().incomplete("half of them");
        for (int t = 0; t < all.size(); t += 2) {
            builder.begin(all.name(t), all.process(t), all.startNanos(t), all.endNanos(t), all.status(t));
            for (int op = all.opsFrom(t); op < all.opsFrom(t + 1); op++) {
                Mutations.copy(all, op, builder, all.version(op));
            }
        }
        if (!planted.isEmpty()) {
            begin(builder, "t1").read("x", 0).read("y", 5); // the writer of 5 was not recorded
            begin(builder, "t2").write("x", 1).write("y", 3);
        }
        return builder.build();
    }

    private static HistoryBuilder begin(HistoryBuilder builder, String name) {
        return builder.begin(name, "", History.NO_TIME, History.NO_TIME, Status.COMMITTED);
    }
}
