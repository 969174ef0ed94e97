package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoadProgressTest {
    private long now = 5;

    @Test
    void shouldShowHowManyAndHowFastAndThenNothing() {
        StringWriter out = new StringWriter();
        LoadProgress progress = new LoadProgress(new PrintWriter(out), () -> now);
        progress.accept(10);
        assertThat(out.toString()).as("too early").isEmpty();
        now += TimeUnit.MILLISECONDS.toNanos(500);
        progress.accept(123_456);
        assertThat(out.toString()).isEqualTo("\r\033[Kloading: 123,456 rows, 246,912 rows/s");
        progress.end();
        assertThat(out.toString()).endsWith("rows/s\r\033[K");
    }

    @Test
    void shouldBeSilentWithoutATerminal() {
        LoadProgress progress = new LoadProgress(null, () -> now);
        now += TimeUnit.SECONDS.toNanos(5);
        progress.accept(1);
        progress.end();
    }
}
