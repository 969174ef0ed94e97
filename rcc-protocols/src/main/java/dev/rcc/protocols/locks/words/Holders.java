package dev.rcc.protocols.locks.words;

import dev.rcc.core.worker.Coroutine;

/** The exclusive holder of a lock, as a number. */
final class Holders {
    private static final int COROUTINE_BITS = 16;

    private Holders() {}

    /** The number of a coroutine of the cluster, positive and less than 2^31. */
    static long number(Coroutine coroutine) {
        return (long) (coroutine.worker().node() + 1) << COROUTINE_BITS | coroutine.id();
    }
}
