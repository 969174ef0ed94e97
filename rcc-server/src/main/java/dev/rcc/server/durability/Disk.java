package dev.rcc.server.durability;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** The operations on files that durability rests on. */
public interface Disk {
    /** This machine's disk. */
    Disk REAL = new Disk() {
        @Override
        public FileChannel open(Path file, OpenOption... options) throws IOException {
            return OwnerOnly.open(file, options);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        }

        @Override
        public void delete(Path file) throws IOException {
            Files.delete(file);
        }

        @Override
        public void syncDirectory(Path directory) throws IOException {
            try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    };

    /** Opens a file; one that is created belongs to its owner alone. */
    FileChannel open(Path file, OpenOption... options) throws IOException;

    /** Renames a file in one step, and replaces a file that had the name. */
    void rename(Path from, Path to) throws IOException;

    /** Deletes a file, which is there. */
    void delete(Path file) throws IOException;

    /** Makes the creations, renamings and deletions in a directory durable. */
    void syncDirectory(Path directory) throws IOException;
}
