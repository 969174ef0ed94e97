package dev.rcc.bench.locks.verify;

import dev.rcc.bench.locks.check.LockCheckResult;
import dev.rcc.transport.sim.Faults;
import java.util.List;
import java.util.Map;

/**
 * A scenario that was run, and what came of it.
 *
 * @param scenario what was run
 * @param granted how many locks were granted
 * @param resets how often tickets were made void
 * @param zeroings how often counters began anew
 * @param deaths nodes and holders that died
 * @param faults what went wrong on purpose
 * @param violations what is wrong with the run, each a sentence; empty if nothing is
 * @param checked what the checker says of the history
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

    /** Runs a scenario to its end. The same scenario always comes to the same. */
    public static LockTrial run(LockScenario scenario) {
        return new LockTrialRun(scenario).run();
    }

    /** Whether nothing is wrong. */
    public boolean isClean() {
        return violations.isEmpty() && checked.isClean();
    }
}
