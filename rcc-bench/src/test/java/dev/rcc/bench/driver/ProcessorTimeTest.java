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
        ProcessorTime.Reading before = ProcessorTime.of(threads);
        Files.writeString(threads.resolve("100").resolve("schedstat"), "9000 1500 15\n");
        thread("103", "6000 1500 9\n"); // starts in between
        ProcessorTime time = ProcessorTime.of(threads).since(before).orElseThrow();
        assertThat(time).isEqualTo(new ProcessorTime(8000, 2000));
        assertThat(time.missingShare()).isEqualTo(0.2);
    }

    @Test
    void shouldLeaveOutThreadsThatEndInBetween() throws IOException {
        thread("100", "7000 1000 12\n");
        thread("101", "9000 4000 3\n");
        ProcessorTime.Reading before = ProcessorTime.of(threads);
        Files.delete(threads.resolve("101").resolve("schedstat"));
        Files.writeString(threads.resolve("100").resolve("schedstat"), "8000 1500 15\n");
        assertThat(ProcessorTime.of(threads).since(before)).contains(new ProcessorTime(1000, 500));
    }

    @Test
    void shouldBeEmptyWithoutScheduleStatistics() throws IOException {
        assertThat(ProcessorTime.of(threads.resolve("none")).byThread()).isEmpty();
        assertThat(ProcessorTime.of(threads).byThread()).isEmpty();
        thread("100", "not counted\n");
        ProcessorTime.Reading none = ProcessorTime.of(threads);
        assertThat(none.byThread()).isEmpty();
        assertThat(none.since(none)).isEmpty();
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
