package dev.rcc.bench.paper;

import java.util.List;
import java.util.Optional;

/**
 * The result of a claim with some settings. Immutable.
 *
 * @param settings the settings' name
 * @param verdict the verdict
 * @param reason the criterion or, if the claim was not tested or a run's data was not correct, the reason
 * @param held number of seeds with which the criterion was met
 * @param seeds number of all seeds
 * @param changing the assumptions under which the verdict changes
 * @param rows the rows that the verdict is based on
 */
public record Outcome(
        String settings,
        Verdict verdict,
        String reason,
        long held,
        int seeds,
        List<String> changing,
        List<Row.Measured> rows) {
    /** Takes copies of the lists. */
    public Outcome {
        changing = List.copyOf(changing);
        rows = List.copyOf(rows);
    }

    /** Details of the verdict, such as the assumptions on which it depends. */
    public Optional<String> detail() {
        return switch (verdict) {
            case VIOLATED -> Optional.of(reason);
            case UNDECIDED -> Optional.of("held with " + held + " of " + seeds + " seeds");
            case DEPENDS ->
                Optional.of(Verdict.of(held > 0).words() + ", but otherwise with " + String.join(", ", changing));
            default -> Optional.empty();
        };
    }

    /** The outcome of a claim that was not tested. */
    static Outcome notTested(String settings, String why) {
        return withoutFigures(settings, Verdict.NOT_TESTED, why);
    }

    /** The outcome of a claim whose figures come from a run whose data was not correct. */
    static Outcome violated(String settings, String why) {
        return withoutFigures(settings, Verdict.VIOLATED, why);
    }

    /** Whether it has figures, by which the criterion was judged. */
    boolean hasFigures() {
        return verdict != Verdict.NOT_TESTED && verdict != Verdict.VIOLATED;
    }

    /** An outcome for which no criterion was judged: {@link Verdict#NOT_TESTED} or {@link Verdict#VIOLATED}. */
    static Outcome withoutFigures(String settings, Verdict verdict, String why) {
        return new Outcome(settings, verdict, why, 0, 0, List.of(), List.of());
    }
}
