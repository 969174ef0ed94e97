package dev.rcc.server.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Files by which processes find each other: readers see them whole or not at all, also after a power loss. */
public final class WholeFile {
    private WholeFile() {}

    /**
     * Writes a file, in place of the one that there may be. Only one process at a time may write it.
     *
     * @throws IOException when it cannot be written; the earlier file stays
     */
    public static void write(Path file, String text) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(
                unfinished,
                text,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                StandardOpenOption.SYNC);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
