package dev.rcc.core.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.TestInfo;

/**
 * Tests of real networks and processes exist in several settings; each build runs them in one of these. The seed of the build draws the setting. The
 * seed is the time of the build unless {@code -Drcc.build.seed} gives another. With {@code -Drcc.network.codes}, and outside of a build, all settings
 * run.
 */
public final class BuildDraw {
    private static final String SEED = System.getProperty("rcc.build.seed", "");
    private static final boolean HAS_ALL = SEED.isEmpty() || Integer.getInteger("rcc.network.codes") != null;

    private BuildDraw() {}

    /**
     * A source of random choices, determined by the seed of the build and by {@code what}. {@code -Drcc.seed} is the seed if it is given; a run
     * outside of a build always makes the same choices.
     */
    public static RandomGenerator random(String what) {
        return new SplittableRandom(Long.getLong("rcc.seed", SEED.isEmpty() ? 42 : SEED.hashCode()) ^ what.hashCode());
    }

    /**
     * Skips a test that this build runs in another setting.
     *
     * @param test the draw is made by the name of its method
     * @param setting the setting that it would run in
     * @param settings all settings
     */
    public static void assumeDrawn(TestInfo test, String setting, List<String> settings) {
        assumeDrawn(test.getTestMethod().orElseThrow().getName(), setting, settings);
    }

    /**
     * Skips a test if this build runs another test of the same group.
     *
     * @param what the name of the group
     * @param test this test
     * @param tests all tests of the group
     */
    public static void assumeDrawn(String what, String test, List<String> tests) {
        assumeDrawn(what, test, tests, 1);
    }

    /**
     * Skips a test if this build runs other tests of the same group.
     *
     * @param count how many tests of the group a build runs
     */
    public static void assumeDrawn(String what, String test, List<String> tests, int count) {
        Assumptions.assumeTrue(
                drawn(what, tests, count).contains(test),
                () -> what + ": " + test + " is not drawn from -Drcc.build.seed=" + SEED);
    }

    /**
     * The members of a group that this build runs, or all members if nothing is drawn.
     *
     * @param what the name of the group
     * @param count how many members a build runs
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
