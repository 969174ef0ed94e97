package dev.rcc.bench.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** A line on a terminal that replaces itself now and then, and can be taken away. Used by any number of threads. */
final class TerminalLine {
    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    /** Carriage return, then clear to the end of the line. */
    private static final String ERASE = "\r\033[K";

    private final PrintWriter terminal;
    private final LongSupplier nanoTime;
    private long shownNanos;
    private boolean isShown;

    /**
     * A line that shows nothing yet.
     *
     * @param terminal where the line is shown, or null for nowhere
     */
    TerminalLine(PrintWriter terminal, LongSupplier nanoTime) {
        this.terminal = terminal;
        this.nanoTime = nanoTime;
        this.shownNanos = nanoTime.getAsLong();
    }

    /** A line on {@code err}, if this process has a terminal. */
    @SuppressWarnings("SystemConsoleNull") // null since JDK 25 where there is no terminal, as before JDK 22
    static TerminalLine on(PrintWriter err) {
        Console console = System.console();
        return new TerminalLine(console != null && console.isTerminal() ? err : null, System::nanoTime);
    }

    /** Shows a text, if the last text has been shown for long enough. */
    synchronized void show(Supplier<String> text) {
        long now = nanoTime.getAsLong();
        if (terminal != null && now - shownNanos >= STEP_NANOS) {
            shownNanos = now;
            isShown = true;
            terminal.print(ERASE + text.get());
            terminal.flush();
        }
    }

    /** Takes the line away before something else is printed; the next text brings it back. */
    synchronized void clear() {
        if (isShown) {
            isShown = false;
            terminal.print(ERASE);
            terminal.flush();
        }
    }
}
