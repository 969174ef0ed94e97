package dev.rcc.transport.verbs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Assumptions;

/**
 * What runs in the lab, whose processor is emulated: not all, unless {@code -Drcc.network.codes} asks for more, but what the seed
 * {@code rcc.lab.seed} draws, which is another in each build.
 */
public final class LabDraw {
    /** What the tests are drawn for that start processes: in the lab a JVM takes half a minute for that, so one of three ways to use some runs, in one of eight builds. */
    public static final String PROCESSES = "processes";

    /** Each of these ways runs in one of so many builds. */
    public static final int ONE_OF_PROCESSES_IN = 24;

    private static final boolean IS_IN_LAB = "guest".equals(System.getenv("RCC_LAB"));
    private static final long SEED = Long.getLong("rcc.lab.seed", 42);

    private LabDraw() {}

    /** Whether this is the lab, and nobody asks for more. */
    public static boolean isShort() {
        return IS_IN_LAB && Integer.getInteger("rcc.network.codes") == null;
    }

    /** Whether this is the lab. */
    public static boolean isInLab() {
        return IS_IN_LAB;
    }

    /** A source of choices, which the seed and what is chosen determine. */
    public static RandomGenerator random(String what) {
        return new SplittableRandom(SEED ^ what.hashCode());
    }

    /** Some of several, or all where no time is short. */
    public static <T> List<T> some(String what, int count, List<T> all) {
        if (!isShort()) {
            return all;
        }
        List<T> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, random(what));
        return shuffled.subList(0, count);
    }

    /**
     * Has a test run in one of {@code of} builds, where time is short.
     *
     * @param what what it is drawn for; of tests that are drawn for the same and have other turns, one runs in each build
     */
    public static void assumeTurn(String what, int turn, int of) {
        Assumptions.assumeTrue(!isShort() || random(what).nextInt(of) == turn, "not drawn from -Drcc.lab.seed=" + SEED);
    }
}
