package dev.rcc.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShortenedLogTest {
    @TempDir
    Path data;

    private Path segment(int number, int bytes) throws IOException {
        byte[] content = new byte[bytes];
        new SplittableRandom(number).nextBytes(content);
        Path directory = Files.createDirectories(data.resolve("node-0"));
        return Files.write(directory.resolve("segment-%012d.wal".formatted(number)), content);
    }

    @ParameterizedTest(name = "{1} of a thousand of {0} bytes leave {2}")
    @CsvSource({"1064, 1, 1063", "1064, 500, 564", "1064, 1000, 64", "65, 1, 64", "64, 1000, 64"})
    void shouldCutTheEndAndNeverTheHeader(int bytes, int permille, int left) throws IOException {
        Path segment = segment(1, bytes);
        ShortenedLog log = ShortenedLog.cut(data, permille);
        assertThat(segment).hasSize(left);
        assertThat(log.isWhole()).isEqualTo(left == bytes);
    }

    @Test
    void shouldCutTheNewestSegmentOnlyAndPutItBack() throws IOException {
        byte[] older = Files.readAllBytes(segment(9, 500));
        Path newest = segment(10, 400);
        byte[] whole = Files.readAllBytes(newest);
        ShortenedLog log = ShortenedLog.cut(data, 300);
        assertThat(log.name()).isEqualTo("segment-000000000010.wal");
        assertThat(newest).hasSize(64 + 235);
        assertThat(data.resolve("node-0/segment-000000000009.wal")).hasBinaryContent(older);
        log.putBack();
        assertThat(newest).hasBinaryContent(whole);
    }

    @Test
    void shouldNameTheDirectoryThatHasNoLog() {
        assertThatThrownBy(() -> ShortenedLog.cut(data, 1))
                .isInstanceOf(NoSuchElementException.class)
                .hasMessageContaining(data.toString());
    }
}
