package dev.rcc.core.testing;

import java.util.List;
import java.util.SplittableRandom;
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
     * Skips a test that this build has in another setting.
     *
     * @param test its method is drawn for, with the class that declares it
     * @param setting the one that it would run in
     * @param settings all of them
     */
    public static void assumeDrawn(TestInfo test, String setting, List<String> settings) {
        String method = test.getTestMethod().orElseThrow().getName();
        Assumptions.assumeTrue(
                HAS_ALL || settings.get(turn(method, settings.size())).equals(setting),
                () -> method + " on " + setting + " is not drawn from -Drcc.build.seed=" + SEED);
    }

    private static int turn(String method, int count) {
        return new SplittableRandom((SEED + method).hashCode()).nextInt(count);
    }
}
