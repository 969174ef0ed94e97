package dev.rcc.bench.paper;

import java.util.List;
import java.util.Optional;

/**
 * A claim that a paper makes in words, and the criterion by which we decide whether it holds here. Immutable.
 *
 * @param source the place in the section where the paper states or shows it, such as {@code figure 5}
 * @param text the claim, in our words
 * @param words the condition under which it holds, or the reason why it is not tested
 * @param criterion the criterion; empty if the claim is not tested
 */
public record Claim(String source, String text, String words, Optional<Criterion> criterion) {
    /** A claim that is tested. */
    public static Claim of(String source, String text, String words, Criterion criterion) {
        return new Claim(source, text, words, Optional.of(criterion));
    }

    /** A claim about something that RCC does not have. */
    public static Claim untested(String source, String text, String why) {
        return new Claim(source, text, why, Optional.empty());
    }

    /** The readings that its criterion needs. */
    public List<Figure.Reading> readings() {
        return criterion.stream()
                .flatMap(decides -> decides.rows().stream())
                .flatMap(row -> row.entries().stream())
                .flatMap(entry -> entry.figure().readings().stream())
                .distinct()
                .toList();
    }

    /** The quantities of its readings. */
    public List<Quantity> quantities() {
        return readings().stream().map(Figure.Reading::quantity).distinct().toList();
    }

    /**
     * Judges the claim by the measurements. It is violated if the data of some run was not correct, and otherwise not tested if some reading
     * could not be measured.
     */
    Finding judge(String section, List<Evidence> evidence) {
        List<Outcome> outcomes = evidence.stream().map(this::judge).toList();
        Optional<Boolean> logged =
                criterion.flatMap(decides -> evidence.getFirst().holdsInLogs(this, decides));
        return new Finding(section, this, outcomes, logged);
    }

    private Outcome judge(Evidence evidence) {
        String settings = evidence.settings().name();
        if (criterion.isEmpty()) {
            return Outcome.notTested(settings, words);
        }
        Optional<String> violation = evidence.violation(this);
        if (violation.isPresent()) {
            return Outcome.violated(settings, violation.get());
        }
        return evidence.missing(this)
                .map(why -> Outcome.notTested(settings, why))
                .orElseGet(() -> evidence.judge(criterion.get(), words));
    }

    /**
     * The result of a claim.
     *
     * @param section the number of the claim's section
     * @param claim the claim that was tested
     * @param outcomes its outcomes, by the book's settings
     * @param logged whether it holds for the figures that the authors have published; empty if some are missing
     */
    public record Finding(String section, Claim claim, List<Outcome> outcomes, Optional<Boolean> logged) {
        /** Takes a copy of the list. */
        public Finding {
            outcomes = List.copyOf(outcomes);
        }

        /** The verdict on the authors' own figures; empty if some are missing. */
        public Optional<Verdict> verdictOnLogs() {
            return logged.map(Verdict::of);
        }

        /** Whether the data of some run that it needs was not correct. */
        public boolean isViolated() {
            return outcomes.stream().anyMatch(outcome -> outcome.verdict() == Verdict.VIOLATED);
        }

        /** The outcome with the first settings, those of the paper's text. */
        public Outcome outcome() {
            return outcomes.getFirst();
        }
    }
}
