package dev.rcc.bench.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.bench.driver.BenchConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Each criterion on both sides of its limits. */
class CriterionTest {
    private static final BenchConfig.Shape SHAPE = new BenchConfig.Shape(2, 1, 1, 2);
    private static final double NONE = Double.NaN;

    @Test
    void shouldWantEachFigureInTheBand() throws InterruptedException {
        assertThat(holds(rows -> Criterion.each(Band.above(1), rows), row("a", 1.1, 2), row("b", 1.01)))
                .isTrue();
        assertThat(holds(rows -> Criterion.each(Band.above(1), rows), row("a", 1.1, 2), row("b", 1)))
                .isFalse();
        assertThat(holds(rows -> Criterion.each(Band.atLeast(1), rows), row("a", 1)))
                .isTrue();
        assertThat(holds(rows -> Criterion.each(Band.atLeast(1), rows), row("a", 0.99)))
                .isFalse();
        assertThat(holds(rows -> Criterion.each(Band.below(1), rows), row("a", 0.99)))
                .isTrue();
        assertThat(holds(rows -> Criterion.each(Band.below(1), rows), row("a", 1)))
                .isFalse();
        assertThat(holds(rows -> Criterion.each(Band.atMost(1), rows), row("a", 1)))
                .isTrue();
        assertThat(holds(rows -> Criterion.each(Band.atMost(1), rows), row("a", 1.01)))
                .isFalse();
        assertThat(holds(rows -> Criterion.each(Band.between(1, 2), rows), row("a", 1, 2)))
                .isTrue();
        assertThat(holds(rows -> Criterion.each(Band.between(1, 2), rows), row("a", 2.01)))
                .isFalse();
        assertThat(holds(rows -> Criterion.each(Band.atMost(1), rows), row("a", NONE)))
                .isFalse();
    }

    @Test
    void shouldWantSomeFiguresInTheBand() throws InterruptedException {
        Function<List<Row>, Criterion> two = rows -> new Criterion.Within(Band.above(1), 2, rows);
        assertThat(holds(two, row("a", 2, 0), row("b", 3, 0))).isTrue();
        assertThat(holds(two, row("a", 2, 0), row("b", 1, 0))).isFalse();
    }

    @Test
    void shouldWantAPlaceInEveryRow() throws InterruptedException {
        Function<List<Row>, Criterion> second = rows -> new Criterion.Rank("1", 2, rows);
        assertThat(holds(second, row("a", 9, 5, 1), row("b", 1, 5, 9))).isTrue();
        assertThat(holds(second, row("a", 9, 5, 1), row("b", 9, 1, 5))).isFalse();
        assertThat(holds(second, row("a", 9, 5, 5))).as("a tie").isFalse();
        assertThat(holds(second, row("a", 9, NONE, 5))).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> holds(second, row("a", 9)))
                .withMessageContaining("'1' in the row 'a'");
    }

    @Test
    void shouldWantToBeNearTheHighest() throws InterruptedException {
        Function<List<Row>, Criterion> near = rows -> new Criterion.NearHighest("0", 0.95, rows);
        assertThat(holds(near, row("a", 95, 100), row("b", 7, 3))).isTrue();
        assertThat(holds(near, row("a", 94.9, 100), row("b", 7, 3))).isFalse();
        assertThat(holds(near, row("a", 95, NONE))).isFalse();
    }

    @Test
    void shouldWantSomeAboveOthers() throws InterruptedException {
        Function<List<Row>, Criterion> order = rows -> new Criterion.Order(List.of("0", "1"), List.of("2", "3"), rows);
        assertThat(holds(order, row("a", 4, 3, 2, 1), row("b", 3, 4, 1, 2))).isTrue();
        assertThat(holds(order, row("a", 4, 3, 2, 1), row("b", 3, 2, 1, 2))).isFalse();
        assertThat(holds(order, row("a", 4, NONE, 2, 1))).isFalse();
    }

    @Test
    void shouldWantATrend() throws InterruptedException {
        for (Criterion.Trend trend : Criterion.Trend.values()) {
            Function<List<Row>, Criterion> series = rows -> new Criterion.Series(trend, rows);
            boolean isUp = trend == Criterion.Trend.RISES || trend == Criterion.Trend.ENDS_HIGHER;
            boolean isByEnds = trend == Criterion.Trend.ENDS_HIGHER || trend == Criterion.Trend.ENDS_LOWER;
            assertThat(holds(series, row("a", 1, 2, 3))).as(trend.name()).isEqualTo(isUp);
            assertThat(holds(series, row("a", 3, 2, 1))).as(trend.name()).isEqualTo(!isUp);
            assertThat(holds(series, row("a", 1, 4, 3))).as(trend.name()).isEqualTo(isUp && isByEnds);
            assertThat(holds(series, row("a", 3, 0, 1))).as(trend.name()).isEqualTo(!isUp && isByEnds);
            assertThat(holds(series, row("a", 2, 2))).as(trend.name()).isFalse();
            assertThat(holds(series, row("a", NONE, 2))).as(trend.name()).isFalse();
            assertThat(holds(series, row("a", 1, 2, 3), row("b", 3, 2, 1)))
                    .as(trend.name())
                    .isFalse();
        }
    }

    @Test
    void shouldWantASeriesToFlatten() throws InterruptedException {
        Function<List<Row>, Criterion> flattens = rows -> new Criterion.Flattens(0.25, rows);
        assertThat(holds(flattens, row("a", 0, 8, 20, 21))).isTrue();
        assertThat(holds(flattens, row("a", 0, 8, 20, 22))).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Criterion.Flattens(0.25, List.of(row("a", 1, 2).row)));
    }

    @Test
    void shouldWantAnotherLeader() throws InterruptedException {
        assertThat(holds(Criterion.LeaderChanges::new, row("a", 1, 2), row("b", 2, 1)))
                .isTrue();
        assertThat(holds(Criterion.LeaderChanges::new, row("a", 1, 2), row("b", 1, 3)))
                .isFalse();
        assertThat(holds(Criterion.LeaderChanges::new, row("a", 1, 2), row("b", NONE, 1)))
                .isFalse();
    }

    @Test
    void shouldWantAllOfSeveral() throws InterruptedException {
        Function<List<Row>, Criterion> both = rows -> new Criterion.All(
                List.of(Criterion.each(Band.above(1), rows), new Criterion.Series(Criterion.Trend.RISES, rows)));
        assertThat(holds(both, row("a", 2, 3))).isTrue();
        assertThat(holds(both, row("a", 3, 2))).isFalse();
        assertThat(holds(both, row("a", 1, 2))).isFalse();
        assertThat(both.apply(List.of(row("a", 2).row)).rows())
                .as("each row once")
                .hasSize(1);
    }

    // Goal: the reader of a ranking need not sort it. Method: a ranking and a series of the same row.
    @Test
    void shouldShowRankingsFromTheHighest() throws InterruptedException {
        Given given = row("a", 2, 8, 5);
        List<Row> rows = List.of(given.row);
        Criterion rank = new Criterion.Rank("0", 3, rows);
        Criterion series = new Criterion.Series(Criterion.Trend.RISES, rows);
        assertThat(names(rank, given)).containsExactly("1", "2", "0");
        assertThat(names(series, given)).containsExactly("0", "1", "2");
        assertThat(names(new Criterion.All(List.of(rank, rank)), given)).containsExactly("1", "2", "0");
    }

    private static List<String> names(Criterion criterion, Given given) throws InterruptedException {
        return criterion.measured(Judging.evidence(given.lab())).stream()
                .flatMap(row -> row.values().stream())
                .map(Row.Value::name)
                .toList();
    }

    @Test
    void shouldMakeOneNumberOfSeveral() throws InterruptedException {
        Given given = row("a", 2, 8, 5);
        Lab lab = given.lab();
        List<Figure> figures =
                given.row.entries().stream().map(Row.Entry::figure).toList();
        assertThat(Figure.mean(figures).value(lab)).isEqualTo(5);
        assertThat(Figure.highest(figures).value(lab)).isEqualTo(8);
        assertThat(Figure.lowest(figures).value(lab)).isEqualTo(2);
        assertThat(Figure.spread(figures).value(lab)).isEqualTo(4);
        assertThat(Figure.spread(figures).unit()).isEqualTo("times");
        assertThat(new Figure.Distance(figures.getFirst(), 7).value(lab)).isEqualTo(5);
        assertThat(new Figure.Distance(figures.getFirst(), 1).value(lab)).isEqualTo(1);
        assertThat(Figure.mean(figures).readings()).hasSize(3);
    }

    /** A row, and the measurements of its runs. */
    private record Given(Row row, Map<Setup, Double> values) {
        Lab lab() throws InterruptedException {
            Lab lab = new Lab(setup -> new Measured(Map.of(Quantity.THROUGHPUT, values.get(setup))));
            for (Setup setup : values.keySet()) {
                lab.run(setup);
            }
            return lab;
        }
    }

    /** A row with these values, which are named 0, 1 and so on. */
    private static Given row(String label, double... values) {
        Map<Setup, Double> runs = new LinkedHashMap<>();
        List<Row.Entry> entries = new ArrayList<>();
        for (int i = 0; i < values.length; i++) {
            Setup setup = BenchSetup.of(label, "rpc", "workload " + i, SHAPE, Setup.Network.Simulated.as("none"));
            runs.put(setup, values[i]);
            entries.add(Row.Entry.of(Integer.toString(i), new Figure.Reading(setup, Quantity.THROUGHPUT)));
        }
        return new Given(new Row(label, entries), runs);
    }

    private static boolean holds(Function<List<Row>, Criterion> criterion, Given... rows) throws InterruptedException {
        Map<Setup, Double> runs = new LinkedHashMap<>();
        List<Row> given = new ArrayList<>();
        for (Given row : rows) {
            given.add(row.row);
            runs.putAll(row.values);
        }
        return criterion.apply(given).holds(new Given(given.getFirst(), runs).lab());
    }
}
