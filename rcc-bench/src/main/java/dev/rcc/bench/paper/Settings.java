package dev.rcc.bench.paper;

import java.util.function.UnaryOperator;

/**
 * Facts about a paper's experiments that its setups are changed by: a paper's text and its authors' code may differ. Immutable.
 *
 * @param name in one word, as reports and JSON write it
 * @param words where the facts are from
 * @param change makes of a setup one with these facts
 */
public record Settings(String name, String words, UnaryOperator<Setup> change) {
    /** What the book's setups say themselves. */
    public static final Settings TEXT = new Settings("text", "as in the paper's text", setup -> setup);
}
