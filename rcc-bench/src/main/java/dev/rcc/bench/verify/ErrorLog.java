package dev.rcc.bench.verify;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;
import org.slf4j.helpers.FormattingTuple;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.helpers.SubstituteLoggerFactory;

/**
 * The first message that a trial logs as an error: a handler, a poller, a task or a recovery that failed while the cluster went
 * on. It records the messages of the thread that opened it and of the coroutines created on that thread; trials on other threads
 * have their own logs.
 */
public final class ErrorLog implements AutoCloseable {
    private static final int FRAMES = 6;

    private static final int PATIENCE_MS = 60_000;
    private static final long NANOS_PER_MS = 1_000_000;

    /** The simulation creates coroutines on its own thread, so they inherit the log. */
    private static final InheritableThreadLocal<ErrorLog> CURRENT = new InheritableThreadLocal<>();

    static {
        listen();
    }

    private volatile String first;

    private ErrorLog() {}

    /** Opens the log of the calling thread, until it is closed. */
    public static ErrorLog open() {
        ErrorLog log = new ErrorLog();
        CURRENT.set(log);
        return log;
    }

    /** The first error, with the place where it was thrown; null if there is none. */
    public String first() {
        return first;
    }

    @Override
    public void close() {
        CURRENT.remove();
    }

    private static void listen() {
        logback(LoggerFactory::getILoggerFactory).addTurboFilter(new Listener());
    }

    /**
     * Logback, once SLF4J is initialized: while one thread initializes SLF4J, the other threads get a factory of substitutes.
     *
     * @throws IllegalStateException if SLF4J has another library, or is not ready after {@value #PATIENCE_MS} ms
     */
    static LoggerContext logback(Supplier<ILoggerFactory> slf4j) {
        ILoggerFactory factory = slf4j.get();
        for (int waited = 0; factory instanceof SubstituteLoggerFactory && waited < PATIENCE_MS; waited++) {
            LockSupport.parkNanos(NANOS_PER_MS);
            factory = slf4j.get();
        }
        if (!(factory instanceof LoggerContext context)) {
            throw new IllegalStateException("the hunt checks logged errors and needs logback, got "
                    + factory.getClass().getName());
        }
        return context;
    }

    /** Keeps the first error of a trial, and all its errors off the console: the error is among the trial's violations. */
    private static final class Listener extends TurboFilter {
        @Override
        public FilterReply decide(
                Marker marker, Logger logger, Level level, String format, Object[] arguments, Throwable thrown) {
            ErrorLog log = CURRENT.get();
            if (log == null || format == null || !level.isGreaterOrEqual(Level.ERROR)) {
                return FilterReply.NEUTRAL;
            }
            if (log.first == null) {
                FormattingTuple message = MessageFormatter.arrayFormat(format, arguments);
                log.first = describe(message.getMessage(), thrown == null ? message.getThrowable() : thrown);
            }
            return FilterReply.DENY;
        }
    }

    private static String describe(String message, Throwable thrown) {
        StringBuilder text = new StringBuilder(message);
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            text.append(": ").append(each);
            Stream.of(each.getStackTrace())
                    .limit(FRAMES)
                    .forEach(frame -> text.append("\n        ").append(frame));
        }
        return text.toString();
    }
}
