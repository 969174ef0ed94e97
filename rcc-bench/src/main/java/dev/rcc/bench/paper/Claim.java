package dev.rcc.bench.paper;

import java.util.List;

/**
 * What a paper says in words, and how we decide whether it is so here.
 *
 * @param section the paper's section
 * @param text the claim, in our words
 * @param criterion when we say that it holds
 * @param test the experiment
 */
public record Claim(String section, String text, String criterion, Test test) {
    /** Decides a claim. */
    @FunctionalInterface
    public interface Test {
        /** Runs what is needed and decides. */
        Finding decide(Lab lab) throws InterruptedException;
    }

    /**
     * What was found.
     *
     * @param verdict whether the claim holds
     * @param figures what the verdict goes by, each a line
     */
    public record Finding(Verdict verdict, List<String> figures) {
        /** Takes a copy of the list. */
        public Finding {
            figures = List.copyOf(figures);
        }
    }
}
