package dev.rcc.bench.driver;

import java.util.Optional;

/**
 * What a reader has to know before trusting a run's figures.
 *
 * @param warmupSeconds how long it warmed up
 * @param warmupEnd why no longer
 * @param processor the processor time that all processes got and asked for while it measured; nothing if that is not known, or the time was virtual
 */
public record RunConditions(double warmupSeconds, WarmUp.End warmupEnd, Optional<ProcessorTime> processor) {
    /** More than this share of the processor time that was asked for, and not got, is said. */
    private static final double TOLERATED_SHARE = 0.05;

    /** Whether the run got less processor time than it asked for. */
    public boolean lacksProcessor() {
        return processor.map(each -> each.missingShare() > TOLERATED_SHARE).orElse(false);
    }
}
