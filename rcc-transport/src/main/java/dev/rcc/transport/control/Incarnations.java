package dev.rcc.transport.control;

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Draws the numbers of nodes' incarnations: microseconds since 1970, so that a later incarnation has a greater one. */
final class Incarnations {
    private static final AtomicLong LAST = new AtomicLong();

    private Incarnations() {}

    static long next() {
        Instant now = Clock.systemUTC().instant();
        long micros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
        return LAST.updateAndGet(last -> Math.max(last + 1, micros));
    }
}
