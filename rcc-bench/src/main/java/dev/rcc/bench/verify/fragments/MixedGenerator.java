package dev.rcc.bench.verify.fragments;

import dev.rcc.bench.workload.Generator;
import dev.rcc.core.txn.Procedure;
import java.util.SplittableRandom;

/** Draws the transactions of another generator, and makes some of them closures, which other nodes cannot run. */
record MixedGenerator(Generator drawn, SplittableRandom random) implements Generator {
    /** One in so many transactions is a closure. */
    private static final int CLOSURE_ONE_IN = 4;

    @Override
    public Procedure next() {
        Procedure next = drawn.next();
        return random.nextInt(CLOSURE_ONE_IN) == 0 ? new Closure(next) : next;
    }

    @Override
    public void committed() {
        drawn.committed();
    }

    @Override
    public long tally() {
        return drawn.tally();
    }

    @Override
    public long anomalies() {
        return drawn.anomalies();
    }
}
