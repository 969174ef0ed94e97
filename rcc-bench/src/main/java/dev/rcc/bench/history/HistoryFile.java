package dev.rcc.bench.history;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Chunks of {@link WorkerLog}s in mapped files: the stored words survive when the process is killed, without a system call for each
 * transaction. They are not forced to disk: they are lost if the machine fails.
 */
final class HistoryFile {
    private static final String PREFIX = "history-";
    /** The room of a file; it takes disk space only for its contents. */
    private static final long FILE_BYTES = 16L << 20;

    private HistoryFile() {}

    /** A new file, with room for at least {@code words} words. It is mapped as long as the segment is in use. */
    static MemorySegment create(Path directory, int words) {
        try (FileChannel channel = FileChannel.open(
                Files.createTempFile(directory, PREFIX, ".bin"), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long bytes = Math.max(FILE_BYTES, (long) words * Long.BYTES);
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes, Arena.ofAuto());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All files in a directory. */
    static List<MemorySegment> open(Path directory, Arena arena) throws IOException {
        List<MemorySegment> chunks = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*")) {
            for (Path file : files) {
                try (FileChannel channel = FileChannel.open(file)) {
                    if (channel.size() > 0) { // else its process was killed before it had any room
                        chunks.add(channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
                    }
                }
            }
        }
        return chunks;
    }
}
