package dev.rcc.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of incarnations, and how other nodes find the files of dead ones. */
class ShmFilesTest {
    private static final int INCARNATIONS = 3_000;

    @TempDir
    private Path directory;

    // A node that looks for dead files holds the lock of a file for a moment. It may take a file for dead
    // that its owner has not locked yet.
    @Test
    void shouldBeginWhileAnotherLooksForDeadOnes() throws InterruptedException {
        ShmOptions options = new ShmOptions("races", directory, 4096);
        CountDownLatch looks = new CountDownLatch(1);
        Thread looking = Thread.ofPlatform().start(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                int _ = ShmFiles.removeDead(options);
                looks.countDown();
            }
        });
        looks.await();
        for (long incarnation = 1; incarnation <= INCARNATIONS; incarnation++) {
            try (ShmFiles files = new ShmFiles(options, 0, incarnation, 4096)) {
                assertThat(files.nodeFile()).exists();
                assertThat(files.createRegion(1, 4096)).exists();
            }
        }
        looking.interrupt();
        looking.join();
    }

    // Goal: an end that breaks off, as by a kill, leaves no file that is never found.
    // Method: a file that cannot be unlinked.
    @Test
    void shouldBeFoundWhenItsEndHasBrokenOff() throws IOException {
        ShmOptions options = new ShmOptions("ends", directory, 4096);
        ShmFiles files = new ShmFiles(options, 0, 1, 4096);
        Path first = files.createRegion(1, 4096);
        Path _ = files.createRegion(2, 4096);
        Files.delete(first);
        Files.createDirectories(first.resolve("filled"));
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(files::close)
                .withMessageContaining(first.toString());
        Files.delete(first.resolve("filled"));
        files.abandon();

        int _ = ShmFiles.removeDead(options);

        assertThat(directory).isEmptyDirectory();
    }
}
