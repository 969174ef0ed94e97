package dev.rcc.bench.paper;

import java.util.Arrays;
import java.util.List;

/**
 * Decides from figures in rows whether a claim holds. Immutable. A value that is not a number, such as a ratio of zero to zero, meets no
 * criterion.
 */
public sealed interface Criterion {
    /** The rows that it examines, as reports show them. */
    List<Row> rows();

    /** The rows with the measured values: in their order or, if the criterion ranks figures, from the highest value to the lowest. */
    default List<Row.Measured> measured(Evidence evidence) {
        return rows().stream().map(row -> row.measured(evidence)).toList();
    }

    /** Whether it is met. The lab must have made the runs that its figures need. */
    boolean holds(Lab lab);

    /** All figures of all rows are in a band. */
    static Criterion each(Band band, List<Row> rows) {
        return new Within(
                band, rows.stream().mapToInt(row -> row.entries().size()).sum(), rows);
    }

    /** All figures of a row are in a band. */
    static Criterion each(Band band, Row row) {
        return each(band, List.of(row));
    }

    /**
     * At least some of the figures are in a band.
     *
     * @param band the admitted values
     * @param count number of figures, of all rows, that must be in the band
     */
    record Within(Band band, int count, List<Row> rows) implements Criterion {
        /** Takes a copy of the list. */
        public Within {
            rows = List.copyOf(rows);
        }

        @Override
        public boolean holds(Lab lab) {
            return rows.stream()
                            .flatMapToDouble(row -> Arrays.stream(row.values(lab)))
                            .filter(band::admits)
                            .count()
                    >= count;
        }
    }

    /**
     * In each row a figure has a certain place, which it shares with no other figure.
     *
     * @param name the figure's name
     * @param place from 1, the highest value, to the number of figures in the row
     */
    record Rank(String name, int place, List<Row> rows) implements Criterion {
        /** Takes a copy of the list. */
        public Rank {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Row.Measured> measured(Evidence evidence) {
            return Criterion.ranked(rows, evidence);
        }

        @Override
        public boolean holds(Lab lab) {
            return rows.stream().allMatch(row -> {
                double own = row.value(name, lab);
                double[] all = row.values(lab);
                return Arrays.stream(all).filter(value -> value > own).count() == place - 1
                        && Arrays.stream(all).filter(value -> value < own).count() == all.length - place;
            });
        }
    }

    /**
     * In each row a figure is the highest, or not much lower.
     *
     * @param name the figure's name
     * @param share its least share of the highest figure, above 0 and up to 1
     */
    record NearHighest(String name, double share, List<Row> rows) implements Criterion {
        /** Takes a copy of the list. */
        public NearHighest {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Row.Measured> measured(Evidence evidence) {
            return Criterion.ranked(rows, evidence);
        }

        @Override
        public boolean holds(Lab lab) {
            return rows.stream()
                    .allMatch(row -> row.value(name, lab)
                            >= share * Arrays.stream(row.values(lab)).max().orElseThrow());
        }
    }

    /**
     * In each row some figures are all higher than some others.
     *
     * @param upper the names of the higher figures
     * @param lower the names of the lower figures
     */
    record Order(List<String> upper, List<String> lower, List<Row> rows) implements Criterion {
        /** Takes copies of the lists. */
        public Order {
            upper = List.copyOf(upper);
            lower = List.copyOf(lower);
            rows = List.copyOf(rows);
        }

        @Override
        public List<Row.Measured> measured(Evidence evidence) {
            return Criterion.ranked(rows, evidence);
        }

        @Override
        public boolean holds(Lab lab) {
            return rows.stream()
                    .allMatch(row -> upper.stream()
                            .allMatch(high ->
                                    lower.stream().allMatch(low -> row.value(high, lab) > row.value(low, lab))));
        }
    }

    /** How the figures of a row follow one another. */
    enum Trend {
        /** Each figure is higher than the previous one. */
        RISES,
        /** Each figure is lower than the previous one. */
        FALLS,
        /** The last figure is higher than the first. */
        ENDS_HIGHER,
        /** The last figure is lower than the first. */
        ENDS_LOWER
    }

    /** Each row is a series in the order of a parameter, and has a trend. */
    record Series(Trend trend, List<Row> rows) implements Criterion {
        /** Takes a copy of the list. */
        public Series {
            rows = List.copyOf(rows);
        }

        @Override
        public boolean holds(Lab lab) {
            return rows.stream().allMatch(row -> holds(row.values(lab)));
        }

        private boolean holds(double[] values) {
            double first = values[0];
            double last = values[values.length - 1];
            return switch (trend) {
                case RISES -> steps(values, 1);
                case FALLS -> steps(values, -1);
                case ENDS_HIGHER -> last > first;
                case ENDS_LOWER -> last < first;
            };
        }

        private static boolean steps(double[] values, int sign) {
            for (int i = 1; i < values.length; i++) {
                if (!(sign * values[i] > sign * values[i - 1])) {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * Each row is a series in the order of a parameter, whose last step is less than a share of its first.
     *
     * @param share of the first step, above 0
     */
    record Flattens(double share, List<Row> rows) implements Criterion {
        /** Takes a copy of the list, whose rows must have at least two steps. */
        public Flattens {
            rows = List.copyOf(rows);
            if (rows.stream().anyMatch(row -> row.entries().size() < 3)) {
                throw new IllegalArgumentException("a series that flattens has two steps at least");
            }
        }

        @Override
        public boolean holds(Lab lab) {
            return rows.stream().map(row -> row.values(lab)).allMatch(values -> {
                double early = values[1] - values[0];
                double late = values[values.length - 1] - values[values.length - 2];
                return late < share * early;
            });
        }
    }

    /** The name of the highest figure is not the same in all rows. */
    record LeaderChanges(List<Row> rows) implements Criterion {
        /** Takes a copy of the list. */
        public LeaderChanges {
            rows = List.copyOf(rows);
        }

        @Override
        public List<Row.Measured> measured(Evidence evidence) {
            return Criterion.ranked(rows, evidence);
        }

        @Override
        public boolean holds(Lab lab) {
            return rows.stream().noneMatch(row -> Arrays.stream(row.values(lab)).anyMatch(Double::isNaN))
                    && rows.stream().map(row -> leader(row, lab)).distinct().count() > 1;
        }

        /** The name of the highest figure; of equal ones the first. */
        private static String leader(Row row, Lab lab) {
            double[] values = row.values(lab);
            int best = 0;
            for (int i = 1; i < values.length; i++) {
                best = values[i] > values[best] ? i : best;
            }
            return row.entries().get(best).name();
        }
    }

    /** Several criteria, which must all be met. */
    record All(List<Criterion> criteria) implements Criterion {
        /** Takes a copy of the list. */
        public All {
            criteria = List.copyOf(criteria);
        }

        @Override
        public List<Row> rows() {
            return criteria.stream()
                    .flatMap(criterion -> criterion.rows().stream())
                    .distinct()
                    .toList();
        }

        @Override
        public List<Row.Measured> measured(Evidence evidence) {
            return criteria.stream()
                    .flatMap(criterion -> criterion.measured(evidence).stream())
                    .distinct()
                    .toList();
        }

        @Override
        public boolean holds(Lab lab) {
            return criteria.stream().allMatch(criterion -> criterion.holds(lab));
        }
    }

    private static List<Row.Measured> ranked(List<Row> rows, Evidence evidence) {
        return rows.stream().map(row -> row.measured(evidence).ranked()).toList();
    }
}
