package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenFileTest {
    private static final String LONGEST = "x".repeat(512);

    @TempDir
    private Path directory;

    private Path file(String content) throws IOException {
        return Files.writeString(directory.resolve("token"), content);
    }

    private static void assertRefused(Path file, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TokenFile.read(file))
                .withMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"open sesame", "open sesame\n", " open sesame \r\n", "open sesame\nof the tests\n"})
    void shouldReadTheFirstLine(String content) throws IOException {
        assertThat(TokenFile.read(file(content))).isEqualTo("open sesame");
    }

    @Test
    void shouldReadTheLongestToken() throws IOException {
        assertThat(TokenFile.read(file(LONGEST + "\n"))).isEqualTo(LONGEST);
        String wide = "\u20ac".repeat(512); // three bytes each
        assertThat(TokenFile.read(file(wide))).isEqualTo(wide);
    }

    @Test
    void shouldSayWhyAFileHasNoToken() throws IOException {
        assertRefused(directory.resolve("none"), "the file cannot be read: java.nio.file.NoSuchFileException");
        assertRefused(directory, "the file cannot be read: ");
        assertRefused(file(""), "the first line of the file is blank");
        assertRefused(file(" \nopen sesame\n"), "the first line of the file is blank");
        Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xFF});
        assertRefused(binary, "the first line of the file is not a text in UTF-8");
    }

    @Test
    void shouldRefuseALongerToken() throws IOException {
        assertRefused(file(LONGEST + "x"), "a token has at most 512 characters, the first line of the file has more");
        assertRefused(
                file("x".repeat(1_000_000)), "a token has at most 512 characters, the first line of the file has more");
        assertRefused(Path.of("/dev/zero"), "a token has at most 512 characters, the first line of the file has more");
    }
}
