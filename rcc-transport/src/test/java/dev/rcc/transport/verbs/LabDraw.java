package dev.rcc.transport.verbs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * What runs in the lab, whose processor is emulated: not all, unless {@code -Drcc.network.codes} asks for more, but what the seed
 * {@code rcc.lab.seed} draws, which is another in each build.
 */
public final class LabDraw {
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

    /** Why something does not run. */
    public static String notDrawn() {
        return "not drawn from -Drcc.lab.seed=" + SEED;
    }
}
