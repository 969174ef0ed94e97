package dev.rcc.core.worker;

import java.util.Arrays;

/**
 * Counts the messages between zones of one sender, and its waits for them (redt, 4.3 and table 2). A coroutine whose messages are counted has one in
 * its {@link Completion}; one more counts all messages of the worker that no such coroutine sends. Belongs to its worker; allocates nothing.
 */
public final class Crossings {
    /** The measures. */
    public enum Measure {
        /** Waits for messages from other zones, one after the other. Several that are waited for together count once. */
        ROUND_TRIPS(0),
        /** Messages one way: requests and replies. The redt paper calls them communications. */
        MESSAGES(1),
        /** The messages' payload. For the reply to a call, the room that the caller has for it. */
        BYTES(2);

        /** The number of measures. */
        public static final int COUNT = 3;

        private final int index;

        Measure(int index) {
            this.index = index;
        }

        /** The measure's index in an array of counts. */
        public int index() {
            return index;
        }
    }

    private static final int MESSAGES_OF_REQUEST = 2;

    private final long[] counts = new long[Measure.COUNT];
    private boolean expecting;

    /** Starts with counts of zero. */
    public Crossings() {}

    /** A request went to another zone; its reply comes from there. */
    public void requested(long requestBytes, long answerBytes) {
        counts[Measure.MESSAGES.index] += MESSAGES_OF_REQUEST;
        counts[Measure.BYTES.index] += requestBytes + answerBytes;
        expecting = true;
    }

    /** The next wait is for a message from another zone that replies to no request of this sender. The message's sender counts it. */
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

    /** Adds a count from elsewhere. */
    public void add(Measure measure, long count) {
        counts[measure.index] += count;
    }

    /** Sets all counts to zero. */
    public void reset() {
        Arrays.fill(counts, 0);
    }
}
