package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.cli.FreePorts;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Single servers as operators configure, start and end them, and the reports about their machine. */
class ServerIT {
    @TempDir
    private Path directory;

    @Test
    void shouldListMissingPeersUntilTheyStartInAnyOrder() throws Exception {
        String peers = Loopback.peers(FreePorts.draw(2));
        try (RccProcess second =
                RccProcess.start(directory, List.of("server", "--node", "1", "--peers", peers, "--fabric", "tcp"))) {
            second.awaitOut("waiting for [node 0 (127.0.0.1:");
            try (RccProcess first = RccProcess.start(
                    directory, List.of("server", "--node", "0", "--peers", peers, "--fabric", "tcp"))) {
                first.awaitOut("running: nowait 0000 on tcp, 2 nodes");
                second.awaitOut("running: nowait 0000 on tcp, 2 nodes");
                first.process().destroy();
                assertThat(first.exitCode()).isEqualTo(128 + 15);
                assertThat(first.out()).contains("draining", "ended");
            }
        }
    }

    @Test
    void shouldListEverythingThatIsWrongWithAConfiguration() throws Exception {
        Files.writeString(directory.resolve("bad.yaml"), """
            node: -7
            peers: [localhost:1, nowhere]
            fabric: shm
            code: 10
            birth: tomorrow
            tables: [accounts:word:8:10]
            tls.key: /no/such/file
            """);
        RccProcess server = RccProcess.run(directory, "server", "--config", "bad.yaml");
        assertThat(server.exitCode()).isEqualTo(2);
        assertThat(server.out()).isEmpty();
        assertThat(server.err().lines())
                .anyMatch(line -> line.contains("peers: got 'localhost:1,nowhere', allowed: host:port"))
                .anyMatch(line -> line.contains("node: got '-7', allowed"))
                .anyMatch(line -> line.contains("code: got '10'"))
                .anyMatch(line -> line.contains("birth: got 'tomorrow', allowed: an ISO instant"))
                .anyMatch(line -> line.contains("tables: got 'accounts:word:8:10', allowed: name:key"))
                .anyMatch(line -> line.contains("tls.certificate: got '', allowed: a PEM file"))
                .hasSize(6);
        Path unknown = Files.writeString(
                directory.resolve("unknown.yaml"), "nodes: 3\nworkers: none\nshm: {ring-bytes: 5000}\n");
        assertThat(CommandResult.here("server", "--config", unknown.toString())
                        .err()
                        .lines())
                .anyMatch(line -> line.contains("nodes: there is no such key"))
                .anyMatch(line -> line.contains("shm.ring-bytes: got '5000', allowed: a power of two"))
                .anyMatch(line -> line.contains("workers: got 'none', allowed: an integer from 1 to 512"))
                .hasSize(3);
    }

    @Test
    void shouldPrintAConfigurationThatIsOneAgain() throws Exception {
        Path node = Files.writeString(
                directory.resolve("node.yaml"),
                "node: 0\npeers: [localhost:7000]\ntables: [a:long:8:10:ordered, b:bytes32:8:10:ordered]\n");
        CommandResult first =
                CommandResult.here("server", "--config", node.toString(), "--workers", "2", "--print-config");
        assertThat(first.exitCode()).as("%s", first).isZero();
        assertThat(first.out())
                .contains("workers: \"2\"", "a:long:8:10:ordered", "b:bytes32:8:10:ordered", "heartbeat-ms:");
        Path all = Files.writeString(directory.resolve("all.yaml"), first.out());
        CommandResult second = CommandResult.here("server", "--config", all.toString(), "--print-config");
        assertThat(second.out()).as("%s", second).isEqualTo(first.out());
    }

    @Test
    void shouldExamineThisMachine() throws Exception {
        RccProcess doctor = RccProcess.run(directory, "doctor");
        assertThat(doctor.exitCode()).as("%s", doctor).isBetween(0, 1);
        assertThat(doctor.out()).contains("JDK", "memlock", "open files", "/dev/shm", "RDMA", "clock");
    }
}
