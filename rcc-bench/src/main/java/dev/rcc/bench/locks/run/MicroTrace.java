package dev.rcc.bench.locks.run;

import dev.rcc.protocols.locks.LockMode;
import java.util.SplittableRandom;

/**
 * One lock a transaction: a node drawn uniformly, and one of its locks by a power law (dslr, A.4, and its authors' code, {@code
 * dongyoungy/rdma_2pc}, {@code powerlaw_lock_simulator.cc}).
 *
 * @param nodes number of nodes that have locks
 * @param locksEach number of locks of each node
 * @param alpha the law's exponent, more than 1: the greater, the more transactions want the same lock
 * @param rho the share of transactions that want the lock shared
 */
public record MicroTrace(int nodes, long locksEach, double alpha, double rho) implements LockTrace {
    /** Checks the ranges. */
    public MicroTrace {
        if (nodes < 1 || locksEach < 1 || !(alpha > 1) || !(rho >= 0 && rho <= 1)) {
            throw new IllegalArgumentException("got " + nodes + " nodes with " + locksEach + " locks each, alpha "
                    + alpha + " and rho " + rho
                    + ", allowed: at least 1 node and 1 lock, alpha of more than 1, rho from 0 to 1");
        }
    }

    @Override
    public String name() {
        return "micro";
    }

    @Override
    public long locks() {
        return nodes * locksEach;
    }

    @Override
    public boolean hasLong() {
        return false;
    }

    @Override
    public void next(int node, SplittableRandom random, Wish wish) {
        wish.clear();
        double last =
                Math.pow((double) locksEach, 1 - alpha); // the chance of a rank beyond the last, without that bound
        double rank = Math.pow(1 - random.nextDouble() * (1 - last), 1 / (1 - alpha));
        long lock = Math.clamp((long) rank - 1, 0, locksEach - 1);
        wish.add(
                lock * nodes + random.nextInt(nodes), random.nextDouble() < rho ? LockMode.SHARED : LockMode.EXCLUSIVE);
    }
}
