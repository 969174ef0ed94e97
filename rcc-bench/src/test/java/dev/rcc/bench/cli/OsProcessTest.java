package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class OsProcessTest {
    private static final int PATIENCE_SECONDS = 60;
    private static final int ENDED_IN_ORDER = 7;

    @Test
    void shouldEndAStoppedProcessInOrder() throws Exception {
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "trap 'exit " + ENDED_IN_ORDER + "' TERM; kill -STOP $$; while :; do sleep 0.1; done")
                .start();
        try {
            while (!OsProcess.isStopped(process.pid())) {
                Thread.onSpinWait();
            }
            OsProcess.terminate(process.toHandle());
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(ENDED_IN_ORDER);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldLetAStoppedProcessGoOn() throws Exception {
        Process process = new ProcessBuilder("sleep", Integer.toString(PATIENCE_SECONDS)).start();
        try {
            OsProcess.stop(process.toHandle());
            while (!OsProcess.isStopped(process.pid())) {
                Thread.onSpinWait();
            }
            OsProcess.goOn(process.toHandle());
            while (OsProcess.isStopped(process.pid())) {
                Thread.onSpinWait();
            }
            assertThat(process.isAlive()).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }
}
