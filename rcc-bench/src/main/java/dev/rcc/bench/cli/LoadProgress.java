package dev.rcc.bench.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** A line on a terminal that shows how many records have been loaded, and how fast. The line is gone when all data is loaded. */
final class LoadProgress implements LongConsumer {
    private final TerminalLine line;
    private final LongSupplier nanoTime;
    private final long begin;

    /**
     * Progress from now on.
     *
     * @param terminal where the line is shown, or null for nowhere
     */
    LoadProgress(PrintWriter terminal, LongSupplier nanoTime) {
        this(new TerminalLine(terminal, nanoTime), nanoTime);
    }

    private LoadProgress(TerminalLine line, LongSupplier nanoTime) {
        this.line = line;
        this.nanoTime = nanoTime;
        this.begin = nanoTime.getAsLong();
    }

    /** Progress on {@code err}, if that is a terminal. */
    static LoadProgress on(PrintWriter err) {
        return new LoadProgress(TerminalLine.on(err), System::nanoTime);
    }

    @Override
    public void accept(long records) {
        double seconds = (double) (nanoTime.getAsLong() - begin) / TimeUnit.SECONDS.toNanos(1);
        line.show(() -> String.format(Locale.ROOT, "loading: %,d rows, %,.0f rows/s", records, records / seconds));
    }

    /** Ends the progress: all records are loaded. */
    void end() {
        line.clear();
    }
}
