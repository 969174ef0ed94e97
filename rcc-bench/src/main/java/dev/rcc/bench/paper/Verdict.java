package dev.rcc.bench.paper;

/** What became of a claim. */
public enum Verdict {
    /** The measured values meet the criterion. */
    HELD("held"),
    /** They do not. */
    NOT_HELD("not held"),
    /** The claim is about something that RCC, or the network of a run, does not have or does not measure. */
    NOT_TESTED("not tested");

    private final String words;

    Verdict(String words) {
        this.words = words;
    }

    /** As reports write it, in lower case. */
    public String words() {
        return words;
    }
}
