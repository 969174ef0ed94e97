package dev.rcc.bench.history;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Keys of a history in the order in which scans meet them. */
public final class KeyOrder {
    private final History history;
    private final int[] sorted;

    /**
     * Sorts keys. Does nothing for a history without scans, which needs no order.
     *
     * @param which selects the keys
     */
    public KeyOrder(History history, IntPredicate which) {
        this.history = history;
        this.sorted = history.scans() == 0
                ? new int[0]
                : IntStream.range(0, history.keys())
                        .filter(which)
                        .boxed()
                        .sorted((a, b) -> KeyRange.compare(history.keyName(a), history.keyName(b)))
                        .mapToInt(Integer::intValue)
                        .toArray();
    }

    /** The keys in a range. */
    public int[] keysIn(History.Scan scan) {
        int low = 0;
        int high = sorted.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (KeyRange.compare(history.keyName(sorted[middle]), scan.from()) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        int end = low;
        while (end < sorted.length && KeyRange.contains(scan, history.keyName(sorted[end]))) {
            end++;
        }
        return Arrays.copyOfRange(sorted, low, end);
    }
}
