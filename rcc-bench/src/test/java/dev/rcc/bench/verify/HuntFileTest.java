package dev.rcc.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        HuntFile first = HuntFile.open(path, hunt(" --faults fair"));
        first.append(CLEAN);
        first.append(DIRTY);
        HuntFile second = HuntFile.open(path, hunt(" --faults fair"));
        assertThat(second.find("occ", 7)).isEqualTo(CLEAN);
        assertThat(second.find("mvcc", 7)).isEqualTo(DIRTY);
        assertThat(second.find("occ", 8)).isNull();
    }

    // Method: the process was killed in the middle of a line.
    @Test
    void shouldDropACutOffLineAndAppendAfterTheOthers() throws IOException {
        HuntFile.open(path, hunt("")).append(CLEAN);
        Files.writeString(path, "{\"protocol\":\"mvcc\",\"se", StandardOpenOption.APPEND);
        HuntFile.open(path, hunt("")).append(DIRTY);
        HuntFile third = HuntFile.open(path, hunt(""));
        assertThat(third.find("occ", 7)).isEqualTo(CLEAN);
        assertThat(third.find("mvcc", 7)).isEqualTo(DIRTY);
    }

    // Goal: a file that a hunt does not own is not changed, whatever is in it; some programs end files without a line
    // feed.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"format\":\"rcc-history\"}\n",
                "{\"format\":\"rcc-history\"}\nand no more",
                "{\"format\":\"rcc-history\"}",
                "hello\n",
                "hello",
                "\n",
                "[]",
                "\u00e9\n"
            })
    void shouldRefuseAFileOfAnotherKindAndLeaveIt(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        Files.write(path, bytes);
        assertThatThrownBy(() -> HuntFile.open(path, hunt("")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hunt.json was not written by a hunt");
        assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
    }

    @Test
    void shouldRefuseAFileWithALineThatIsNoTrialAndLeaveIt() throws IOException {
        HuntFile.open(path, hunt(""));
        Files.writeString(path, "{\"seed\":1}\n{\"cut", StandardOpenOption.APPEND);
        byte[] bytes = Files.readAllBytes(path);
        assertThatThrownBy(() -> HuntFile.open(path, hunt("")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hunt.json was not written by a hunt");
        assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
    }

    // Method: the other build's last line is cut off, too.
    @ParameterizedTest
    @CsvSource({"0.2.0, abc", "0.1.0, abd", "0.1.0, abc-dirty"})
    void shouldRefuseAFileOfAnotherBuildAndLeaveIt(String version, String commit) throws IOException {
        HuntFile.open(path, new HuntFile.Origin(version, commit, "")).append(CLEAN);
        Files.writeString(path, "{\"protocol\":\"mvcc\",\"se", StandardOpenOption.APPEND);
        byte[] bytes = Files.readAllBytes(path);
        assertThatThrownBy(() -> HuntFile.open(path, hunt("")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("hunt.json was written by the build " + version + " (" + commit
                        + "), this build is 0.1.0 (abc)");
        assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
    }

    @Test
    void shouldRefuseAFileThatDoesNotNameItsBuild() throws IOException {
        Files.writeString(path, "{\"format\":\"rcc-hunt\",\"choice\":\"\"}\n");
        assertThatThrownBy(() -> HuntFile.open(path, hunt("")))
                .hasMessageContaining("was written by the build unknown (unknown)");
    }

    private static HuntFile.Origin hunt(String choice) {
        return new HuntFile.Origin("0.1.0", "abc", choice);
    }

    @Test
    void shouldRefuseAFileOfAnotherChoice() throws IOException {
        HuntFile.open(path, hunt(" --faults fair"));
        assertThatThrownBy(() -> HuntFile.open(path, hunt("")))
                .hasMessageContaining("was written by a hunt with --faults fair, this hunt is without a choice");
    }
}
