package dev.rcc.bench.verify;

import dev.rcc.bench.check.CheckResult;
import dev.rcc.bench.history.History;
import dev.rcc.transport.sim.Faults;
import java.util.List;
import java.util.Map;

/**
 * A scenario that was run, and what came of it.
 *
 * @param scenario what was run
 * @param committed how many transactions committed
 * @param faults what went wrong on purpose, and how often
 * @param windows which situations that are hard to survive it has come to, and how often; see {@link dev.rcc.server.simulation.Windows}
 * @param violations what is wrong with the data or with the run, each a sentence; empty if nothing is
 * @param history what happened
 * @param checked what the checker says of it
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
     * Runs a scenario to its end. The same scenario always comes to the same. Whatever fails on the way is a violation, and ends the
     * trial.
     */
    public static Trial run(Scenario scenario) {
        return new TrialRun(scenario).run();
    }

    /** Whether nothing is wrong. */
    public boolean isClean() {
        return violations.isEmpty() && checked.isClean();
    }
}
