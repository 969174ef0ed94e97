package dev.rcc.core.worker;

import java.util.Arrays;

/**
 * Counts the messages between zones of one sender, and its waits for them (redt, 4.3 and table 2). A coroutine whose messages are counted has
 * it in its {@link Completion}; what no such coroutine sends on a worker is counted by one for all of it. Belongs to its worker; allocates
 * nothing.
 */
public final class Crossings {
    /** What is counted. */
    public enum Measure {
        /** Waits for messages from other zones, one after the other. Several that are waited for together count once. */
        ROUND_TRIPS(0),
        /** Messages one way: requests and answers. The redt paper calls them communications. */
        MESSAGES(1),
        /** Their payload. Of the answer to a call, the room that the caller has for it. */
        BYTES(2);

        /** How many there are. */
        public static final int COUNT = 3;

        private final int index;

        Measure(int index) {
            this.index = index;
        }

        /** Where an array of counts has it. */
        public int index() {
            return index;
        }
    }

    private static final int MESSAGES_OF_REQUEST = 2;

    private final long[] counts = new long[Measure.COUNT];
    private boolean expecting;

    /** Nothing yet. */
    public Crossings() {}

    /** A request went to another zone; its answer comes from there. */
    public void requested(long requestBytes, long answerBytes) {
        counts[Measure.MESSAGES.index] += MESSAGES_OF_REQUEST;
        counts[Measure.BYTES.index] += requestBytes + answerBytes;
        expecting = true;
    }

    /** The next wait is for a message from another zone that answers no request of this sender. Who sends it counts it. */
    public void expect() {
        expecting = true;
    }

    /** The sender has waited for what it has requested and expects. */
    void awaited() {
        if (expecting) {
            expecting = false;
            counts[Measure.ROUND_TRIPS.index]++;
        }
    }

    /** The count since the last {@link #reset}. */
    public long count(Measure measure) {
        return counts[measure.index];
    }

    /** Adds to a count what was counted elsewhere. */
    public void add(Measure measure, long count) {
        counts[measure.index] += count;
    }

    /** Sets all counts to zero. */
    public void reset() {
        Arrays.fill(counts, 0);
    }
}
