package dev.rcc.bench.paper;

import java.util.List;
import java.util.Optional;

/**
 * What became of a claim with some settings. Immutable.
 *
 * @param settings their name
 * @param verdict whether it holds
 * @param reason the criterion or, of a claim that was not tested, why
 * @param held with how many seeds it was met
 * @param seeds of how many
 * @param changing the assumptions under which it is otherwise
 * @param rows what the verdict goes by
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

    /** What the verdict alone does not say, such as on which assumption it depends. */
    public Optional<String> detail() {
        return switch (verdict) {
            case UNDECIDED -> Optional.of("held with " + held + " of " + seeds + " seeds");
            case DEPENDS ->
                Optional.of(Verdict.of(held > 0).words() + ", but otherwise with " + String.join(", ", changing));
            default -> Optional.empty();
        };
    }

    /** Of a claim that was not tested. */
    static Outcome notTested(String settings, String why) {
        return new Outcome(settings, Verdict.NOT_TESTED, why, 0, 0, List.of(), List.of());
    }
}
