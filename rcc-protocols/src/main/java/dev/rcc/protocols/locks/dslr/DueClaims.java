package dev.rcc.protocols.locks.dslr;

import java.util.Arrays;
import java.util.List;

/** Claims by their due times, the earliest first: a binary heap in which each claim records its place. Used on one worker. */
final class DueClaims {
    /** The place of a claim that is not in the heap. */
    static final int NOWHERE = -1;

    private static final int INITIAL_ROOM = 16;

    private DslrClaim[] heap = new DslrClaim[INITIAL_ROOM];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    /** The claim that is due first. */
    DslrClaim first() {
        return heap[0];
    }

    /** All claims, in no order. */
    List<DslrClaim> all() {
        return List.of(Arrays.copyOf(heap, size));
    }

    /** Adds a claim, or moves it to the place of its present due time. */
    void put(DslrClaim claim) {
        if (claim.place == NOWHERE) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, 2 * size);
            }
            claim.place = size;
            heap[size++] = claim;
        }
        rise(claim);
        sink(claim);
    }

    /** Removes and returns the claim that is due first. */
    DslrClaim removeFirst() {
        DslrClaim first = heap[0];
        DslrClaim last = heap[--size];
        heap[size] = null;
        first.place = NOWHERE;
        if (last != first) {
            set(0, last);
            sink(last);
        }
        return first;
    }

    private void rise(DslrClaim claim) {
        while (claim.place > 0) {
            DslrClaim parent = heap[(claim.place - 1) / 2];
            if (!isEarlier(claim, parent)) {
                return;
            }
            swap(claim, parent);
        }
    }

    private void sink(DslrClaim claim) {
        while (true) {
            int left = 2 * claim.place + 1;
            if (left >= size) {
                return;
            }
            boolean isRight = left + 1 < size && isEarlier(heap[left + 1], heap[left]);
            DslrClaim child = heap[isRight ? left + 1 : left];
            if (!isEarlier(child, claim)) {
                return;
            }
            swap(claim, child);
        }
    }

    private void swap(DslrClaim one, DslrClaim other) {
        int place = one.place;
        set(other.place, one);
        set(place, other);
    }

    private void set(int place, DslrClaim claim) {
        heap[place] = claim;
        claim.place = place;
    }

    private static boolean isEarlier(DslrClaim one, DslrClaim other) {
        return one.dueNanos - other.dueNanos < 0;
    }
}
