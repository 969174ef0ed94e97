package dev.rcc.client;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Draws the faults that a {@link FaultInjection} sets. For any thread. */
final class Faults {
    /** The fault of a commit. */
    enum Fault {
        NONE,
        CONFLICT,
        UNKNOWN_AND_COMMITTED,
        UNKNOWN_AND_NOT_COMMITTED
    }

    private final FaultInjection rates;
    private final SplittableRandom random;

    Faults(FaultInjection rates) {
        this.rates = rates;
        this.random = new SplittableRandom(rates.seed());
    }

    Fault drawCommit() {
        if (rates.conflictRate() > 0 && draw() < rates.conflictRate()) {
            return Fault.CONFLICT;
        }
        if (rates.unknownRate() > 0 && draw() < rates.unknownRate()) {
            return draw() < 0.5 ? Fault.UNKNOWN_AND_COMMITTED : Fault.UNKNOWN_AND_NOT_COMMITTED;
        }
        return Fault.NONE;
    }

    /** An injected conflict. */
    static RccException conflict() {
        return RccException.of(
                ErrorCode.CONFLICT,
                "injected conflict (ClientOptions.inject): begin again, as after any conflict",
                null);
    }

    void delay() {
        if (rates.delayRate() > 0 && draw() < rates.delayRate()) {
            try {
                TimeUnit.NANOSECONDS.sleep(rates.delay().toNanos());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private synchronized double draw() {
        return random.nextDouble();
    }
}
