package dev.rcc.bench.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class VerbsBenchTest {
    private final List<String> course = new ArrayList<>();

    @Test
    void shouldTakeTurnsInGoingFirst() throws Exception {
        VerbsBenchConfig config = new VerbsBenchConfig(
                "rxe0", List.of(VerbsTest.READ_LATENCY, VerbsTest.ATOMIC_RATE), List.of(8, 64), 3, 10, 20);
        List<Comparison> told = new ArrayList<>();
        List<Comparison> comparisons = new VerbsBench(config, contender("p", 2), contender("r", 3)).run(told::add);
        assertThat(course)
                .containsExactly(
                        "p ib_read_lat 8",
                        "r ib_read_lat 8",
                        "r ib_read_lat 8",
                        "p ib_read_lat 8",
                        "p ib_read_lat 8",
                        "r ib_read_lat 8",
                        "p ib_read_lat 64",
                        "r ib_read_lat 64",
                        "r ib_read_lat 64",
                        "p ib_read_lat 64",
                        "p ib_read_lat 64",
                        "r ib_read_lat 64",
                        "p ib_atomic_bw 8",
                        "r ib_atomic_bw 8",
                        "r ib_atomic_bw 8",
                        "p ib_atomic_bw 8",
                        "p ib_atomic_bw 8",
                        "r ib_atomic_bw 8");
        assertThat(comparisons).hasSize(3).isEqualTo(told);
        assertThat(comparisons).extracting(Comparison::iterations).containsExactly(10, 10, 20);
        assertThat(comparisons)
                .allSatisfy(comparison -> assertThat(comparison.ratio()).isEqualTo(1.5));
    }

    @Test
    void shouldCompareMedians() {
        Comparison odd =
                new Comparison(VerbsTest.READ_LATENCY, 8, 1, List.of(900.0, 10.0, 20.0), List.of(1.0, 21.0, 800.0));
        assertThat(odd.perftestMedian()).isEqualTo(20);
        assertThat(odd.rccMedian()).isEqualTo(21);
        assertThat(odd.ratio()).isEqualTo(1.05, within(1e-9));
        Comparison even = new Comparison(VerbsTest.READ_LATENCY, 8, 1, List.of(10.0, 30.0), List.of(50.0, 30.0));
        assertThat(even.ratio()).isEqualTo(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Comparison(VerbsTest.READ_LATENCY, 8, 1, List.of(1.0), List.of()));
    }

    @Test
    void shouldHoldLatenciesAndRatesToTheirGoals() {
        assertThat(comparison(VerbsTest.READ_LATENCY, 100, 110).isGoalMet()).isTrue();
        assertThat(comparison(VerbsTest.READ_LATENCY, 100, 111).isGoalMet()).isFalse();
        assertThat(comparison(VerbsTest.READ_LATENCY, 100, 50).isGoalMet()).isTrue();
        assertThat(comparison(VerbsTest.SEND_RATE, 100, 90).isGoalMet()).isTrue();
        assertThat(comparison(VerbsTest.SEND_RATE, 100, 89).isGoalMet()).isFalse();
        assertThat(comparison(VerbsTest.SEND_RATE, 100, 200).isGoalMet()).isTrue();
    }

    private static Comparison comparison(VerbsTest test, double perftest, double rcc) {
        return new Comparison(test, 8, 1, List.of(perftest), List.of(rcc));
    }

    private Contender contender(String name, double figure) {
        return new Contender() {
            @Override
            public double measure(VerbsTest test, int bytes) {
                course.add(name + " " + test.program() + " " + bytes);
                return figure;
            }

            @Override
            public void close() {}
        };
    }
}
