package dev.rcc.bench.paper;

import java.util.ArrayList;
import java.util.List;

/**
 * A condition under which all runs of a book are made once. Immutable.
 *
 * @param settings the facts about the experiments
 * @param assumption the costs of the hardware
 * @param seed the seed of all random choices
 */
public record Condition(Settings settings, Assumption assumption, long seed) {
    /**
     * The conditions under which a book is judged: for each of its settings every seed, and then each of its assumptions with the first seed.
     *
     * @param firstSeed the first seed; the other seeds follow it
     * @param seeds number of seeds, at least 1
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

    /** Whether some costs differ from the profile's. */
    public boolean isAssumed() {
        return !assumption.equals(Assumption.NONE);
    }

    /** The setup that runs under this condition instead of a setup of the book. */
    public Setup change(Setup setup) {
        return settings.change().apply(setup).withCosts(assumption.costs());
    }

    /** The condition in a few words, such as {@code text, seed 42}. */
    public String describe() {
        String costs = isAssumed() ? assumption.name() + ", " : "";
        return settings.name() + ", " + costs + "seed " + seed;
    }
}
