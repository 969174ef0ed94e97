package dev.rcc.bench.workload;

import java.util.SplittableRandom;

/** A distribution over the keys from 0. Immutable, shared by all coroutines; drawing allocates nothing. */
public interface KeyChooser {
    /** Draws a key. */
    long next(SplittableRandom random);
}
