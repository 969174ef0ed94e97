package dev.rcc.bench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.Zones;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Machines are directories here, with the files that the doctor reads. */
class DoctorTest {
    private static final String GID = "fe80:0000:0000:0000:0a00:27ff:fe4e:66a1";

    @TempDir
    private Path root;

    private Doctor doctor() {
        return new Doctor(root, List.of());
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }

    private void device(String state, String gid, String type) throws IOException {
        write("usr/lib64/libibverbs.so.1", "");
        write("dev/infiniband/uverbs0", "");
        String port = "sys/class/infiniband/rxe0/ports/1/";
        write(port + "state", state);
        write(port + "link_layer", "Ethernet");
        write(port + "rate", "100 Gb/sec");
        write(port + "gids/0", gid);
        write(port + "gid_attrs/types/0", type);
    }

    @Test
    void shouldPassADeviceThatIsActiveAndHasARoutableGid() throws IOException {
        device("4: ACTIVE", GID, "RoCE v2");
        assertThat(doctor().rdma()).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Finding.Level.OK);
            assertThat(finding.found()).contains("active", "RoCE", "1 GIDs", "100 Gb/sec");
        });
    }

    // Goal: a machine that lacks only what the networks that it does not use would need is no problem.
    @Test
    void shouldOnlyNoteThatThereIsNoSharedMemory() {
        Finding finding = doctor().sharedMemory();
        assertThat(finding.level()).isEqualTo(Finding.Level.NOTE);
        assertThat(finding.found()).contains("which only shm minds");
    }

    @Test
    void shouldReportTheEffectOfALostDatacenter() {
        Finding three = Doctor.datacenters(Zones.of(List.of("a", "a", "b", "b", "c", "c")), 3);
        assertThat(three.level()).isEqualTo(Finding.Level.OK);
        assertThat(three.found()).isEqualTo("a: [0, 1], b: [2, 3], c: [4, 5], 3 replicas");
        Finding two = Doctor.datacenters(Zones.of(List.of("a", "a", "b")), 2);
        assertThat(two.level()).isEqualTo(Finding.Level.NOTE);
        assertThat(two.found()).contains("without a there is no majority");
        Finding even = Doctor.datacenters(Zones.of(List.of("a", "b")), 2);
        assertThat(even.found()).contains("without a or b there is no majority");
        Finding single = Doctor.datacenters(Zones.of(List.of("a", "b", "c")), 1);
        assertThat(single.found()).contains("each has records that no other has");
    }

    @Test
    void shouldReportProblemsOfAnRdmaDevice() throws IOException {
        device("1: DOWN", GID, "RoCE v2");
        assertThat(doctor().rdma()).singleElement().satisfies(finding -> {
            assertThat(finding.level()).isEqualTo(Finding.Level.PROBLEM);
            assertThat(finding.found()).contains("DOWN");
            assertThat(finding.remedy()).contains("link");
        });
        device("4: ACTIVE", "0000:0000:0000:0000:0000:0000:0000:0000", "RoCE v2");
        assertThat(doctor().rdma())
                .singleElement()
                .satisfies(finding -> assertThat(finding.remedy()).contains("IP address"));
        device("4: ACTIVE", GID, "IB/RoCE v1");
        assertThat(doctor().rdma())
                .singleElement()
                .satisfies(finding -> assertThat(finding.found()).contains("without a RoCE v2 GID"));
    }

    @Test
    void shouldMissTheLibraryAndTheDeviceFilesWhereThereIsADevice() throws IOException {
        write("sys/class/infiniband/mlx5_0/ports/1/state", "1: DOWN");
        assertThat(doctor().rdma())
                .extracting(Finding::subject)
                .containsExactly("libibverbs", "/dev/infiniband", "RDMA mlx5_0 port 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"usr/lib64", "usr/lib", "usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu"})
    void shouldFindTheLibraryWhereDistributionsInstallIt(String folder) throws IOException {
        write("sys/class/infiniband/mlx5_0/ports/1/state", "1: DOWN");
        write(folder + "/libibverbs.so.1", "");
        assertThat(doctor().rdma()).extracting(Finding::subject).doesNotContain("libibverbs");
    }

    @Test
    void shouldReportAMissingDeviceAsANote() {
        assertThat(doctor().rdma())
                .singleElement()
                .satisfies(finding -> assertThat(finding.level()).isEqualTo(Finding.Level.NOTE));
    }

    @Test
    void shouldReadTheSoftLimits() throws IOException {
        write("proc/self/limits", """
            Limit                     Soft Limit           Hard Limit           Units
            Max open files            1024                 524288               files
            Max locked memory         65536                65536                bytes\
            """);
        assertThat(doctor().openFiles().level()).isEqualTo(Finding.Level.PROBLEM);
        assertThat(doctor().openFiles().found()).isEqualTo("1024");
        assertThat(doctor().memlock().level()).isEqualTo(Finding.Level.NOTE);
        write("proc/self/limits", """
            Max open files            4096                 524288               files
            Max locked memory         unlimited            unlimited            bytes\
            """);
        assertThat(doctor().openFiles().level()).isEqualTo(Finding.Level.OK);
        assertThat(doctor().memlock().level()).isEqualTo(Finding.Level.OK);
    }

    @Test
    void shouldFindATakenPort() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Finding finding =
                    Doctor.port(new InetSocketAddress(InetAddress.getLoopbackAddress(), taken.getLocalPort()));
            assertThat(finding.level()).isEqualTo(Finding.Level.PROBLEM);
            assertThat(finding.subject()).isEqualTo("port " + taken.getLocalPort());
        }
    }

    // Goal: the port for data is one of the server's ports, too.
    @Test
    void shouldCheckEachPortOfAConfiguration() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Path file = Files.writeString(
                    root.resolve("node.yaml"),
                    "node: 0\npeers: 127.0.0.1:0\nfabric: tcp\ntcp.port: " + taken.getLocalPort() + "\n");
            StringWriter out = new StringWriter();
            PrintWriter said = new PrintWriter(out);
            assertThat(Rcc.execute(said, said, "doctor", "--config", file.toString()))
                    .isEqualTo(Rcc.FAILED);
            assertThat(out.toString()).containsPattern("problem +port " + taken.getLocalPort() + " ");
        }
    }

    @Test
    void shouldReportAnUnknownHostName() {
        Finding finding = Doctor.port(InetSocketAddress.createUnresolved("nobody.invalid", 7400));
        assertThat(finding.level()).isEqualTo(Finding.Level.PROBLEM);
        assertThat(finding.toString()).contains("no host is known by the name nobody.invalid");
    }

    @Test
    void shouldAskForAJdkThatIsRecentEnough() {
        assertThat(Doctor.java(24).level()).isEqualTo(Finding.Level.PROBLEM);
        assertThat(Doctor.java(25).level()).isEqualTo(Finding.Level.OK);
    }
}
