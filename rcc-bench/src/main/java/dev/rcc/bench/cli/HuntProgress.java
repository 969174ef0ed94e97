package dev.rcc.bench.cli;

import dev.rcc.bench.verify.TrialSummary;
import java.io.PrintWriter;
import java.util.Locale;

/** A hunt's progress: a line that replaces itself, on terminals only, and a total at the end. Used by one thread. */
final class HuntProgress {
    private static final double NANOS_A_SECOND = 1e9;

    private final TerminalLine line;
    private final long seeds;
    private final int threads;
    private final long startNanos;
    private long done;
    private long anomalies;

    private HuntProgress(TerminalLine line, long seeds, int threads) {
        this.line = line;
        this.seeds = seeds;
        this.threads = threads;
        this.startNanos = System.nanoTime();
    }

    /**
     * Progress at the start of a hunt.
     *
     * @param err where the line is shown, if this process has a terminal
     * @param seeds the number of trials in all
     */
    static HuntProgress of(PrintWriter err, long seeds, int threads) {
        return new HuntProgress(TerminalLine.on(err), seeds, threads);
    }

    /** Counts a trial that ended. */
    void ended(TrialSummary trial) {
        done++;
        anomalies += trial.isClean() ? 0 : 1;
        line.show(() -> String.format(
                Locale.ROOT,
                "  %s: %,d of %,d seeds, %s, %,d anomalies",
                trial.protocol(),
                done,
                seeds,
                rate(),
                anomalies));
    }

    /** Takes the line away before something else is printed; the next trial brings it back. */
    void clear() {
        line.clear();
    }

    /** The number of trials, and their rate. */
    String total() {
        return String.format(Locale.ROOT, "%,d seeds in %.1f s on %d threads, %s", done, seconds(), threads, rate());
    }

    private String rate() {
        return String.format(Locale.ROOT, "%.1f seeds per second", done / Math.max(seconds(), 1e-3));
    }

    private double seconds() {
        return (System.nanoTime() - startNanos) / NANOS_A_SECOND;
    }
}
