package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** {@link DurabilityContract} with the logs of the partitions' groups. */
class DurabilityUnderRaftIT extends DurabilityContract {
    @Override
    String replication() {
        return "raft";
    }

    /** One copy of each partition has lost the end of its log: a majority has it. */
    @Override
    void harm(Path data) throws IOException {
        List<Path> open;
        try (Stream<Path> files = Files.walk(data.resolve("raft"))) {
            open = files.filter(file -> file.getFileName().toString().startsWith("log_inprogress"))
                    .toList();
        }
        assertThat(open).as("logs of groups in %s", data).hasSize(3);
        for (Path file : open) {
            cut(file);
        }
    }

    /** No warning is due: only one copy lacks entries that the other copies have. */
    @Override
    void checkLog(Path log) throws IOException {
        assertThat(Files.readString(log)).doesNotContain("event=log_shortened");
    }
}
