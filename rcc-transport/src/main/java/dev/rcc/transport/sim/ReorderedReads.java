package dev.rcc.transport.sim;

import dev.rcc.core.memory.RemoteAddress;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Consecutive READs of a batch as a NIC may serve them. It fetches their bytes over PCIe, which orders no read after another,
 * so the cache lines of all the READs come in any order. A line comes at once. Reused; allocates nothing once its arrays hold
 * the largest run of READs.
 */
final class ReorderedReads {
    private int size;
    private int next;
    private int[] requests = new int[16];
    private long[] starts = new long[16];
    private int[] lengths = new int[16];

    void clear() {
        size = 0;
        next = 0;
    }

    /** Adds a READ, line by line. */
    void add(int request, long address, int bytes) {
        long start = RemoteAddress.offset(address);
        long end = start + bytes;
        do {
            long lineEnd = Math.min(end, (start / SimBatch.LINE_BYTES + 1) * SimBatch.LINE_BYTES);
            if (size == requests.length) {
                grow();
            }
            requests[size] = request;
            starts[size] = start;
            lengths[size++] = (int) (lineEnd - start);
            start = lineEnd;
        } while (start < end);
    }

    void shuffle(SplittableRandom chance) {
        for (int i = size - 1; i > 0; i--) {
            int j = chance.nextInt(i + 1);
            int request = requests[i];
            long start = starts[i];
            int bytes = lengths[i];
            requests[i] = requests[j];
            starts[i] = starts[j];
            lengths[i] = lengths[j];
            requests[j] = request;
            starts[j] = start;
            lengths[j] = bytes;
        }
    }

    /** The number of lines. */
    int size() {
        return size;
    }

    /** The number of lines taken. */
    int taken() {
        return next;
    }

    /** Takes the next line; the three methods below describe it. */
    void take() {
        next++;
    }

    /** The index of the line's READ in the batch. */
    int request() {
        return requests[next - 1];
    }

    /** Offset of the line's first byte that is read, in the region. */
    long start() {
        return starts[next - 1];
    }

    /** Bytes of the line that are read. */
    int bytes() {
        return lengths[next - 1];
    }

    private void grow() {
        requests = Arrays.copyOf(requests, 2 * size);
        starts = Arrays.copyOf(starts, 2 * size);
        lengths = Arrays.copyOf(lengths, 2 * size);
    }
}
