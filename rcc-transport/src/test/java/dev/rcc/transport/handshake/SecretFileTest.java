package dev.rcc.transport.handshake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.transport.ExpectedLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecretFileTest {
    private static final String ONE = "one-" + "x".repeat(ClusterSecret.MIN_CHARACTERS);
    private static final String TWO = "two-" + "x".repeat(ClusterSecret.MIN_CHARACTERS);
    private static final byte[] TRANSCRIPT = {1, 2, 3};

    @TempDir
    private Path folder;

    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport");
    private final AtomicLong nanos = new AtomicLong();

    @BeforeEach
    void expectLog() {
        log.expect();
    }

    @AfterEach
    void close() {
        log.close();
    }

    private Path write(String text) throws IOException {
        Path file = folder.resolve("secret");
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    private void later() {
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }

    private static void assertHas(ClusterSecrets secrets, String... texts) {
        assertThat(secrets.current().stream()
                        .map(secret -> secret.prove(TRANSCRIPT))
                        .toList())
                .containsExactly(Arrays.stream(texts)
                        .map(text -> ClusterSecret.of(text).prove(TRANSCRIPT))
                        .toArray(byte[][]::new));
    }

    @Test
    void shouldUseTheFirstLineAndAcceptTheOthersAndReadThemAgain() throws IOException {
        SecretFile secrets = new SecretFile(write("# drawn today\n" + ONE + "\n"), nanos::get);
        assertHas(secrets, ONE);
        write(ONE + "\n\n  " + TWO + "\n");
        assertHas(secrets, ONE);
        later();
        assertHas(secrets, ONE, TWO);
        write(TWO);
        later();
        assertHas(secrets, TWO);
    }

    @Test
    void shouldKeepTheSecretsAndLogWhyWhenTheFileIsInvalidOrMissing() throws IOException {
        Path file = write(ONE);
        SecretFile secrets = new SecretFile(file, nanos::get);
        write("short");
        later();
        assertHas(secrets, ONE);
        assertThat(log.messages())
                .anyMatch(message -> message.contains("line 1: a secret must have 32 to 1024 characters"))
                .noneMatch(message -> message.contains("short"));
        Files.delete(file);
        later();
        assertHas(secrets, ONE);
        assertThat(log.messages()).anyMatch(message -> message.contains("there is no such file"));
    }

    @Test
    void shouldRejectAFileThatOtherUsersCanReadOrThatHasNoSecret() throws IOException {
        Path file = write(ONE);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SecretFile(file))
                .withMessageContaining("chmod 600");
        Path empty = write("# nothing\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SecretFile(empty))
                .withMessageContaining("1 to 8 secrets");
    }

    @Test
    void shouldMakeAFileThatOnlyItsOwnerCanReadAndKeepOneThatIsThere() throws IOException {
        Path file = folder.resolve("drawn");
        SecretFile.createIfAbsent(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        String text = Files.readString(file);
        SecretFile.createIfAbsent(file);
        assertThat(Files.readString(file)).isEqualTo(text).hasSizeGreaterThan(ClusterSecret.MIN_CHARACTERS);
        assertThat(new SecretFile(file).current()).hasSize(1);
    }
}
