package dev.rcc.core.worker;

import java.util.Arrays;

/** Sleeping coroutines by deadline: a binary heap on two parallel arrays, used by one thread. */
final class Sleepers {
    private long[] deadlines = new long[64];
    private LoopCoroutine[] coroutines = new LoopCoroutine[64];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    long nextDeadline() {
        assert size > 0;
        return deadlines[0];
    }

    void add(long deadline, LoopCoroutine coroutine) {
        if (size == deadlines.length) {
            deadlines = Arrays.copyOf(deadlines, size * 2);
            coroutines = Arrays.copyOf(coroutines, size * 2);
        }
        int hole = size++;
        while (hole > 0) {
            int parent = (hole - 1) / 2;
            if (deadlines[parent] - deadline <= 0) {
                break;
            }
            move(parent, hole);
            hole = parent;
        }
        put(hole, deadline, coroutine);
    }

    /** Wakes all coroutines whose deadline has come, earliest first, and returns how many. */
    int wake(long now) {
        int count = 0;
        while (size > 0 && deadlines[0] - now <= 0) {
            LoopCoroutine coroutine = coroutines[0];
            removeFirst();
            coroutine.wake();
            count++;
        }
        return count;
    }

    private void removeFirst() {
        long deadline = deadlines[--size];
        LoopCoroutine coroutine = coroutines[size];
        coroutines[size] = null;
        if (size == 0) {
            return;
        }
        int hole = 0;
        for (int child = 1; child < size; child = 2 * hole + 1) {
            if (child + 1 < size && deadlines[child + 1] - deadlines[child] < 0) {
                child++;
            }
            if (deadline - deadlines[child] <= 0) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        put(hole, deadline, coroutine);
    }

    private void move(int from, int to) {
        put(to, deadlines[from], coroutines[from]);
    }

    private void put(int at, long deadline, LoopCoroutine coroutine) {
        deadlines[at] = deadline;
        coroutines[at] = coroutine;
    }
}
