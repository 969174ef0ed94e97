package dev.rcc.server.simulation;

import dev.rcc.server.recovery.RecoveryStep;
import dev.rcc.server.recovery.RecoveryWatch;
import java.util.EnumMap;
import java.util.Map;

/** The progress of the nodes on their way to another configuration. */
final class RecoveryProgress {
    private final Map<RecoveryStep, Integer> began = new EnumMap<>(RecoveryStep.class);
    private final Map<RecoveryStep, Integer> ended = new EnumMap<>(RecoveryStep.class);
    /** The step that a node began last; null if the nodes are not on their way. */
    private RecoveryStep current;

    private int joiner = RecoveryWatch.NO_NODE;

    /** Begins to count anew. */
    void reset() {
        began.clear();
        ended.clear();
    }

    /** The nodes begin to change to another configuration, with {@code newJoiner}, or {@link RecoveryWatch#NO_NODE}. */
    void begins(int newJoiner) {
        joiner = newJoiner;
    }

    void began(RecoveryStep step) {
        current = step;
        began.merge(step, 1, Integer::sum);
    }

    void ended(RecoveryStep step) {
        ended.merge(step, 1, Integer::sum);
        if (step == RecoveryStep.RESUME && ended.get(step) >= began.getOrDefault(step, 0)) {
            current = null;
            joiner = RecoveryWatch.NO_NODE;
        }
    }

    /** The step that the nodes are at; null if they are not on their way. */
    RecoveryStep current() {
        return current;
    }

    /** The node that is being taken in, or {@link RecoveryWatch#NO_NODE}. */
    int joiner() {
        return joiner;
    }

    /** The number of nodes that have taken a step since {@link #reset} or, unless {@code hasEnded}, have begun it. */
    int nodes(RecoveryStep step, boolean hasEnded) {
        return (hasEnded ? ended : began).getOrDefault(step, 0);
    }
}
