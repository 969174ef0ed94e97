package dev.rcc.bench.paper;

import java.util.Arrays;

/** What became of a claim. */
public enum Verdict {
    /** With every seed the measured values meet the criterion. */
    HELD("held"),
    /** With no seed they do. */
    NOT_HELD("not held"),
    /** With some seeds they do: the difference is within the spread. */
    UNDECIDED("undecided"),
    /** It is otherwise when costs that have no source are at another end of their range. */
    DEPENDS("depends"),
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

    /** {@link #HELD} or {@link #NOT_HELD}. */
    static Verdict of(boolean held) {
        return held ? HELD : NOT_HELD;
    }

    /**
     * The verdict that reports write so.
     *
     * @throws IllegalArgumentException when there is none
     */
    static Verdict of(String words) {
        return Arrays.stream(values())
                .filter(verdict -> verdict.words.equals(words))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no verdict is called '" + words + "'"));
    }
}
