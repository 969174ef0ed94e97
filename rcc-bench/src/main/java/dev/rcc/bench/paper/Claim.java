package dev.rcc.bench.paper;

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

    /**
     * Runs what is needed, as far as it has not run yet, and decides. A claim of which something could not be measured is not tested.
     *
     * @throws InterruptedException when the calling thread was interrupted
     */
    Finding judge(String section, Lab lab) throws InterruptedException {
        if (criterion.isEmpty()) {
            return notTested(section, words);
        }
        for (Figure.Reading reading : readings()) {
            if (lab.run(reading.setup()).value(reading.quantity()).isEmpty()) {
                return notTested(
                        section,
                        reading.setup().describe() + " measured no "
                                + reading.quantity().name());
            }
        }
        Verdict verdict = criterion.get().holds(lab) ? Verdict.HELD : Verdict.NOT_HELD;
        return new Finding(section, this, verdict, words, criterion.get().measured(lab));
    }

    private Finding notTested(String section, String why) {
        return new Finding(section, this, Verdict.NOT_TESTED, why, List.of());
    }

    /**
     * What was found.
     *
     * @param section the number of the claim's section
     * @param claim what was put to the test
     * @param verdict whether it holds
     * @param reason the criterion or, of a claim that was not tested, why
     * @param rows what the verdict goes by
     */
    public record Finding(String section, Claim claim, Verdict verdict, String reason, List<Row.Measured> rows) {
        /** Takes a copy of the list. */
        public Finding {
            rows = List.copyOf(rows);
        }
    }
}
