package dev.rcc.core.worker;

import java.util.Arrays;

/** A growing ring of runnable slices, used by one thread. */
final class ReadyQueue {
    private Runnable[] ring = new Runnable[64];
    private int head;
    private int size;

    void add(Runnable slice) {
        if (size == ring.length) {
            grow();
        }
        ring[(head + size++) & (ring.length - 1)] = slice;
    }

    Runnable remove() {
        assert size > 0;
        Runnable slice = ring[head];
        ring[head] = null;
        head = (head + 1) & (ring.length - 1);
        size--;
        return slice;
    }

    int size() {
        return size;
    }

    private void grow() {
        Runnable[] longer = Arrays.copyOf(ring, ring.length * 2);
        System.arraycopy(ring, head, longer, 0, ring.length - head);
        System.arraycopy(ring, 0, longer, ring.length - head, head);
        ring = longer;
        head = 0;
    }
}
