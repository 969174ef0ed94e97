package dev.rcc.bench.verify;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.history.History;
import dev.rcc.transport.sim.Faults;
import java.util.List;
import java.util.Map;

/**
 * A scenario that was run, and its result.
 *
 * @param scenario the scenario that was run
 * @param committed number of committed transactions
 * @param faults the injected faults, and how often each occurred
 * @param windows the hard situations that the run came to, and how often; see {@link dev.rcc.server.simulation.Windows}
 * @param violations the violations in the data or in the run, each a sentence; empty if there are none
 * @param history the history of the run
 * @param checked the checker's result for the history
 */
public record Trial(
        Scenario scenario,
        long committed,
        Map<Faults.Kind, Long> faults,
        Map<String, Long> windows,
        List<String> violations,
        History history,
        CheckResult checked) {
    /** Copies the list. */
    public Trial {
        violations = List.copyOf(violations);
    }

    /**
     * Runs a scenario to its end. The same scenario always has the same result. Any failure is a violation, and ends the trial.
     */
    public static Trial run(Scenario scenario) {
        return new TrialRun(scenario).run();
    }

    /** Whether nothing is wrong. */
    public boolean isClean() {
        return violations.isEmpty() && checked.isClean();
    }
}
