package dev.rcc.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files of incarnations, while other nodes look for the files of dead ones. */
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
}
