package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import org.junit.jupiter.api.Test;

class LogLevelTest {
    // Goal: an operator finds the events that docs/log-events.md explains, those of level INFO, too.
    @Test
    void shouldLogTheEventsOfServersFromInfoOn() throws Exception {
        assertThat(level("dev.rcc.server", "server", "--config", "node1.yaml")).isEqualTo(Level.INFO);
        assertThat(level("io.netty", "server")).isEqualTo(Level.WARN);
    }

    @Test
    void shouldLogOnlyWarningsOfOtherCommands() throws Exception {
        assertThat(level("dev.rcc.server", "bench", "--seconds", "1")).isEqualTo(Level.WARN);
        assertThat(level("dev.rcc.server")).isEqualTo(Level.WARN);
    }

    /** The level from which a class below {@code name} logs in the process of a command. */
    private static Level level(String name, String... args) throws Exception {
        LoggerContext context = new LoggerContext();
        context.putProperty(Rcc.LOG_LEVEL, Rcc.logLevel(args));
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(Rcc.class.getResource("/logback.xml"));
        Logger logger = context.getLogger(name + ".Some");
        return logger.getEffectiveLevel();
    }
}
