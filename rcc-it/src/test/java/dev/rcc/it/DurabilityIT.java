package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** {@link DurabilityContract} with the nodes' own logs. */
class DurabilityIT extends DurabilityContract {
    private Path cut;

    @Override
    String replication() {
        return "rings";
    }

    @Override
    void harm(Path data) throws IOException {
        try (Stream<Path> files = Files.list(data.resolve("node-0"))) {
            cut = files.filter(file -> file.toString().endsWith(".wal"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
        cut(cut);
    }

    @Override
    void checkLog(Path log) throws IOException {
        assertThat(Files.readString(log)).contains("event=log_shortened", cut.getFileName() + ", offset ");
    }
}
