package dev.rcc.bench.paper;

import dev.rcc.bench.driver.BenchResult;
import java.util.List;
import java.util.stream.Stream;

/**
 * Whether the data of a run was correct at its end. Immutable.
 *
 * @param areChecked whether the run checked its data; runs of lock managers have none
 * @param violations the violations, each a sentence; empty if all invariants held or none was checked
 */
public record Invariants(boolean areChecked, List<String> violations) {
    /** The run checked nothing. */
    public static final Invariants NOT_CHECKED = new Invariants(false, List.of());

    /** Takes a copy of the list. */
    public Invariants {
        violations = List.copyOf(violations);
    }

    /** The invariants that a benchmark checked, and its history, if it recorded one. */
    static Invariants of(BenchResult result) {
        List<String> anomalies =
                result.violations().isEmpty() && !result.isOk() ? List.of("the history has anomalies") : List.of();
        return new Invariants(
                true,
                Stream.concat(result.violations().stream(), anomalies.stream()).toList());
    }

    /** These, and those of another run on which this one depends. */
    Invariants and(String name, Invariants other) {
        return new Invariants(
                areChecked,
                Stream.concat(violations.stream(), other.violations.stream().map(violation -> name + ": " + violation))
                        .toList());
    }
}
