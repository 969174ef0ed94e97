package dev.rcc.bench.paper;

import java.util.function.UnaryOperator;

/**
 * Facts about a paper's experiments, which change its setups: a paper's text and its authors' code may differ. Immutable.
 *
 * @param name the name in one word, for reports and JSON
 * @param words the source of the facts
 * @param change turns a setup into one with these facts
 */
public record Settings(String name, String words, UnaryOperator<Setup> change) {
    /** Leaves the book's setups unchanged. */
    public static final Settings TEXT = new Settings("text", "as in the paper's text", setup -> setup);
}
