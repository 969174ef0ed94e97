package dev.rcc.bench.paper;

import java.util.ArrayList;
import java.util.List;

/**
 * Under what all runs of a book are made once. Immutable.
 *
 * @param settings which facts about the experiments
 * @param assumption which costs of the hardware
 * @param seed of all random choices
 */
public record Condition(Settings settings, Assumption assumption, long seed) {
    /**
     * The conditions that a book is judged by: for each of its settings every seed, and then each of its assumptions with the first seed.
     *
     * @param firstSeed the others follow it
     * @param seeds how many, at least 1
     */
    public static List<Condition> of(Book book, long firstSeed, int seeds) {
        List<Condition> conditions = new ArrayList<>();
        for (Settings settings : book.settings()) {
            for (int i = 0; i < seeds; i++) {
                conditions.add(new Condition(settings, Assumption.NONE, firstSeed + i));
            }
            for (Assumption assumption : book.assumptions()) {
                conditions.add(new Condition(settings, assumption, firstSeed));
            }
        }
        return conditions;
    }

    /** Whether some costs are others than the profile's. */
    public boolean isAssumed() {
        return !assumption.equals(Assumption.NONE);
    }

    /** What runs under it instead of a setup of the book. */
    public Setup change(Setup setup) {
        return settings.change().apply(setup).withCosts(assumption.costs());
    }

    /** In a few words, such as {@code text, seed 42}. */
    public String describe() {
        String costs = isAssumed() ? assumption.name() + ", " : "";
        return settings.name() + ", " + costs + "seed " + seed;
    }
}
