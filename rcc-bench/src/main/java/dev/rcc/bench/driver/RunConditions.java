package dev.rcc.bench.driver;

import java.util.Optional;

/**
 * The conditions that a reader must know before trusting a run's figures.
 *
 * @param warmupSeconds the duration of the warm-up
 * @param warmupEnd the reason why the warm-up ended
 * @param processor the processor time of all processes during the measurement; empty if it is not known, or the time was virtual
 */
public record RunConditions(double warmupSeconds, WarmUp.End warmupEnd, Optional<ProcessorTime> processor) {
    /** A report mentions a greater share of missing processor time. */
    private static final double TOLERATED_SHARE = 0.05;

    /** Whether the run got less processor time than it needed. */
    public boolean lacksProcessor() {
        return processor.map(each -> each.missingShare() > TOLERATED_SHARE).orElse(false);
    }
}
