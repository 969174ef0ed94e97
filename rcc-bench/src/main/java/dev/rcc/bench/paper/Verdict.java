package dev.rcc.bench.paper;

/** What became of a claim. */
public enum Verdict {
    /** The figures meet the criterion. */
    HOLDS("holds"),
    /** They do not. */
    DOES_NOT_HOLD("does not hold"),
    /** The claim is about something that RCC does not have. */
    NOT_TESTED("not tested");

    private final String words;

    Verdict(String words) {
        this.words = words;
    }

    /** As reports write it. */
    public String words() {
        return words;
    }

    static Verdict of(boolean holds) {
        return holds ? HOLDS : DOES_NOT_HOLD;
    }
}
