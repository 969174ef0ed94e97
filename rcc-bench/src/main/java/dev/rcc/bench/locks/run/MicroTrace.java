package dev.rcc.bench.locks.run;

import dev.rcc.protocols.locks.LockMode;
import java.util.SplittableRandom;

/**
 * One lock a transaction, drawn by a power law (dslr, A.4).
 *
 * @param locks number of locks
 * @param alpha the law's exponent, more than 1: the greater, the more they want the same
 * @param rho how often the lock is wanted shared
 */
public record MicroTrace(long locks, double alpha, double rho) implements LockTrace {
    /** Checks the ranges. */
    public MicroTrace {
        if (locks < 1 || !(alpha > 1) || !(rho >= 0 && rho <= 1)) {
            throw new IllegalArgumentException("got " + locks + " locks, alpha " + alpha + " and rho " + rho
                    + ", allowed: at least 1 lock, alpha of more than 1, rho from 0 to 1");
        }
    }

    @Override
    public String name() {
        return "micro";
    }

    @Override
    public boolean hasLong() {
        return false;
    }

    @Override
    public void next(int node, SplittableRandom random, Wish wish) {
        wish.clear();
        double rank = Math.pow(1 - random.nextDouble(), -1 / (alpha - 1));
        long lock = rank >= locks + 1.0 ? random.nextLong(locks) : (long) rank - 1;
        wish.add(lock, random.nextDouble() < rho ? LockMode.SHARED : LockMode.EXCLUSIVE);
    }
}
