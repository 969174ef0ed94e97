package dev.rcc.it;

import dev.rcc.core.testing.BuildDraw;
import java.util.List;
import java.util.stream.Stream;

/**
 * Faults of processes of which each takes a minute or two, and each build has one, as the seed of the build draws. All of them run where the number of faults
 * is given ({@code -Drcc.faults}, {@code -Drcc.kills}), and where nothing is drawn.
 */
final class Drills {
    static final String AT_RANDOM = "several at random";
    static final String KILL_UNDER_LOCKS = "kill under locks";
    static final String STOP_UNDER_LOCKS = "stop under locks";
    static final String KILL_UNDER_RAFT = "kill under Raft";
    static final String CUT_UNDER_RAFT = "cut under Raft";

    private static final List<String> ALL =
            List.of(AT_RANDOM, KILL_UNDER_LOCKS, STOP_UNDER_LOCKS, KILL_UNDER_RAFT, CUT_UNDER_RAFT);
    private static final boolean ARE_ASKED_FOR =
            Stream.of("rcc.faults", "rcc.kills").anyMatch(name -> System.getProperty(name) != null);

    private Drills() {}

    /** Skips a test whose faults this build does not have. */
    static void assumeDrawn(String drill) {
        if (!ARE_ASKED_FOR) {
            BuildDraw.assumeDrawn("the drill", drill, ALL);
        }
    }
}
