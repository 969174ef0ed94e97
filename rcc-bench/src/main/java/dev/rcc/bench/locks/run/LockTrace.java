package dev.rcc.bench.locks.run;

import dev.rcc.protocols.locks.LockMode;
import java.util.Arrays;
import java.util.SplittableRandom;

/** The locks that transactions take. */
public interface LockTrace {
    /** The name by which users pick it. */
    String name();

    /** Number of locks in the cluster. */
    long locks();

    /** Whether some transactions are long. */
    boolean hasLong();

    /** Draws the next transaction of a node's clients. */
    void next(int node, SplittableRandom random, Wish wish);

    /** The locks of a transaction: each once, in the mode that covers all its uses. Reused. */
    final class Wish {
        private long[] locks = new long[16];
        private LockMode[] modes = new LockMode[16];
        private int count;
        private boolean isLong;

        /** Begins another transaction. */
        public void clear() {
            count = 0;
            isLong = false;
        }

        /** Adds a lock. */
        public void add(long lock, LockMode mode) {
            for (int i = 0; i < count; i++) {
                if (locks[i] == lock) {
                    modes[i] = modes[i] == LockMode.EXCLUSIVE ? modes[i] : mode;
                    return;
                }
            }
            if (count == locks.length) {
                locks = Arrays.copyOf(locks, 2 * count);
                modes = Arrays.copyOf(modes, 2 * count);
            }
            locks[count] = lock;
            modes[count++] = mode;
        }

        /** Puts the locks in the order of their numbers. */
        public void sort() {
            for (int i = 1; i < count; i++) {
                long lock = locks[i];
                LockMode mode = modes[i];
                int place = i;
                for (; place > 0 && locks[place - 1] > lock; place--) {
                    locks[place] = locks[place - 1];
                    modes[place] = modes[place - 1];
                }
                locks[place] = lock;
                modes[place] = mode;
            }
        }

        /** Marks the transaction as long. */
        public void takesLong() {
            isLong = true;
        }

        /** Whether the transaction is long. */
        public boolean isLong() {
            return isLong;
        }

        /** Number of locks. */
        public int size() {
            return count;
        }

        /** The number of a lock. */
        public long lock(int i) {
            return locks[i];
        }

        /** The mode of a lock. */
        public LockMode mode(int i) {
            return modes[i];
        }
    }
}
