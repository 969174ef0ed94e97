package dev.rcc.bench.verify.fragments;

import dev.rcc.bench.workload.Generator;
import dev.rcc.core.txn.Procedure;
import java.util.SplittableRandom;

/** Draws what another generator draws, and hides from the nodes of some that they can run it. */
record MixedGenerator(Generator drawn, SplittableRandom random) implements Generator {
    /** One in so many is a closure. */
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
