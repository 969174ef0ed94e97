package dev.rcc.bench.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** A line on a terminal that shows how many runs of the total have been made, and the time left. Used by any number of threads. */
final class RunProgress {
    private final TerminalLine line;
    private final long runs;
    private final long begin = System.nanoTime();
    private long done;

    private RunProgress(TerminalLine line, long runs) {
        this.line = line;
        this.runs = runs;
    }

    /**
     * Progress at the start.
     *
     * @param err where the line is shown, if this process has a terminal
     * @param runs the number of runs in all
     */
    static RunProgress of(PrintWriter err, long runs) {
        return new RunProgress(TerminalLine.on(err), runs);
    }

    /** Counts a run that was made. */
    synchronized void ran() {
        done++;
        long left = (System.nanoTime() - begin) / done * (runs - done);
        line.show(() -> String.format(
                Locale.ROOT, "%,d of %,d runs, about %,d min left", done, runs, TimeUnit.NANOSECONDS.toMinutes(left)));
    }

    /** Takes the line away before something else is printed; the next run brings it back. */
    void clear() {
        line.clear();
    }
}
