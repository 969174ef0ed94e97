package dev.rcc.bench.paper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The measurements with some settings: a lab for each seed, and a lab for each assumption. All these labs have made the same runs. The
 * figures that the paper's authors have published are added; they may lack some of the runs.
 *
 * @param settings the settings of the runs
 * @param labs the labs by seed, at least one
 * @param assumed the labs by assumption
 * @param logs the authors' figures, if there are any
 */
public record Evidence(Settings settings, List<Lab> labs, Map<Assumption, Lab> assumed, Optional<Lab> logs) {
    /** Takes copies of the collections. */
    public Evidence {
        labs = List.copyOf(labs);
        assumed = new LinkedHashMap<>(assumed);
    }

    /** For each of the book's settings, the measurements of the labs of its conditions. */
    public static List<Evidence> of(Book book, Map<Condition, Lab> labs, Optional<Lab> logs) {
        return book.settings().stream()
                .map(settings -> of(settings, labs, logs))
                .toList();
    }

    private static Evidence of(Settings settings, Map<Condition, Lab> labs, Optional<Lab> logs) {
        List<Lab> bySeed = new ArrayList<>();
        Map<Assumption, Lab> assumed = new LinkedHashMap<>();
        labs.forEach((condition, lab) -> {
            if (!condition.settings().equals(settings)) {
                return;
            }
            if (condition.isAssumed()) {
                assumed.put(condition.assumption(), lab);
            } else {
                bySeed.add(lab);
            }
        });
        return new Evidence(settings, bySeed, assumed, logs);
    }

    /** A violation in a run that the claim needs, with the run's name; empty if all data was correct. */
    Optional<String> violation(Claim claim) {
        return claim.readings().stream()
                .flatMap(reading -> all().flatMap(lab -> lab.violations(reading).stream())
                        .map(violation -> reading.setup().describe() + ": " + violation))
                .findFirst();
    }

    private Stream<Lab> all() {
        return Stream.concat(labs.stream(), assumed.values().stream());
    }

    /** A reading of the claim that some lab did not measure, in words; empty if all were measured. */
    Optional<String> missing(Claim claim) {
        return claim.readings().stream()
                .filter(reading -> !all().allMatch(lab -> lab.has(reading)))
                .findFirst()
                .map(reading -> reading.setup().describe() + " measured no "
                        + reading.quantity().name());
    }

    /** Judges a criterion with every seed and every assumption. */
    Outcome judge(Criterion criterion, String reason) {
        long held = labs.stream().filter(criterion::holds).count();
        Verdict verdict = held == 0 || held == labs.size() ? Verdict.of(held > 0) : Verdict.UNDECIDED;
        List<String> changing = verdict == Verdict.UNDECIDED
                ? List.of()
                : assumed.entrySet().stream()
                        .filter(each -> criterion.holds(each.getValue()) != (verdict == Verdict.HELD))
                        .map(each -> each.getKey().name())
                        .toList();
        return new Outcome(
                settings.name(),
                changing.isEmpty() ? verdict : Verdict.DEPENDS,
                reason,
                held,
                labs.size(),
                changing,
                criterion.measured(this));
    }

    /** Whether the authors' own figures meet a criterion; empty if some of them are missing. */
    Optional<Boolean> holdsInLogs(Claim claim, Criterion criterion) {
        return logs.filter(lab -> claim.readings().stream().allMatch(lab::has)).map(criterion::holds);
    }
}
