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
import org.junit.jupiter.api.Test;

/** A tiny paper, of which the runner knows nothing. */
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
    private static final Book BOOK = new Book(
            "tiny",
            "A Tiny Paper",
            List.of(
                    new Section("5.1", "Speed", List.of(FASTER, UNTESTED)),
                    new Section("5.2", "Tails", List.of(TAIL))));

    private final List<Setup> ran = new ArrayList<>();

    @Test
    void shouldJudgeEachClaimByWhatItsRunsMeasure() throws InterruptedException {
        List<Claim.Finding> told = new ArrayList<>();
        List<Claim.Finding> findings = BOOK.judge(new Lab(this::measure), told::add);
        assertThat(findings).isEqualTo(told);
        assertThat(findings)
                .extracting(Claim.Finding::section, finding -> finding.claim().source(), Claim.Finding::verdict)
                .containsExactly(
                        tuple("5.1", "figure 1", Verdict.HELD),
                        tuple("5.1", "table 1", Verdict.NOT_TESTED),
                        tuple("5.2", "table 2", Verdict.NOT_HELD));
        assertThat(findings.getFirst().rows().getFirst().values().getFirst().value())
                .isEqualTo(2);
        assertThat(findings.get(1).reason()).isEqualTo("we do not have it");
        assertThat(ran).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(BOOK.setups());
    }

    @Test
    void shouldRunASectionAlone() throws InterruptedException {
        List<Claim.Finding> findings = BOOK.only("5.2").judge(new Lab(this::measure), each -> {});
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
                .isThrownBy(() -> new Book("twice", "Twice", List.of(section, section)))
                .withMessageContaining("twice");
    }

    // Goal: nothing is said of a claim of which something is not known. Method: runs that measure nothing.
    @Test
    void shouldNotTestWhatWasNotMeasured() throws InterruptedException {
        List<Claim.Finding> findings = BOOK.judge(new Lab(setup -> new Measured(Map.of())), each -> {});
        assertThat(findings).extracting(Claim.Finding::verdict).containsOnly(Verdict.NOT_TESTED);
        assertThat(findings.getLast().reason()).isEqualTo("smallbank occ one-sided on tcp measured no latency_p999_us");
    }

    // Goal: the shape that docs/papers/README.md describes. A change of it breaks who reads it.
    @Test
    void shouldWriteTheDocumentedJson() throws InterruptedException {
        Lab lab = new Lab(this::measure);
        List<Claim.Finding> findings = BOOK.judge(lab, each -> {});
        BenchConfig.Times times = new BenchConfig.Times(0.001, 0.002);
        Manifest manifest = new Manifest("0.1.0", "abc", "a JVM", 2, "an OS", List.of(), 1, "2026-01-01T00:00:00Z");
        String json = PaperJson.toText(BOOK, findings, lab, new Scale(times, times, 1000, 42), manifest);
        assertThat(json).isEqualToIgnoringWhitespace("""
                {
                  "paper": "tiny", "title": "A Tiny Paper", "version": "0.1.0", "commit": "abc", "seed": 42,
                  "records_per_node": 1000,
                  "claims": [
                    {
                      "section": "5.1", "source": "figure 1", "claim": "One-sided is faster.", "verdict": "held",
                      "criterion": "more throughput", "quantities": ["committed_per_s"], "modelled": true,
                      "measured": [
                        {"label": "over RPC", "unit": "times", "values": [{"name": "occ", "value": 2.0, "paper": 1.5}]}
                      ]
                    },
                    {
                      "section": "5.1", "source": "table 1", "claim": "There is more.", "verdict": "not tested",
                      "why": "we do not have it", "quantities": [], "modelled": false, "measured": []
                    },
                    {
                      "section": "5.2", "source": "table 2", "claim": "The tail is short.", "verdict": "not held",
                      "criterion": "at most 10 us", "quantities": ["latency_p999_us"], "modelled": false,
                      "measured": [{"label": "", "unit": "us", "values": [{"name": "p99.9", "value": null}]}]
                    }
                  ],
                  "runs": [
                    {
                      "protocol": "occ", "protocol_options": {"mvcc.versions": "2"}, "code": "one-sided",
                      "workload": "smallbank", "workload_options": {}, "nodes": 4, "workers": 10, "coroutines": 1,
                      "replicas": 3, "fabric": "sim", "stretch": 1.0,
                      "modelled": {"profile": "wan-40ms", "atomicity": "global", "emulated_nodes": 0},
                      "measured": {"committed_per_s": 200.0}
                    },
                    {
                      "protocol": "occ", "protocol_options": {"mvcc.versions": "2"}, "code": "rpc",
                      "workload": "smallbank", "workload_options": {}, "nodes": 4, "workers": 10, "coroutines": 1,
                      "replicas": 3, "fabric": "sim", "stretch": 1.0,
                      "modelled": {"profile": "wan-40ms", "atomicity": "global", "emulated_nodes": 0},
                      "measured": {"committed_per_s": 100.0}
                    },
                    {
                      "protocol": "occ", "protocol_options": {"mvcc.versions": "2"}, "code": "one-sided",
                      "workload": "smallbank", "workload_options": {}, "nodes": 4, "workers": 10, "coroutines": 1,
                      "replicas": 3, "fabric": "tcp", "stretch": 1.0, "fabric_options": {"tcp.nodelay": "on"},
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
