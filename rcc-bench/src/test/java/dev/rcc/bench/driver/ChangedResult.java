package dev.rcc.bench.driver;

import dev.rcc.bench.check.CheckResult;
import java.util.List;
import java.util.Optional;

/** The result of a run, with findings that the run did not have. */
public final class ChangedResult {
    private ChangedResult() {}

    /** The result with other findings, and all else as it is. */
    public static BenchResult of(
            BenchResult result, List<String> violations, Optional<CheckResult> history, RunConditions conditions) {
        return new BenchResult(
                result.config(),
                result.measuredSeconds(),
                result.cpuSeconds(),
                result.metrics(),
                result.timers(),
                result.network(),
                violations,
                history,
                result.manifest(),
                conditions,
                result.counts(),
                result.clients());
    }
}
