package dev.rcc.bench.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/** A line on a terminal that says how many records have been loaded, and how fast; it is gone when the data is there. */
final class LoadProgress implements LongConsumer {
    private static final String ERASE = "\r\033[K";
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    private final PrintWriter terminal;
    private final LongSupplier nanoTime;
    private final long begin;
    private long shown;

    /**
     * Progress from now on.
     *
     * @param terminal where it is shown, or null for nowhere
     */
    LoadProgress(PrintWriter terminal, LongSupplier nanoTime) {
        this.terminal = terminal;
        this.nanoTime = nanoTime;
        this.begin = nanoTime.getAsLong();
        this.shown = begin;
    }

    /** On {@code err}, if that is a terminal. */
    @SuppressWarnings("SystemConsoleNull") // null since JDK 25 where there is no terminal, as before JDK 22
    static LoadProgress on(PrintWriter err) {
        Console console = System.console();
        return new LoadProgress(console != null && console.isTerminal() ? err : null, System::nanoTime);
    }

    @Override
    public synchronized void accept(long records) {
        long now = nanoTime.getAsLong();
        if (terminal != null && now - shown >= STEP_NANOS) {
            shown = now;
            double seconds = (double) (now - begin) / TimeUnit.SECONDS.toNanos(1);
            terminal.print(
                    ERASE + String.format(Locale.ROOT, "loading: %,d rows, %,.0f rows/s", records, records / seconds));
            terminal.flush();
        }
    }

    /** All is loaded. */
    synchronized void end() {
        if (terminal != null && shown != begin) {
            terminal.print(ERASE);
            terminal.flush();
        }
    }
}
