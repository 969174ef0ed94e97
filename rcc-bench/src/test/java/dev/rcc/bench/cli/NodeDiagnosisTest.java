package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users learn of a node that does not answer. */
class NodeDiagnosisTest {
    @TempDir
    private Path directory;

    private Path log;

    @BeforeEach
    void beginLog() throws IOException {
        log = directory.resolve("node1.log");
        Files.writeString(log, "node 1: admin http://127.0.0.1:7080\n07:26:34.463 INFO event=peer_up node=1 peer=2\n");
    }

    private String diagnosis(long pid) throws IOException {
        Files.writeString(
                directory.resolve("node1.json"), "{\"pid\": %d, \"admin\": \"http://127.0.0.1:1\"}".formatted(pid));
        return new NodeDiagnosis(new ClusterDirectory(directory)).of(1);
    }

    /** The id of a process that has ended. */
    private static long ended() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        return process.pid();
    }

    private void append(String lines) throws IOException {
        Files.writeString(log, Files.readString(log) + lines);
    }

    private String restart() {
        return ". 'rcc cluster restart 1 --dir " + directory + "' starts it again";
    }

    @Test
    void shouldNameProcessAndLogOfANodeThatHasEndedWithoutAWord() throws Exception {
        long pid = ended();
        append("node 1: ended\nnode 1: admin http://127.0.0.1:7081\n"); // the process before
        assertThat(diagnosis(pid))
                .isEqualTo("node 1 has ended: its process " + pid + " is gone; its log " + log
                        + " does not say why, as if it was killed" + restart());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "node 1: ended",
                "node 1: cannot go on: the disk has failed",
                "# There is insufficient memory for the Java Runtime Environment to continue."
            })
    void shouldQuoteTheLastWordsOfANodeThatHasEnded(String words) throws Exception {
        long pid = ended();
        append(words + "\n07:26:35.463 INFO event=peer_closed node=1 peer=2\n");
        assertThat(diagnosis(pid))
                .isEqualTo("node 1 has ended: its process " + pid + " is gone; its log " + log + " ends with '" + words
                        + "'" + restart());
    }

    @Test
    void shouldNotSayWhatTheLogSaysIfItCannotBeRead() throws Exception {
        Files.delete(log);
        assertThat(diagnosis(ended())).contains("its log " + log + " cannot be read");
    }

    @Test
    void shouldSayThatTheProcessOfASilentNodeStillRuns() throws Exception {
        long pid = ProcessHandle.current().pid();
        assertThat(diagnosis(pid))
                .isEqualTo("node 1 does not answer, or has closed the connection, although its process " + pid
                        + " still runs; its log is " + log);
    }

    @Test
    void shouldSayHowAStoppedProcessRunsAgain() throws Exception {
        Process process = new ProcessBuilder("sh", "-c", "kill -STOP $$").start();
        try {
            while (!OsProcess.isStopped(process.pid())) {
                Thread.onSpinWait();
            }
            assertThat(diagnosis(process.pid()))
                    .isEqualTo("node 1 does not answer: its process " + process.pid() + " is stopped; 'kill -CONT "
                            + process.pid() + "' lets it run again");
        } finally {
            process.destroyForcibly();
        }
    }
}
