package dev.rcc.it;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the sources are that the tests were built from. */
public final class SourceTree {
    private SourceTree() {}

    /** The directory that holds the modules: the current one or one above it. */
    public static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (directory != null && !Files.isDirectory(directory.resolve("rcc-it"))) {
            directory = directory.getParent();
        }
        if (directory == null) {
            throw new IllegalStateException(
                    "no directory rcc-it in or above " + Path.of("").toAbsolutePath());
        }
        return directory;
    }
}
