package dev.rcc.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rcc.core.memory.Memory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that end. The test's process holds the lock of the node file, in place of the last threads of the process that the file names: then that
 * process has closed its files, and its lock is still held.
 */
@Timeout(60)
class ShmKillerTest {
    private static final long INCARNATION = 5;

    @TempDir
    private Path directory;

    private Process parent;
    private long child;
    private ShmFiles files;

    /** Starts a process whose parent never asks for its end, so that it remains as a zombie. */
    @BeforeEach
    void start() throws IOException {
        files = new ShmFiles(new ShmOptions("ends", directory, 4096), 1, INCARNATION, ShmNodeFileLayout.BYTES);
        parent = new ProcessBuilder("sh", "-c", "sleep 1000 & echo $!; exec cat").start();
        BufferedReader replies = parent.inputReader();
        child = Long.parseLong(replies.readLine());
        parent.outputWriter().append("awaits\n").flush();
        assertThat(replies.readLine())
                .as("from cat, which takes no notice of children")
                .isEqualTo("awaits");
        name(child);
    }

    /** Writes a process id into the node file. */
    private void name(long process) {
        try (Arena arena = Arena.ofConfined()) {
            ShmNodeFileLayout.initialise(
                    Memory.of(ShmFiles.map(files.nodeFile(), ShmNodeFileLayout.BYTES, arena)), process);
        }
    }

    @AfterEach
    void end() throws Exception {
        ProcessHandle.of(child).ifPresent(ProcessHandle::destroyForcibly);
        parent.outputWriter().close();
        parent.waitFor();
        files.close();
    }

    // Goal: of two survivors that cut a peer off at the same time, neither fails.
    @Test
    void shouldAwaitTheEndOfAProcessThatAnotherNodeHasKilled() {
        ProcessHandle.of(child).orElseThrow().destroyForcibly();
        ShmNetwork.await(() -> openFiles(child) == 0);
        awaitsTheFreeLock();
    }

    // Goal: a node can be cut off while its next process looks at the old files, for which it takes the lock.
    @Test
    void shouldAwaitTheLockThatAnotherProcessHasTakenAfterTheEnd() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        name(ended.pid());
        awaitsTheFreeLock();
    }

    /** Kills the process, and frees the lock while that waits. */
    private void awaitsTheFreeLock() {
        CompletableFuture<Void> killed = new CompletableFuture<>();
        Thread killer = Thread.ofPlatform().start(() -> {
            try {
                ShmKiller.kill(0, 1, files.nodeFile());
                killed.complete(null);
            } catch (RuntimeException e) {
                killed.completeExceptionally(e);
            }
        });
        ShmNetwork.await(() -> killed.isDone() || killer.getState() == Thread.State.TIMED_WAITING);
        assertThat(killed).as("the lock is still held").isNotDone();
        files.abandon(); // frees the lock
        assertThat(killed).succeedsWithin(Duration.ofSeconds(30));
    }

    @Test
    void shouldRefuseToKillAProcessThatDoesNotHoldTheNodeFile() {
        assertThatIllegalStateException()
                .isThrownBy(() -> ShmKiller.kill(0, 1, files.nodeFile()))
                .withMessageContainingAll("node 1 is alive", "is not process " + child);
        assertThat(ProcessHandle.of(child))
                .hasValueSatisfying(process -> assertThat(process.isAlive()).isTrue());
    }

    private static long openFiles(long process) {
        try (Stream<Path> open = Files.list(Path.of("/proc/" + process + "/fd"))) {
            return open.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
