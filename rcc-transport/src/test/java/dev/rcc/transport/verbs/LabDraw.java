package dev.rcc.transport.verbs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Assumptions;

/**
 * The tests that run in the lab, whose processor is emulated. Unless {@code -Drcc.network.codes} requests more, the seed
 * {@code rcc.lab.seed} draws the tests that run. The seed is another in each build.
 */
public final class LabDraw {
    /**
     * The name of the draw for tests that start processes. In the lab a JVM takes half a minute to start, so one of three ways to use processes runs,
     * in one of eight builds.
     */
    public static final String PROCESSES = "processes";

    /** Each of these ways runs in one of this many builds. */
    public static final int ONE_OF_PROCESSES_IN = 24;

    private static final boolean IS_IN_LAB = "guest".equals(System.getenv("RCC_LAB"));
    private static final long SEED = Long.getLong("rcc.lab.seed", 42);

    private LabDraw() {}

    /** Whether this is the lab, and no more tests are requested. */
    public static boolean isShort() {
        return IS_IN_LAB && Integer.getInteger("rcc.network.codes") == null;
    }

    /** Whether this is the lab. */
    public static boolean isInLab() {
        return IS_IN_LAB;
    }

    /** A source of random choices, determined by the seed and by {@code what}. */
    public static RandomGenerator random(String what) {
        return new SplittableRandom(SEED ^ what.hashCode());
    }

    /** Draws {@code count} members of {@code all} in the lab; returns all elsewhere. */
    public static <T> List<T> some(String what, int count, List<T> all) {
        if (!isShort()) {
            return all;
        }
        List<T> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, random(what));
        return shuffled.subList(0, count);
    }

    /**
     * Lets a test run in one of {@code of} builds in the lab.
     *
     * @param what the name of the draw; of the tests with the same name and different turns, one runs in each build
     */
    public static void assumeTurn(String what, int turn, int of) {
        Assumptions.assumeTrue(!isShort() || random(what).nextInt(of) == turn, "not drawn from -Drcc.lab.seed=" + SEED);
    }
}
