package dev.rcc.it;

import dev.rcc.core.testing.BuildDraw;
import java.util.List;
import java.util.stream.Stream;

/**
 * Faults of processes under load. Each takes a minute or so, and each build has some, which the seed of the build draws. All of them run where the number of
 * faults is given ({@code -Drcc.faults}, {@code -Drcc.kills}), and where nothing is drawn.
 */
final class Drills {
    static final String AT_RANDOM = "several at random";
    /** A client's pause between transactions, in ms: other tests run beside a drill. */
    static final String THINK_MILLIS = "25";

    private static final List<String> ALL = List.of(
            "kill on tcp",
            "stop on tcp",
            "cut on tcp",
            "split on tcp",
            "kill on shm",
            "stop on shm",
            "kill under Raft",
            "stop under Raft",
            "cut under Raft",
            "kill under locks",
            "stop under locks",
            AT_RANDOM);
    private static final int IN_A_BUILD = 2;
    private static final boolean ARE_ASKED_FOR =
            Stream.of("rcc.faults", "rcc.kills").anyMatch(name -> System.getProperty(name) != null);

    private Drills() {}

    /** Skips a test whose faults this build does not have. */
    static void assumeDrawn(String drill) {
        if (!ALL.contains(drill)) {
            throw new IllegalArgumentException("drill: got '" + drill + "', allowed: " + ALL);
        }
        if (!ARE_ASKED_FOR) {
            BuildDraw.assumeDrawn("drill", drill, ALL, IN_A_BUILD);
        }
    }
}
