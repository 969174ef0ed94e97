package dev.rcc.core.txn;

import dev.rcc.core.worker.Completion;
import dev.rcc.core.worker.Crossings;
import dev.rcc.core.worker.Crossings.Measure;
import java.util.Arrays;

/**
 * The messages between zones of one attempt, in all and by the protocol's stage. One object serves all attempts of a coroutine, and allocates
 * nothing once it has met the last stage. Used on the coroutine only.
 */
public final class AttemptCrossings {
    private static final Measure[] MEASURES = Measure.values();

    private final Crossings counted = new Crossings();
    private final long[] atBegin = new long[Measure.COUNT];
    private final long[] atEnter = new long[Measure.COUNT];
    /** By stage and measure. */
    private long[][] stages = {};

    /** Counts the messages that {@code completion} waits for. */
    AttemptCrossings(Completion completion) {
        completion.count(counted);
    }

    /** An attempt begins. */
    void begin() {
        note(atBegin);
        for (long[] stage : stages) {
            Arrays.fill(stage, 0);
        }
    }

    /** A stage begins. */
    void enter() {
        note(atEnter);
    }

    /** The stage that was entered ends. An attempt may pass through it again. */
    void leave(int stage) {
        while (stage >= stages.length) {
            stages = Arrays.copyOf(stages, stages.length + 1);
            stages[stages.length - 1] = new long[Measure.COUNT];
        }
        for (Measure measure : MEASURES) {
            stages[stage][measure.index()] += counted.count(measure) - atEnter[measure.index()];
        }
    }

    private void note(long[] counts) {
        for (Measure measure : MEASURES) {
            counts[measure.index()] = counted.count(measure);
        }
    }

    /** The attempt's count, in all stages and between them. */
    public long count(Measure measure) {
        return counted.count(measure) - atBegin[measure.index()];
    }

    /** The attempt's count in all its passages through a stage. */
    public long count(int stage, Measure measure) {
        return stage < stages.length ? stages[stage][measure.index()] : 0;
    }

    /** All stages that were passed are less than this number. */
    int stages() {
        return stages.length;
    }
}
