package dev.rcc.bench.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessorTimeTest {
    @TempDir
    private Path threads;

    private void thread(String id, String schedstat) throws IOException {
        Files.createDirectory(threads.resolve(id));
        Files.writeString(threads.resolve(id).resolve("schedstat"), schedstat);
    }

    @Test
    void shouldAddUpRunAndWaitTimesOfThreads() throws IOException {
        thread("100", "7000 1000 12\n");
        thread("101", "1000 1000 3\n");
        Files.createDirectory(threads.resolve("102")); // ends just now
        ProcessorTime time = ProcessorTime.of(threads).orElseThrow();
        assertThat(time).isEqualTo(new ProcessorTime(8000, 2000));
        assertThat(time.missingShare()).isEqualTo(0.2);
        assertThat(time.since(new ProcessorTime(5000, 2000))).isEqualTo(new ProcessorTime(3000, 0));
    }

    @Test
    void shouldBeEmptyWithoutScheduleStatistics() throws IOException {
        assertThat(ProcessorTime.of(threads.resolve("none"))).isEmpty();
        assertThat(ProcessorTime.of(threads)).isEmpty();
        thread("100", "not counted\n");
        assertThat(ProcessorTime.of(threads)).isEmpty();
    }

    @Test
    void shouldDetectARunShortOfProcessorTime() {
        assertThat(conditions(new ProcessorTime(80, 20)).lacksProcessor()).isTrue();
        assertThat(conditions(new ProcessorTime(99, 1)).lacksProcessor()).isFalse();
        assertThat(conditions(ProcessorTime.NONE).lacksProcessor()).isFalse();
        assertThat(new RunConditions(1, WarmUp.End.FIXED, Optional.empty()).lacksProcessor())
                .isFalse();
    }

    private static RunConditions conditions(ProcessorTime processor) {
        return new RunConditions(1, WarmUp.End.FIXED, Optional.of(processor));
    }
}
