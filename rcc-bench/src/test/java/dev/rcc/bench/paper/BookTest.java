package dev.rcc.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.tuple;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.Manifest;
import dev.rcc.bench.paper.Book.Section;
import dev.rcc.bench.paper.Row.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A tiny paper that the runner was not written for. */
class BookTest {
    private static final BenchSetup MODEL = BenchSetup.of(
                    "occ",
                    "rpc",
                    "smallbank",
                    new BenchConfig.Shape(4, 10, 1, 3),
                    Setup.Network.Simulated.as("wan-40ms"))
            .withProtocolOption("mvcc.versions", "2");
    private static final BenchSetup REAL = MODEL.withNetwork(new Setup.Network.Real("tcp", Map.of("tcp.nodelay", "on")))
            .withCode("one-sided");

    private static final Claim FASTER = Claim.of(
            "figure 1",
            "One-sided is faster.",
            "more throughput",
            Criterion.each(
                    Band.above(1),
                    Row.of(
                            "over RPC",
                            Entry.of(
                                            "occ",
                                            new Figure.Ratio(
                                                    throughput(MODEL.withCode("one-sided")), throughput(MODEL)))
                                    .said(1.5))));
    private static final Claim UNTESTED = Claim.untested("table 1", "There is more.", "we do not have it");
    private static final Claim TAIL = Claim.of(
            "table 2",
            "The tail is short.",
            "at most 10 us",
            Criterion.each(
                    Band.atMost(10), Row.of("", Entry.of("p99.9", new Figure.Reading(REAL, Quantity.LATENCY_P999)))));
    private static final Book BOOK = Book.of(
            "tiny",
            "A Tiny Paper",
            List.of(
                    new Section("5.1", "Speed", List.of(FASTER, UNTESTED)),
                    new Section("5.2", "Tails", List.of(TAIL))));

    private final List<Setup> ran = new ArrayList<>();

    @Test
    void shouldJudgeEachClaimByItsMeasurements() throws InterruptedException {
        List<Claim.Finding> findings = Judging.judge(BOOK, this::measure);
        assertThat(findings)
                .extracting(Claim.Finding::section, finding -> finding.claim().source(), BookTest::verdict)
                .containsExactly(
                        tuple("5.1", "figure 1", Verdict.HELD),
                        tuple("5.1", "table 1", Verdict.NOT_TESTED),
                        tuple("5.2", "table 2", Verdict.NOT_HELD));
        assertThat(value(findings.getFirst()).value()).isEqualTo(2);
        assertThat(findings.get(1).outcome().reason()).isEqualTo("we do not have it");
        assertThat(ran).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(BOOK.setups());
    }

    private static Verdict verdict(Claim.Finding finding) {
        return finding.outcome().verdict();
    }

    private static Row.Value value(Claim.Finding finding) {
        return finding.outcome().rows().getFirst().values().getFirst();
    }

    @Test
    void shouldRunASectionAlone() throws InterruptedException {
        List<Claim.Finding> findings = Judging.judge(BOOK.only("5.2"), this::measure);
        assertThat(findings).extracting(Claim.Finding::section).containsExactly("5.2");
        assertThat(ran).containsExactly(REAL);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BOOK.only("6"))
                .withMessage("got '6', allowed: one of 5.1, 5.2");
    }

    @Test
    void shouldRefuseASectionTwice() {
        Section section = new Section("1", "One", List.of());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Book.of("twice", "Twice", List.of(section, section)))
                .withMessageContaining("twice");
    }

    // Goal: a claim with a missing measurement is not tested. Method: runs that measure nothing.
    @Test
    void shouldNotTestAClaimWithoutItsMeasurement() throws InterruptedException {
        List<Claim.Finding> findings = Judging.judge(BOOK, setup -> new Measured(Map.of()));
        assertThat(findings).extracting(BookTest::verdict).containsOnly(Verdict.NOT_TESTED);
        assertThat(findings.getLast().outcome().reason())
                .isEqualTo("smallbank occ one-sided on tcp measured no latency_p999_us");
    }

    // Goal: figures of wrong data decide nothing. Method: one of three worlds loses an update in a run that the first
    // claim alone needs.
    @Test
    void shouldGiveTheClaimsOfARunWithWrongDataTheVerdictViolated() throws InterruptedException {
        Map<Condition, Lab> labs = Judging.labs(BOOK, 2, this::measure);
        Condition third = new Condition(Settings.TEXT, Assumption.NONE, 44);
        Invariants violated = new Invariants(true, List.of("an update is lost"));
        labs.put(
                third,
                BOOK.run(third, setup -> setup.equals(MODEL) ? new Measured(Map.of(), violated) : measure(setup)));
        List<Claim.Finding> findings = BOOK.judge(Evidence.of(BOOK, labs, Optional.empty()));

        assertThat(findings)
                .extracting(BookTest::verdict)
                .containsExactly(Verdict.VIOLATED, Verdict.NOT_TESTED, Verdict.NOT_HELD);
        assertThat(findings.getFirst().outcome().detail())
                .hasValue("smallbank occ rpc on sim, MODELLED as wan-40ms: an update is lost");
        BenchConfig.Times times = new BenchConfig.Times(0.001, 0.002);
        String json = PaperJson.toText(BOOK, findings, labs, new Scale(times, times, 1000, 42), Manifest.here());
        assertThat(json).contains("\"invariants\" : [ \"an update is lost\" ]");
        assertThat(PaperJson.findings(BOOK, json)).isEqualTo(findings);
    }

    // Goal: a result that only some seeds have decides nothing. Method: one of three worlds is another.
    @Test
    void shouldNotDecideAClaimOnWhichSeedsDisagree() throws InterruptedException {
        Map<Condition, Lab> labs = Judging.labs(BOOK, 2, this::measure);
        Condition third = new Condition(Settings.TEXT, Assumption.NONE, 44);
        labs.put(third, BOOK.run(third, setup -> measured(1000, 50)));
        Claim.Finding faster =
                BOOK.judge(Evidence.of(BOOK, labs, Optional.empty())).getFirst();
        assertThat(verdict(faster)).isEqualTo(Verdict.UNDECIDED);
        assertThat(faster.outcome().held()).isEqualTo(2);
        assertThat(value(faster))
                .extracting(Row.Value::low, Row.Value::value, Row.Value::high)
                .containsExactly(1.0, 2.0, 2.0);
    }

    // Goal: a verdict that depends on a cost without a source names that cost. Method: a cost at which all
    // is alike.
    @Test
    void shouldNameTheAssumptionThatAVerdictDependsOn() throws InterruptedException {
        Assumption slow = new Assumption("slow NICs", Map.of("nicSendNanos", "1000"));
        Assumption fast = new Assumption("fast NICs", Map.of("nicSendNanos", "1"));
        Settings theirs = new Settings("code", "as in their code", setup -> ((BenchSetup) setup).withCoroutines(7));
        Book book = new Book(
                "tiny",
                "A Tiny Paper",
                BOOK.sections(),
                List.of(Settings.TEXT, theirs),
                List.of(slow, fast),
                Optional.of(setup -> measured(setup.equals(MODEL) ? 1000 : 500, 5)));
        Map<Condition, Lab> labs = Judging.labs(book, 1, changed -> {
            BenchSetup setup = (BenchSetup) changed;
            boolean isSlow = setup.network() instanceof Setup.Network.Simulated network
                    && network.costs().equals(slow.costs());
            boolean isTheirs = setup.shape().coroutines() == 7;
            return measured(setup.code().equals("rpc") || isSlow || isTheirs ? 1000 : 2000, 5);
        });
        Claim.Finding faster =
                book.judge(Evidence.of(book, labs, book.published())).getFirst();
        assertThat(faster.outcomes())
                .extracting(Outcome::settings, Outcome::verdict, Outcome::changing)
                .containsExactly(
                        tuple("text", Verdict.DEPENDS, List.of("slow NICs")),
                        tuple("code", Verdict.NOT_HELD, List.of()));
        assertThat(faster.logged()).as("what the authors published").contains(false);
        assertThat(value(faster).logged()).hasValue(0.5);
        assertThat(value(faster).error()).hasValue(3);
    }

    @Test
    void shouldNotJudgeLogsThatLackARun() throws InterruptedException {
        Book book = new Book(
                "tiny",
                "A Tiny Paper",
                BOOK.sections(),
                List.of(Settings.TEXT),
                List.of(),
                Optional.of(setup -> setup.equals(MODEL) ? measured(1, 1) : new Measured(Map.of())));
        Map<Condition, Lab> labs = Judging.labs(book, 1, this::measure);
        Claim.Finding faster =
                book.judge(Evidence.of(book, labs, book.published())).getFirst();
        assertThat(faster.logged()).isEmpty();
        assertThat(value(faster).logged()).isEmpty();
    }

    private static Measured measured(double throughput, double latencyMicros) {
        return new Measured(Map.of(Quantity.THROUGHPUT, throughput, Quantity.LATENCY_MEAN, latencyMicros));
    }

    // Method: the run that others are compared with commits nothing.
    @Test
    void shouldReadAnInfiniteValueFromItsJson() throws InterruptedException {
        Map<Condition, Lab> labs = Judging.labs(BOOK, 1, setup -> measured(setup.equals(MODEL) ? 0 : 2000, 5));
        List<Claim.Finding> findings = BOOK.judge(Evidence.of(BOOK, labs, Optional.empty()));
        assertThat(value(findings.getFirst()).value()).isInfinite();
        BenchConfig.Times times = new BenchConfig.Times(0.001, 0.002);
        String json = PaperJson.toText(BOOK, findings, labs, new Scale(times, times, 1000, 42), Manifest.here());
        assertThat(value(PaperJson.findings(BOOK, json).getFirst())).isEqualTo(value(findings.getFirst()));
    }

    // Goal: the shape that docs/papers/README.md describes. A change of it breaks the programs that read it.
    @Test
    void shouldWriteTheDocumentedJson() throws InterruptedException {
        Map<Condition, Lab> labs = Judging.labs(BOOK, 1, this::measure);
        List<Claim.Finding> findings = BOOK.judge(Evidence.of(BOOK, labs, Optional.empty()));
        BenchConfig.Times times = new BenchConfig.Times(0.001, 0.002);
        Manifest manifest = new Manifest("0.1.0", "abc", "a JVM", 2, "an OS", List.of(), 1, "2026-01-01T00:00:00Z");
        String json = PaperJson.toText(BOOK, findings, labs, new Scale(times, times, 1000, 42), manifest);
        assertThat(json).isEqualToIgnoringWhitespace("""
                {
                  "paper": "tiny", "title": "A Tiny Paper", "version": "0.1.0", "commit": "abc",
                  "records_per_node": 1000,
                  "claims": [
                    {
                      "section": "5.1", "source": "figure 1", "claim": "One-sided is faster.",
                      "criterion": "more throughput", "quantities": ["committed_per_s"], "modelled": true,
                      "outcomes": [
                        {
                          "settings": "text", "verdict": "held", "held": 1, "seeds": 1, "otherwise_with": [],
                          "measured": [
                            {
                              "label": "over RPC", "unit": "times",
                              "values": [{"name": "occ", "value": 2.0, "low": 2.0, "high": 2.0, "paper": 1.5}]
                            }
                          ]
                        }
                      ]
                    },
                    {
                      "section": "5.1", "source": "table 1", "claim": "There is more.",
                      "why": "we do not have it", "quantities": [], "modelled": false,
                      "outcomes": [{"settings": "text", "verdict": "not tested", "why": "we do not have it"}]
                    },
                    {
                      "section": "5.2", "source": "table 2", "claim": "The tail is short.",
                      "criterion": "at most 10 us", "quantities": ["latency_p999_us"], "modelled": false,
                      "outcomes": [
                        {
                          "settings": "text", "verdict": "not held", "held": 0, "seeds": 1, "otherwise_with": [],
                          "measured": [
                            {
                              "label": "", "unit": "us",
                              "values": [{"name": "p99.9", "value": null, "low": null, "high": null}]
                            }
                          ]
                        }
                      ]
                    }
                  ],
                  "runs": [
                    {
                      "settings": "text", "assumption": "", "seed": 42, "protocol": "occ", "protocol_options": {"mvcc.versions": "2"}, "code": "one-sided",
                      "workload": "smallbank", "workload_options": {}, "nodes": 4, "workers": 10, "coroutines": 1,
                      "replicas": 3, "fabric": "sim", "stretch": 1.0,
                      "modelled": {"profile": "wan-40ms", "atomicity": "global", "emulated_nodes": 0, "changed_costs": {}},
                      "invariants": "not checked",
                      "measured": {"committed_per_s": 200.0}
                    },
                    {
                      "settings": "text", "assumption": "", "seed": 42, "protocol": "occ", "protocol_options": {"mvcc.versions": "2"}, "code": "rpc",
                      "workload": "smallbank", "workload_options": {}, "nodes": 4, "workers": 10, "coroutines": 1,
                      "replicas": 3, "fabric": "sim", "stretch": 1.0,
                      "modelled": {"profile": "wan-40ms", "atomicity": "global", "emulated_nodes": 0, "changed_costs": {}},
                      "invariants": "not checked",
                      "measured": {"committed_per_s": 100.0}
                    },
                    {
                      "settings": "text", "assumption": "", "seed": 42, "protocol": "occ", "protocol_options": {"mvcc.versions": "2"}, "code": "one-sided",
                      "workload": "smallbank", "workload_options": {}, "nodes": 4, "workers": 10, "coroutines": 1,
                      "replicas": 3, "fabric": "tcp", "stretch": 1.0, "fabric_options": {"tcp.nodelay": "on"},
                      "invariants": "not checked",
                      "measured": {"latency_p999_us": null}
                    }
                  ]
                }
                """);
    }

    private Measured measure(Setup setup) {
        ran.add(setup);
        return setup.equals(REAL)
                ? new Measured(Map.of(Quantity.LATENCY_P999, Double.NaN))
                : new Measured(
                        Map.of(Quantity.THROUGHPUT, ((BenchSetup) setup).code().equals("rpc") ? 100.0 : 200.0));
    }

    private static Figure throughput(BenchSetup setup) {
        return new Figure.Reading(setup, Quantity.THROUGHPUT);
    }
}
