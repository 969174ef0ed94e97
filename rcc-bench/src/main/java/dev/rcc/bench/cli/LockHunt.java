package dev.rcc.bench.cli;

import dev.rcc.bench.locks.check.LockHistoryFile;
import dev.rcc.bench.locks.cluster.LockSchemes;
import dev.rcc.bench.locks.verify.LockScenario;
import dev.rcc.bench.locks.verify.LockTrial;
import dev.rcc.bench.verify.Hunt;
import dev.rcc.core.option.Option;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code rcc verify --locks}: hunts for violations by lock managers. */
final class LockHunt {
    private final PrintWriter out;
    private final int threads;
    private final Optional<Path> historyFile;

    /** Sums of the trials of a lock manager. */
    private static final class Tally {
        private long granted;
        private long resets;
        private long zeroings;
        private long deaths;
        private long violations;
        private LockTrial last;
    }

    LockHunt(PrintWriter out, int threads, Optional<Path> historyFile) {
        this.out = out;
        this.threads = threads;
        this.historyFile = historyFile;
    }

    /** The lock managers that a text names. */
    static List<LockSchemes.Choice> choices(Option option, String text) {
        if (text.equals("all")) {
            return LockSchemes.all();
        }
        List<LockSchemes.Choice> choices = new ArrayList<>();
        for (String name : text.split(",", -1)) {
            choices.add(LockSchemes.byName(name)
                    .orElseThrow(() -> new IllegalArgumentException(
                            option.key() + ": got '" + name + "', allowed: " + option.allowed())));
        }
        return choices;
    }

    /** Runs the hunt, and returns the exit code. */
    int run(List<LockSchemes.Choice> choices, SeedRange seeds) throws IOException {
        boolean clean = true;
        out.format(
                "  %-14s %7s %12s %9s %10s %8s %11s%n",
                "locks", "seeds", "granted", "resets", "zeroings", "deaths", "violations");
        out.flush();
        for (LockSchemes.Choice choice : choices) {
            Tally tally = new Tally();
            Iterator<Long> tasks = seeds.stream().iterator();
            Hunt.<Long, LockTrial>run(
                    tasks, threads, seed -> LockTrial.run(LockScenario.draw(choice, seed)), trial -> add(tally, trial));
            out.format(
                    Locale.ROOT,
                    "  %-14s %,7d %,12d %,9d %,10d %,8d %,11d%n",
                    choice.name(),
                    seeds.count(),
                    tally.granted,
                    tally.resets,
                    tally.zeroings,
                    tally.deaths,
                    tally.violations);
            out.flush();
            clean &= tally.violations == 0;
            if (historyFile.isPresent()) {
                LockHistoryFile.write(tally.last.checked().history(), historyFile.get());
            }
        }
        return clean ? Rcc.OK : Rcc.FAILED;
    }

    private void add(Tally tally, LockTrial trial) {
        tally.granted += trial.granted();
        tally.resets += trial.resets();
        tally.zeroings += trial.zeroings();
        tally.deaths += trial.deaths();
        tally.last = trial;
        if (trial.isClean()) {
            return;
        }
        tally.violations++;
        out.format("%n  VIOLATION in %s%n", trial.scenario());
        trial.violations().forEach(violation -> out.format("    - %s%n", violation));
        if (!trial.checked().isClean()) {
            out.print(trial.checked().report().indent(4));
        }
        out.format(
                "    replay: rcc verify --locks %s --seed %d%n%n",
                trial.scenario().scheme().name(), trial.scenario().seed());
        out.flush();
    }
}
