package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.option.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputFilesTest {
    private static final Option JSON = Option.text("--json", "", "a file that can be written", "Result.");
    private static final Option CSV = Option.text("--csv", "", "a file that can be written", "Table.");

    @TempDir
    private Path directory;

    private OutputFiles files(String json, String csv) {
        return OutputFiles.of(Map.of("--json", json, "--csv", csv), JSON, CSV);
    }

    private String in(String name) {
        return directory.resolve(name).toString();
    }

    private void assertRefused(String json, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutputFiles.of(Map.of("--json", json), JSON, CSV))
                .withMessageContaining("--json: got '" + json + "', allowed: a file that can be written (")
                .withMessageContaining(message);
    }

    @Test
    void shouldLeaveNoNewFileAndChangeNoOldOne() throws IOException {
        Files.writeString(directory.resolve("old"), "before");
        OutputFiles files = files(in("old"), in("new"));
        assertThat(files.file(JSON)).hasValue(directory.resolve("old"));
        assertThat(files.file(CSV)).hasValue(directory.resolve("new"));
        assertThat(directory.resolve("old")).hasContent("before");
        assertThat(directory.resolve("new")).doesNotExist();
        assertThat(OutputFiles.of(Map.of(), JSON, CSV).file(JSON)).isEmpty();
    }

    @Test
    void shouldRefuseFilesThatCannotBeWritten() {
        assertRefused(in("no/such/file"), "NoSuchFileException");
        assertRefused(directory.toString(), "Is a directory");
        assertRefused("a\0b", "InvalidPathException");
    }

    // Goal: neither the link nor its directory changes.
    @Test
    void shouldTakeALinkToANewFileIfTheDirectoryOfThatFileExists() throws IOException {
        Files.createDirectory(directory.resolve("results"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("results/new"));
        Path second = Files.createSymbolicLink(directory.resolve("second"), Path.of("link"));
        assertThat(OutputFiles.of(Map.of("--json", second.toString()), JSON).file(JSON))
                .hasValue(second);
        assertThat(Files.readSymbolicLink(link)).isEqualTo(Path.of("results/new"));
        try (Stream<Path> results = Files.list(directory.resolve("results"))) {
            assertThat(results).isEmpty();
        }
    }

    @Test
    void shouldRefuseALinkToAFileWithoutADirectoryOrToItself() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("results/new"));
        assertRefused(link.toString(), "NoSuchFileException");
        assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
        Path loop = Files.createSymbolicLink(directory.resolve("loop"), Path.of("loop"));
        assertRefused(loop.toString(), "too many symbolic links");
    }

    // Of a file that exists and of one that does not: by another way, through a link to the file and one to the
    // directory, and, if it exists, through
    // a hard link.
    @ParameterizedTest
    @ValueSource(strings = {"a", "sub/../a", "link", "here/a", "hard"})
    void shouldRefuseTheSameFileTwice(String name) throws IOException {
        Files.createDirectory(directory.resolve("sub"));
        Files.createSymbolicLink(directory.resolve("link"), Path.of("a"));
        Files.createSymbolicLink(directory.resolve("here"), Path.of("."));
        if (!name.equals("hard")) {
            assertSame(name);
        }
        Files.writeString(directory.resolve("a"), "before");
        Files.createLink(directory.resolve("hard"), directory.resolve("a"));
        assertSame(name);
        assertThat(directory.resolve("a")).hasContent("before");
    }

    private void assertSame(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> files(in("a"), in(name)))
                .withMessage(
                        "--csv: got '" + in(name) + "', allowed: another file than that of --json, '" + in("a") + "'");
    }

    @Test
    void shouldTakeTheSameDeviceTwice() {
        assertThat(files("/dev/null", "/dev/null").file(CSV)).hasValue(Path.of("/dev/null"));
    }
}
