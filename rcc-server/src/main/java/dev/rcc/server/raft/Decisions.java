package dev.rcc.server.raft;

import java.util.Arrays;

/**
 * By partition, the decided transactions of a worker of which the group has not been notified: transactions that write several partitions.
 * Used on that worker only.
 */
final class Decisions {
    private static final int CAPACITY_MIN = 64;

    private final long[][] ids;
    private final int[] counts;

    Decisions(int partitions) {
        this.ids = new long[partitions][CAPACITY_MIN];
        this.counts = new int[partitions];
    }

    void add(int partition, long id) {
        if (counts[partition] == ids[partition].length) {
            ids[partition] = Arrays.copyOf(ids[partition], 2 * counts[partition]);
        }
        ids[partition][counts[partition]++] = id;
    }

    int count(int partition) {
        return counts[partition];
    }

    long id(int partition, int i) {
        return ids[partition][i];
    }

    /** The group has been notified of the first {@code count} transactions. */
    void told(int partition, int count) {
        System.arraycopy(ids[partition], count, ids[partition], 0, counts[partition] - count);
        counts[partition] -= count;
    }

    boolean isEmpty() {
        return Arrays.stream(counts).allMatch(count -> count == 0);
    }
}
