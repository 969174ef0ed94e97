package dev.rcc.bench.locks.verify;

import dev.rcc.bench.locks.check.LockCheckResult;
import dev.rcc.transport.sim.Faults;
import java.util.List;
import java.util.Map;

/**
 * A scenario that was run, and its result.
 *
 * @param scenario the scenario that was run
 * @param granted number of granted locks
 * @param resets how often tickets were made void
 * @param zeroings how often counters were reset to zero
 * @param deaths number of nodes and holders that died
 * @param faults the injected faults, and how often each occurred
 * @param violations the violations in the run, each a sentence; empty if there are none
 * @param checked the checker's result for the history
 */
public record LockTrial(
        LockScenario scenario,
        long granted,
        long resets,
        long zeroings,
        long deaths,
        Map<Faults.Kind, Long> faults,
        List<String> violations,
        LockCheckResult checked) {
    /** Copies the list. */
    public LockTrial {
        violations = List.copyOf(violations);
    }

    /** Runs a scenario to its end. The same scenario always has the same result. */
    public static LockTrial run(LockScenario scenario) {
        return new LockTrialRun(scenario).run();
    }

    /** Whether nothing is wrong. */
    public boolean isClean() {
        return violations.isEmpty() && checked.isClean();
    }
}
