package dev.rcc.bench.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a paper says in words, and how we decide whether it is so here. Immutable.
 *
 * @param source where in its section the paper says or shows it, such as {@code figure 5}
 * @param text what the paper says, in our words
 * @param words when we say that it holds, or why that is not tested
 * @param criterion what decides; nothing if the claim is not tested
 */
public record Claim(String source, String text, String words, Optional<Criterion> criterion) {
    /** A claim that is put to the test. */
    public static Claim of(String source, String text, String words, Criterion criterion) {
        return new Claim(source, text, words, Optional.of(criterion));
    }

    /** A claim that is about something that RCC does not have. */
    public static Claim untested(String source, String text, String why) {
        return new Claim(source, text, why, Optional.empty());
    }

    /** What has to be measured. */
    public List<Figure.Reading> readings() {
        return criterion.stream()
                .flatMap(decides -> decides.rows().stream())
                .flatMap(row -> row.entries().stream())
                .flatMap(entry -> entry.figure().readings().stream())
                .distinct()
                .toList();
    }

    /** The quantities among them. */
    public List<Quantity> quantities() {
        return readings().stream().map(Figure.Reading::quantity).distinct().toList();
    }

    /** Decides by what has been measured. A claim of which something could not be measured is not tested. */
    Finding judge(String section, List<Evidence> evidence) {
        List<Outcome> outcomes = new ArrayList<>();
        for (Evidence each : evidence) {
            Optional<String> missing = criterion.isEmpty() ? Optional.of(words) : each.missing(this);
            outcomes.add(missing.map(why -> Outcome.notTested(each.settings().name(), why))
                    .orElseGet(() -> each.judge(criterion.orElseThrow(), words)));
        }
        Optional<Boolean> logged =
                criterion.flatMap(decides -> evidence.getFirst().holdsInLogs(this, decides));
        return new Finding(section, this, outcomes, logged);
    }

    /**
     * What was found.
     *
     * @param section the number of the claim's section
     * @param claim what was put to the test
     * @param outcomes what came of it, by the book's settings
     * @param logged whether it holds of the figures that the authors have published; nothing if they lack some
     */
    public record Finding(String section, Claim claim, List<Outcome> outcomes, Optional<Boolean> logged) {
        /** Takes a copy of the list. */
        public Finding {
            outcomes = List.copyOf(outcomes);
        }

        /** The verdict on the authors' own figures; nothing if they lack some. */
        public Optional<Verdict> verdictOnLogs() {
            return logged.map(Verdict::of);
        }

        /** What came of it with the paper's text as settings. */
        public Outcome outcome() {
            return outcomes.getFirst();
        }
    }
}
