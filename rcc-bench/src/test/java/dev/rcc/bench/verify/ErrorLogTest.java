package dev.rcc.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.LoggerContext;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.ILoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;
import org.slf4j.helpers.SubstituteLoggerFactory;

class ErrorLogTest {
    @Test
    void shouldWaitWhileAnotherThreadInitializesTheLogs() {
        LoggerContext context = new LoggerContext();
        SubstituteLoggerFactory substitute = new SubstituteLoggerFactory();
        var answers = new ArrayDeque<ILoggerFactory>(List.of(substitute, substitute, context));

        assertThat(ErrorLog.logback(answers::remove)).isSameAs(context);
    }

    @Test
    void shouldFailWithTheNameOfAnUnsupportedLoggingLibrary() {
        assertThatThrownBy(() -> ErrorLog.logback(NOPLoggerFactory::new))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("needs logback, got org.slf4j.helpers.NOPLoggerFactory");
    }
}
