package dev.rcc.core.testing;

import dev.rcc.core.store.KeyHash;
import java.util.SplittableRandom;

/**
 * Runs a property for many seeds. The seeds are the same in every run. A failure names its seed; {@code -Drcc.seed=...} then runs that seed alone.
 */
public final class Seeds {
    private static final String ONE_SEED = "rcc.seed";

    private Seeds() {}

    /** A property of everything that can be drawn from {@code random}. */
    @FunctionalInterface
    public interface Property {
        void check(SplittableRandom random) throws Exception;
    }

    /** Checks {@code property} for {@code count} seeds. */
    public static void forEach(int count, Property property) {
        Long only = Long.getLong(ONE_SEED);
        if (only != null) {
            check(only, property);
            return;
        }
        for (int i = 1; i <= count; i++) {
            check(KeyHash.mix(i), property);
        }
    }

    private static void check(long seed, Property property) {
        try {
            property.check(new SplittableRandom(seed));
        } catch (Throwable e) {
            throw new AssertionError(
                    "failed with seed " + seed + "; repeat: ./mvnw test -Dtest=<class>#<method> -D" + ONE_SEED + "="
                            + seed,
                    e);
        }
    }
}
