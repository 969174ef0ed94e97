package dev.rcc.client;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** Draws the faults that {@link FaultInjection} asks for. For any thread. */
final class Faults {
    /** What happens to a commit. */
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

    /** What an injected conflict looks like. */
    static RccException conflict() {
        return RccException.of(
                ErrorCode.CONFLICT,
                "a conflict that ClientOptions.inject asked for: begin again, as for any other",
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
