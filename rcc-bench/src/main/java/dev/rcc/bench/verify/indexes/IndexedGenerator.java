package dev.rcc.bench.verify.indexes;

import dev.rcc.bench.workload.Generator;
import dev.rcc.core.txn.Procedure;
import java.util.SplittableRandom;

/** Draws transactions on all keys with equal probability. */
final class IndexedGenerator implements Generator {
    private static final double GIVE_UP = 0.04;

    private final IndexedTransaction txn;
    private final int keys;
    private final SplittableRandom random;

    IndexedGenerator(IndexedTransaction txn, int keys, SplittableRandom random) {
        this.txn = txn;
        this.keys = keys;
        this.random = random;
    }

    @Override
    public Procedure next() {
        txn.plan(random.nextLong(), keys, random.nextDouble() < GIVE_UP);
        return txn;
    }

    @Override
    public void committed() {}

    @Override
    public long tally() {
        return 0;
    }
}
