package dev.rcc.server.durability;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** The segments in a directory. */
final class WalFiles {
    private WalFiles() {}

    /** The numbers of the segments that are there, in order. */
    static List<Long> segments(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(WalLayout::segment)
                    .filter(OptionalLong::isPresent)
                    .map(OptionalLong::getAsLong)
                    .sorted()
                    .toList();
        }
    }

    /** Creates a segment: it is there, with its header, before anything is written to it. */
    static FileChannel create(Disk disk, Path directory, WalIdentity identity, long segment) throws IOException {
        FileChannel channel =
                disk.open(WalLayout.file(directory, segment), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try {
            ByteBuffer header = WalLayout.header(identity, segment);
            while (header.hasRemaining()) {
                channel.write(header);
            }
            channel.force(true);
            disk.syncDirectory(directory);
            return channel;
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** Deletes the segments before one. */
    static void deleteBefore(Disk disk, Path directory, long segment) throws IOException {
        for (long each : segments(directory)) {
            if (each < segment) {
                disk.delete(WalLayout.file(directory, each));
            }
        }
        disk.syncDirectory(directory);
    }
}
