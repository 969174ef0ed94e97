package dev.rcc.core.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

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

    /** The main sources of a module. */
    public static List<Path> mainSources(String module) throws IOException {
        try (Stream<Path> files = Files.walk(root().resolve(module).resolve("src/main/java"))) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    /** The pages: those below docs, the README and the changelog, sorted. */
    public static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(root().resolve("docs"))) {
            return Stream.concat(
                            Stream.of(root().resolve("README.md"), root().resolve("CHANGELOG.md")),
                            files.filter(file -> file.toString().endsWith(".md")))
                    .sorted()
                    .toList();
        }
    }
}
