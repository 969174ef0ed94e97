package dev.rcc.bench.paper;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Figures that belong together: figures to compare with each other, or a series in the order of its parameter. Immutable.
 *
 * @param label the figures' common property; may be empty
 * @param entries the figures, at least one
 */
public record Row(String label, List<Entry> entries) {
    /** Takes a copy of the list. */
    public Row {
        entries = List.copyOf(entries);
        if (entries.isEmpty()) {
            throw new IllegalArgumentException("the row '" + label + "' has no figures");
        }
    }

    /** A row of some figures. */
    public static Row of(String label, Entry... entries) {
        return new Row(label, List.of(entries));
    }

    /**
     * A figure in a row.
     *
     * @param name the figure's name in the row, such as a protocol's name or a parameter's value
     * @param figure the figure
     * @param paper the paper's number, if it gives one
     */
    public record Entry(String name, Figure figure, OptionalDouble paper) {
        /** A figure for which the paper gives no number. */
        public static Entry of(String name, Figure figure) {
            return new Entry(name, figure, OptionalDouble.empty());
        }

        /** The same figure, for which the paper gives {@code number}. */
        public Entry said(double number) {
            return new Entry(name, figure, OptionalDouble.of(number));
        }
    }

    /**
     * A row with its values.
     *
     * @param unit the unit of all values; empty if they differ
     * @param values in the row's order
     */
    public record Measured(String label, String unit, List<Value> values) {
        /** Takes a copy of the list. */
        public Measured {
            values = List.copyOf(values);
        }

        /** The same row, from the highest value to the lowest. */
        Measured ranked() {
            return new Measured(
                    label,
                    unit,
                    values.stream()
                            .sorted(Comparator.comparingDouble(Value::value).reversed())
                            .toList());
        }
    }

    /**
     * A value.
     *
     * @param name the figure's name in the row
     * @param value the measured value, the median of all seeds; may be NaN or infinite, such as a ratio to zero
     * @param low the lowest value of all seeds
     * @param high the highest value of all seeds
     * @param paper the paper's number, if it gives one
     * @param logged the number that the authors have published, if any
     */
    public record Value(
            String name, double value, double low, double high, OptionalDouble paper, OptionalDouble logged) {
        /** The excess over the authors' published number, as a share of that number; empty if they have published none. */
        public OptionalDouble error() {
            return logged.isPresent() ? OptionalDouble.of(value / logged.getAsDouble() - 1) : OptionalDouble.empty();
        }

        private static Value of(Entry entry, Evidence evidence) {
            Figure figure = entry.figure();
            double[] values =
                    evidence.labs().stream().mapToDouble(figure::value).sorted().toArray();
            OptionalDouble logged = evidence.logs()
                    .filter(lab -> figure.readings().stream().allMatch(lab::has))
                    .map(lab -> OptionalDouble.of(figure.value(lab)))
                    .orElse(OptionalDouble.empty());
            return new Value(
                    entry.name(),
                    (values[(values.length - 1) / 2] + values[values.length / 2]) / 2,
                    values[0],
                    values[values.length - 1],
                    entry.paper(),
                    logged);
        }
    }

    /** The row with the measured values. */
    Measured measured(Evidence evidence) {
        List<String> units =
                entries.stream().map(entry -> entry.figure().unit()).distinct().toList();
        return new Measured(
                label,
                units.size() == 1 ? units.getFirst() : "",
                entries.stream().map(entry -> Value.of(entry, evidence)).toList());
    }

    /** The values alone. */
    double[] values(Lab lab) {
        return entries.stream().mapToDouble(entry -> entry.figure().value(lab)).toArray();
    }

    /**
     * The value of the figure with this name.
     *
     * @throws IllegalArgumentException when there is none
     */
    double value(String name, Lab lab) {
        Optional<Entry> found =
                entries.stream().filter(entry -> entry.name().equals(name)).findFirst();
        return found.orElseThrow(() -> new IllegalArgumentException("no '" + name + "' in the row '" + label + "'"))
                .figure()
                .value(lab);
    }
}
