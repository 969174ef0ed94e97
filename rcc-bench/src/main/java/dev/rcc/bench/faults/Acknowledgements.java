package dev.rcc.bench.faults;

import java.util.Arrays;

/** When clients received acknowledgements of commits. Thread-safe. */
final class Acknowledgements {
    private static final int FIRST_ROOM = 1 << 12;

    private long[] times = new long[FIRST_ROOM];
    private int count;

    /** A client has received one just now. */
    synchronized void add() { // taken within, so that times are in order
        add(System.nanoTime());
    }

    /** A client has received one at a time that is no earlier than any before. */
    synchronized void add(long nanos) {
        if (count == times.length) {
            times = Arrays.copyOf(times, 2 * count);
        }
        times[count++] = nanos;
    }

    /** How many acknowledgements clients have received. */
    synchronized int count() {
        return count;
    }

    /**
     * The longest time without any, of those that begin within a span.
     *
     * @param from its begin, which counts as the begin of such a time
     * @param to its end
     * @param end when to end a time that has not ended
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
