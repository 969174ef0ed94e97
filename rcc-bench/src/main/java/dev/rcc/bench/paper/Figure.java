package dev.rcc.bench.paper;

import java.util.List;
import java.util.stream.DoubleStream;

/** A number that a claim refers to: a measured quantity of a run, or a number computed from several. Immutable. */
public sealed interface Figure {
    /** The readings that it needs. */
    List<Reading> readings();

    /** Its unit, such as {@code /s}; {@code times} of a ratio. */
    String unit();

    /** Its value. The lab must have made the runs that it needs. */
    double value(Lab lab);

    /**
     * A quantity of a run.
     *
     * @param setup the run
     * @param quantity the measured quantity
     */
    record Reading(Setup setup, Quantity quantity) implements Figure {
        @Override
        public List<Reading> readings() {
            return List.of(this);
        }

        @Override
        public String unit() {
            return quantity.unit();
        }

        @Override
        public double value(Lab lab) {
            return lab.value(this);
        }
    }

    /** A figure in relation to another one. */
    record Ratio(Figure over, Figure under) implements Figure {
        @Override
        public List<Reading> readings() {
            return Figure.readings(List.of(over, under));
        }

        @Override
        public String unit() {
            return "times";
        }

        @Override
        public double value(Lab lab) {
            return over.value(lab) / under.value(lab);
        }
    }

    /** How far a figure is from a number, up or down. */
    record Distance(Figure of, double from) implements Figure {
        @Override
        public List<Reading> readings() {
            return of.readings();
        }

        @Override
        public String unit() {
            return of.unit();
        }

        @Override
        public double value(Lab lab) {
            return Math.abs(of.value(lab) - from);
        }
    }

    /** How several figures are combined. */
    enum Of {
        /** Their arithmetic mean. */
        MEAN,
        /** The highest of them. */
        HIGHEST,
        /** The lowest of them. */
        LOWEST
    }

    /** One number from several figures, which have the same unit. */
    record Among(Of what, List<Figure> figures) implements Figure {
        /** Takes a copy of the list, which may not be empty. */
        public Among {
            figures = List.copyOf(figures);
            if (figures.isEmpty()) {
                throw new IllegalArgumentException("there is no " + what + " of no figures");
            }
        }

        @Override
        public List<Reading> readings() {
            return Figure.readings(figures);
        }

        @Override
        public String unit() {
            return figures.getFirst().unit();
        }

        @Override
        public double value(Lab lab) {
            DoubleStream values = figures.stream().mapToDouble(figure -> figure.value(lab));
            return switch (what) {
                case MEAN -> values.average().orElseThrow();
                case HIGHEST -> values.max().orElseThrow();
                case LOWEST -> values.min().orElseThrow();
            };
        }
    }

    /** The highest of some figures over the lowest of them. */
    static Figure spread(List<? extends Figure> figures) {
        return new Ratio(highest(figures), lowest(figures));
    }

    /** The highest of some figures. */
    static Figure highest(List<? extends Figure> figures) {
        return new Among(Of.HIGHEST, List.copyOf(figures));
    }

    /** The lowest of some figures. */
    static Figure lowest(List<? extends Figure> figures) {
        return new Among(Of.LOWEST, List.copyOf(figures));
    }

    /** The arithmetic mean of some figures. */
    static Figure mean(List<? extends Figure> figures) {
        return new Among(Of.MEAN, List.copyOf(figures));
    }

    private static List<Reading> readings(List<Figure> figures) {
        return figures.stream().flatMap(figure -> figure.readings().stream()).toList();
    }
}
