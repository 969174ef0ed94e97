package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.testing.BuildDraw;
import dev.rcc.core.testing.SourceTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * YCSB and the shell on a cluster of three processes, as a newcomer starts them. Of the core workloads with the most
 * operations (updates, reads before writes, and scans with inserts) each build draws one; YcsbCommandTest runs them all.
 */
class YcsbIT {
    private static final List<String> RUNS = List.of("workloada", "workloadf", "workloade");
    private static final Path WORKLOADS = SourceTree.root().resolve("workloads");

    private static final int ENDED_BY_SIGTERM = 143;

    @TempDir
    private Path directory;

    private void ycsb(String phase, String workload, String table) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ycsb", phase, "--dir", "c", "-threads", "4"));
        command.addAll(List.of("-P", WORKLOADS.resolve(workload).toString(), "-p", "table=" + table));
        RccProcess ycsb = RccProcess.run(directory, command.toArray(String[]::new));
        assertThat(ycsb.exitCode()).as("%s %s: %s", phase, workload, ycsb).isZero();
        assertThat(ycsb.out()).contains("[OVERALL], Throughput(ops/sec), ").doesNotContain("FAILED");
    }

    @Test
    void shouldRunTheCoreWorkloadsOnProcesses() throws Exception {
        LongTest.YCSB.assumeDrawn();
        String tables = "usertable:bytes32:1100:3000:ordered";
        try (RccProcess _ = RccProcess.up(directory, "--nodes", "3", "--protocol", "sundial", "--tables", tables)) {
            ycsb("load", "workloada", "usertable");
            for (String run : BuildDraw.drawn("YCSB", RUNS, 1)) {
                ycsb("run", run, "usertable");
            }
            RccProcess shell = RccProcess.run(
                    directory, "client", "--dir", "c", "-e", "scan usertable limit 1; get usertable nobody; tables");
            assertThat(shell.exitCode()).as("%s", shell).isZero();
            assertThat(shell.out())
                    .startsWith("\"user")
                    .contains("6669656c6430", "(1 record; there may be more", "(no record)", "1 to 32 bytes"); // field0
        }
    }

    @Test
    void shouldLeaveNoFilesWhenItIsAskedToEnd() throws Exception {
        Path files = Files.createDirectory(directory.resolve("tmp"));
        String tables = "usertable:bytes32:1100:3000:ordered";
        try (RccProcess _ = RccProcess.up(directory, "--nodes", "1", "--replicas", "1", "--tables", tables);
                RccProcess ycsb = RccProcess.start(
                        directory,
                        List.of("-Djava.io.tmpdir=" + files),
                        List.of(
                                "ycsb",
                                "load",
                                "--dir",
                                "c",
                                "-target",
                                "1",
                                "-P",
                                WORKLOADS.resolve("workloada").toString()))) {
            RccProcess.await("YCSB's client runs", () -> ycsb.err().contains("Command line:"));

            ycsb.process().destroy();

            assertThat(ycsb.exitCode()).as("%s", ycsb).isEqualTo(ENDED_BY_SIGTERM);
            assertThat(files).isEmptyDirectory();
        }
    }
}
