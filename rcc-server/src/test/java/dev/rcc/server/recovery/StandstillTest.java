package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.BitSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The events of a cluster that stands still. */
class StandstillTest {
    private final Logger logger = (Logger) LoggerFactory.getLogger(Standstill.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Standstill standstill = new Standstill();

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
        logger.setAdditive(false); // the console shows failures only
    }

    @AfterEach
    void end() {
        logger.setAdditive(true);
        logger.detachAppender(log);
    }

    private void lose(int node) {
        standstill.because(BitSet.valueOf(new long[] {1L << node}), "a test", false);
    }

    @Test
    void shouldLogEachStandstillOnce() {
        lose(1);
        lose(1);
        standstill.isOver();
        standstill.isOver();
        lose(2);
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("event=cluster_frozen lost={1}: a test;"),
                        second -> assertThat(second).startsWith("event=cluster_frozen lost={2}: a test;"));
    }

    @Test
    void shouldLogOnceThatDataIsLost() {
        lose(1);
        standstill.isForGood(BitSet.valueOf(new long[] {1L << 1}));
        standstill.isForGood(BitSet.valueOf(new long[] {1L << 1}));
        assertThat(log.list)
                .extracting(ILoggingEvent::getFormattedMessage)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("event=cluster_frozen lost={1}"),
                        second -> assertThat(second).startsWith("event=data_lost nodes={1}"));
    }
}
