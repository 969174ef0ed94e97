package dev.rcc.transport;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** Catches the messages that a test provokes, so that it can check them and a green run stays silent. */
public final class ExpectedLog implements AutoCloseable {
    private final Logger logger;
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> appender = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            events.add(event);
        }
    };

    /** Prepares to catch the messages of {@code name} and of the loggers below it. */
    public ExpectedLog(String name) {
        logger = (Logger) LoggerFactory.getLogger(name);
    }

    /** From now on, catches warnings and errors instead of passing them on. */
    public void expect() {
        expect(Level.WARN);
    }

    /** From now on, catches messages of this level and above instead of passing them on. */
    public void expect(Level level) {
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
        logger.setLevel(level);
    }

    public List<String> messages() {
        return events.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    /** Messages of the exceptions that were logged. */
    public List<String> thrown() {
        return events.stream()
                .map(ILoggingEvent::getThrowableProxy)
                .filter(Objects::nonNull)
                .map(IThrowableProxy::getMessage)
                .toList();
    }

    @Override
    public void close() {
        logger.detachAppender(appender);
        logger.setAdditive(true);
        logger.setLevel(null);
        appender.stop();
    }
}
