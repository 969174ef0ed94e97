package dev.rcc.bench.faults;

import java.util.Arrays;

/** The times at which clients received acknowledgements of commits. Thread-safe. */
final class Acknowledgements {
    private static final int FIRST_ROOM = 1 << 12;

    private long[] times = new long[FIRST_ROOM];
    private int count;

    /** Adds an acknowledgement that a client has received just now. */
    synchronized void add() { // the time is read under the lock, so that times are in order
        add(System.nanoTime());
    }

    /** Adds an acknowledgement at a time that is no earlier than any time before. */
    synchronized void add(long nanos) {
        if (count == times.length) {
            times = Arrays.copyOf(times, 2 * count);
        }
        times[count++] = nanos;
    }

    /** The number of acknowledgements that clients have received. */
    synchronized int count() {
        return count;
    }

    /**
     * The longest time without an acknowledgement, of the times that begin within a span.
     *
     * @param from the begin of the span, which counts as the begin of such a time
     * @param to the end of the span
     * @param end the end of a time that still lasts
     */
    synchronized long longestGap(long from, long to, long end) {
        long longest = 0;
        long begin = from;
        int next = Arrays.binarySearch(times, 0, count, from);
        for (int i = next < 0 ? -next - 1 : next; i < count && begin - to <= 0; i++) {
            longest = Math.max(longest, times[i] - begin);
            begin = times[i];
        }
        return begin - to <= 0 ? Math.max(longest, end - begin) : longest;
    }
}
