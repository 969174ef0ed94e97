package dev.rcc.bench.paper;

import java.util.List;
import java.util.Optional;

/**
 * The result of a claim with some settings. Immutable.
 *
 * @param settings the settings' name
 * @param verdict the verdict
 * @param reason the criterion or, if the claim was not tested, the reason
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
            case UNDECIDED -> Optional.of("held with " + held + " of " + seeds + " seeds");
            case DEPENDS ->
                Optional.of(Verdict.of(held > 0).words() + ", but otherwise with " + String.join(", ", changing));
            default -> Optional.empty();
        };
    }

    /** The outcome of a claim that was not tested. */
    static Outcome notTested(String settings, String why) {
        return new Outcome(settings, Verdict.NOT_TESTED, why, 0, 0, List.of(), List.of());
    }
}
