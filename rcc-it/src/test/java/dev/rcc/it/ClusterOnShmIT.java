package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

class ClusterOnShmIT extends ClusterContract {
    private static final Pattern NAME = Pattern.compile("(?m)^shm\\.cluster: \"(\\S+)\"$");

    @Override
    String fabric() {
        return "shm";
    }

    @Override
    List<Path> shared(Path configuration) throws IOException {
        var name = NAME.matcher(Files.readString(configuration));
        assertThat(name.find()).as("'shm.cluster' in %s", configuration).isTrue();
        try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
            return files.filter(file -> file.getFileName().toString().contains(name.group(1)))
                    .toList();
        }
    }
}
