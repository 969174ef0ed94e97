package dev.rcc.bench.paper;

import java.util.Arrays;

/** The verdict on a claim. */
public enum Verdict {
    /** With every seed the measured values meet the criterion. */
    HELD("held"),
    /** With no seed the measured values meet the criterion. */
    NOT_HELD("not held"),
    /** With some seeds the measured values meet the criterion: the difference is within the spread. */
    UNDECIDED("undecided"),
    /** The verdict changes when costs that have no source are at another end of their range. */
    DEPENDS("depends"),
    /** The claim concerns something that RCC, or the network of a run, does not have or does not measure. */
    NOT_TESTED("not tested"),
    /** The data of a run was not correct at its end: its figures decide nothing. */
    VIOLATED("violated");

    private final String words;

    Verdict(String words) {
        this.words = words;
    }

    /** The verdict in reports, in lower case. */
    public String words() {
        return words;
    }

    /** {@link #HELD} or {@link #NOT_HELD}. */
    static Verdict of(boolean held) {
        return held ? HELD : NOT_HELD;
    }

    /**
     * The verdict with these words in reports.
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
