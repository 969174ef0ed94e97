package dev.rcc.core.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.TestInfo;

/**
 * Tests of real networks and processes that exist in several settings, of which each build runs them in one. The seed of the build draws it, which is the
 * time of the build unless {@code -Drcc.build.seed} gives another. {@code -Drcc.network.codes} and runs outside of a build have all.
 */
public final class BuildDraw {
    private static final String SEED = System.getProperty("rcc.build.seed", "");
    private static final boolean HAS_ALL = SEED.isEmpty() || Integer.getInteger("rcc.network.codes") != null;

    private BuildDraw() {}

    /**
     * A source of choices, which the seed of the build and what is chosen determine; {@code -Drcc.seed} is the seed if it is given, and a run outside
     * of a build always chooses the same.
     */
    public static RandomGenerator random(String what) {
        return new SplittableRandom(Long.getLong("rcc.seed", SEED.isEmpty() ? 42 : SEED.hashCode()) ^ what.hashCode());
    }

    /**
     * Skips a test that this build has in another setting.
     *
     * @param test its method is drawn for, with the class that declares it
     * @param setting the one that it would run in
     * @param settings all of them
     */
    public static void assumeDrawn(TestInfo test, String setting, List<String> settings) {
        assumeDrawn(test.getTestMethod().orElseThrow().getName(), setting, settings);
    }

    /**
     * Skips a test of which this build has another one.
     *
     * @param what what the tests have in common
     * @param test this one
     * @param tests all of them
     */
    public static void assumeDrawn(String what, String test, List<String> tests) {
        assumeDrawn(what, test, tests, 1);
    }

    /**
     * Skips a test of which this build has others.
     *
     * @param count how many of the tests a build has
     */
    public static void assumeDrawn(String what, String test, List<String> tests, int count) {
        Assumptions.assumeTrue(
                drawn(what, tests, count).contains(test),
                () -> what + ": " + test + " is not drawn from -Drcc.build.seed=" + SEED);
    }

    /**
     * Those of several that this build has, or all where nothing is drawn.
     *
     * @param what what they are drawn for
     * @param count how many of them a build has
     */
    public static List<String> drawn(String what, List<String> all, int count) {
        if (HAS_ALL) {
            return all;
        }
        List<String> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, new SplittableRandom((SEED + what).hashCode()));
        return shuffled.subList(0, count);
    }
}
