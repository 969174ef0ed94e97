package dev.rcc.transport.sim;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The pieces in which READs and WRITEs of a batch take effect, and their order. A piece ends where the peer's cache line ends; those of a torn
 * line are words. A NIC moves bytes over PCIe, which orders no access after another, so the lines may come in any order. Reused; allocates
 * nothing once its arrays hold the most pieces.
 */
final class Pieces {
    /** Bytes of a cache line. */
    static final int LINE_BYTES = 64;

    private static final int INITIAL_PIECES = 16;

    private int size;
    private int next;
    private int[] requests = new int[INITIAL_PIECES];
    private long[] starts = new long[INITIAL_PIECES];
    private int[] lengths = new int[INITIAL_PIECES];

    void clear() {
        size = 0;
        next = 0;
    }

    /** Adds a READ or WRITE, line by line. */
    void add(int request, long address, int bytes) {
        long offset = RemoteAddress.offset(address);
        split(request, offset, offset + bytes, LINE_BYTES);
    }

    /** The number of pieces of a READ or WRITE of whole lines. */
    static int count(long address, int bytes) {
        return count(RemoteAddress.offset(address), bytes, LINE_BYTES);
    }

    private static int count(long offset, int bytes, int pieceBytes) {
        return (int) ((offset + Math.max(bytes, 1) - 1) / pieceBytes - offset / pieceBytes) + 1;
    }

    /** Replaces a piece by its words, in ascending order. Returns their number. */
    int tear(int piece) {
        int request = requests[piece];
        long start = starts[piece];
        int tail = size - piece - 1;
        int words = count(start, lengths[piece], Memory.WORD_BYTES);
        reserve(size + words - 1);
        long end = start + lengths[piece];
        move(piece + 1, piece + words, tail);
        size = piece;
        split(request, start, end, Memory.WORD_BYTES);
        size += tail;
        return words;
    }

    /** Has {@code count} pieces, from {@code first} on, come in any order. */
    void shuffle(int first, int count, SplittableRandom chance) {
        for (int i = count - 1; i > 0; i--) {
            swap(first + i, first + chance.nextInt(i + 1));
        }
    }

    /** The number of pieces. */
    int size() {
        return size;
    }

    /** The number of pieces that have taken effect; the index of the next piece. */
    int taken() {
        return next;
    }

    /** Takes the next piece. */
    void take() {
        next++;
    }

    /** The index of a piece's request in the batch. */
    int request(int piece) {
        return requests[piece];
    }

    /** Offset of a piece's first byte in the region. */
    long start(int piece) {
        return starts[piece];
    }

    /** Bytes of a piece. */
    int bytes(int piece) {
        return lengths[piece];
    }

    private void split(int request, long from, long end, int pieceBytes) {
        long start = from;
        do {
            long pieceEnd = Math.min(end, (start / pieceBytes + 1) * pieceBytes);
            reserve(size + 1);
            requests[size] = request;
            starts[size] = start;
            lengths[size++] = (int) (pieceEnd - start);
            start = pieceEnd;
        } while (start < end);
    }

    private void reserve(int capacity) {
        if (capacity > requests.length) {
            int longer = Math.max(capacity, 2 * requests.length);
            requests = Arrays.copyOf(requests, longer);
            starts = Arrays.copyOf(starts, longer);
            lengths = Arrays.copyOf(lengths, longer);
        }
    }

    private void move(int from, int to, int count) {
        System.arraycopy(requests, from, requests, to, count);
        System.arraycopy(starts, from, starts, to, count);
        System.arraycopy(lengths, from, lengths, to, count);
    }

    private void swap(int i, int j) {
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
