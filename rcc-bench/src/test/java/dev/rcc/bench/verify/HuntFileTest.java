package dev.rcc.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HuntFileTest {
    private static final TrialSummary CLEAN = new TrialSummary("occ", 7, 250, Map.of("crashes", 1L), "");
    private static final TrialSummary DIRTY = new TrialSummary("mvcc", 7, 3, Map.of(), "\n  ANOMALY\n");

    @TempDir
    private Path directory;

    private Path path;

    @BeforeEach
    void setUp() {
        path = directory.resolve("hunt.json");
    }

    @Test
    void shouldFindTheResultsOfAnEarlierHunt() throws IOException {
        HuntFile first = HuntFile.open(path, " --faults fair");
        first.append(CLEAN);
        first.append(DIRTY);
        HuntFile second = HuntFile.open(path, " --faults fair");
        assertThat(second.find("occ", 7)).isEqualTo(CLEAN);
        assertThat(second.find("mvcc", 7)).isEqualTo(DIRTY);
        assertThat(second.find("occ", 8)).isNull();
    }

    // Method: the process was killed in the middle of a line.
    @Test
    void shouldDropACutOffLineAndAppendAfterTheOthers() throws IOException {
        HuntFile.open(path, "").append(CLEAN);
        Files.writeString(path, "{\"protocol\":\"mvcc\",\"se", StandardOpenOption.APPEND);
        HuntFile.open(path, "").append(DIRTY);
        HuntFile third = HuntFile.open(path, "");
        assertThat(third.find("occ", 7)).isEqualTo(CLEAN);
        assertThat(third.find("mvcc", 7)).isEqualTo(DIRTY);
    }

    @Test
    void shouldRefuseAFileOfAnotherKind() throws IOException {
        Files.writeString(path, "{\"format\":\"rcc-history\"}\n");
        assertThatThrownBy(() -> HuntFile.open(path, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hunt.json was not written by a hunt");
        Files.writeString(path, "hello\n");
        assertThatThrownBy(() -> HuntFile.open(path, ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hunt.json was not written by a hunt");
        assertThat(Files.readString(path)).isEqualTo("hello\n");
    }

    @Test
    void shouldRefuseAFileOfAnotherChoice() throws IOException {
        HuntFile.open(path, " --faults fair");
        assertThatThrownBy(() -> HuntFile.open(path, ""))
                .hasMessageContaining("was written by a hunt with --faults fair, this hunt is without a choice");
    }
}
