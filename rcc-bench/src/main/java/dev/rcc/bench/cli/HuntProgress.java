package dev.rcc.bench.cli;

import dev.rcc.bench.verify.TrialSummary;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/** How far a hunt is: a line that replaces itself, on terminals only, and a total at the end. Used by one thread. */
final class HuntProgress {
    private static final long INTERVAL_NANOS = 500_000_000;
    private static final double NANOS_A_SECOND = 1e9;
    /** Carriage return, then clear to the end of the line. */
    private static final String ERASE = "\r\033[K";

    private final PrintWriter terminal;
    private final long seeds;
    private final int threads;
    private final LongSupplier nanoTime;
    private final long startNanos;
    private long shownNanos;
    private boolean isShown;
    private long done;
    private long anomalies;

    /**
     * At the start of a hunt.
     *
     * @param terminal where the line is shown, or null for nowhere
     * @param seeds how many trials there are in all
     */
    HuntProgress(PrintWriter terminal, long seeds, int threads, LongSupplier nanoTime) {
        this.terminal = terminal;
        this.seeds = seeds;
        this.threads = threads;
        this.nanoTime = nanoTime;
        this.startNanos = nanoTime.getAsLong();
        this.shownNanos = startNanos;
    }

    /** Shows the line if this process has a terminal. */
    @SuppressWarnings("SystemConsoleNull") // null since JDK 25 where there is no terminal, as before JDK 22
    static HuntProgress of(PrintWriter err, long seeds, int threads) {
        Console console = System.console();
        boolean isTerminal = console != null && console.isTerminal();
        return new HuntProgress(isTerminal ? err : null, seeds, threads, System::nanoTime);
    }

    /** A trial has ended. */
    void ended(TrialSummary trial) {
        done++;
        anomalies += trial.isClean() ? 0 : 1;
        long now = nanoTime.getAsLong();
        if (terminal != null && now - shownNanos >= INTERVAL_NANOS) {
            shownNanos = now;
            isShown = true;
            terminal.format(
                    Locale.ROOT,
                    "%s  %s: %,d of %,d seeds, %s, %,d anomalies",
                    ERASE,
                    trial.protocol(),
                    done,
                    seeds,
                    rate(),
                    anomalies);
            terminal.flush();
        }
    }

    /** Takes the line away before something else is printed; the next trial brings it back. */
    void clear() {
        if (isShown) {
            isShown = false;
            terminal.print(ERASE);
            terminal.flush();
        }
    }

    /** How many trials there were, and how fast. */
    String total() {
        return String.format(Locale.ROOT, "%,d seeds in %.1f s on %d threads, %s", done, seconds(), threads, rate());
    }

    private String rate() {
        return String.format(Locale.ROOT, "%.1f seeds per second", done / Math.max(seconds(), 1e-3));
    }

    private double seconds() {
        return (nanoTime.getAsLong() - startNanos) / NANOS_A_SECOND;
    }
}
