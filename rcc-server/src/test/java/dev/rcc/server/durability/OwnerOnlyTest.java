package dev.rcc.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories that survive a loss of power. */
class OwnerOnlyTest {
    @TempDir
    private Path root;

    private final RecordingDisk disk = new RecordingDisk();

    @Test
    void shouldMakeADirectoryDurableWithTheParentsThatItMakes() throws IOException {
        OwnerOnly.directory(disk, root.resolve("data").resolve("node-0"));
        assertThat(disk.synced).containsExactly(root, root.resolve("data"));
    }

    // It may have been made by a process that was killed before it was durable.
    @Test
    void shouldMakeADirectoryDurableThatIsThere() throws IOException {
        OwnerOnly.directory(disk, root.resolve("data"));
        OwnerOnly.directory(disk, root.resolve("data"));
        assertThat(disk.synced).containsExactly(root, root);
    }

    /** Records the directories that are made durable. */
    private static final class RecordingDisk implements Disk {
        private final List<Path> synced = new ArrayList<>();

        @Override
        public FileChannel open(Path file, OpenOption... options) throws IOException {
            return Disk.REAL.open(file, options);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            Disk.REAL.rename(from, to);
        }

        @Override
        public void delete(Path file) throws IOException {
            Disk.REAL.delete(file);
        }

        @Override
        public void syncDirectory(Path directory) {
            synced.add(directory);
        }
    }
}
