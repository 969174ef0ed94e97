package dev.rcc.it.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The facts that every other RDMA test takes for granted. */
@Tag(RdmaTests.TAG)
class RdmaDeviceTest {
    @Test
    void shouldHaveAnActivePort() throws Exception {
        Process process =
                new ProcessBuilder("ibv_devinfo").redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).contains("PORT_ACTIVE");
    }

    @Test
    void shouldBeOpenToPrograms() throws IOException {
        List<Path> devices = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(Path.of("/dev/infiniband"), "uverbs*")) {
            found.forEach(devices::add);
        }
        assertThat(devices).isNotEmpty().allMatch(Files::isWritable);
        assertThat(Path.of("/dev/infiniband/rdma_cm")).isWritable();
    }
}
