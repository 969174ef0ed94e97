package dev.rcc.bench.cli;

import dev.rcc.core.option.Option;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The files that a command writes at its end. Each is opened for writing before the command begins, so that no run is in vain, and everything is
 * left as it was. Immutable.
 */
final class OutputFiles {
    /** As many as Linux follows. */
    private static final int LINKS_MAX = 40;

    private final Map<Option, Path> files;

    private OutputFiles(Map<Option, Path> files) {
        this.files = files;
    }

    /**
     * The files that these options name, those that were given.
     *
     * @param given the given options and their values
     * @throws IllegalArgumentException when a file cannot be written, or two options name the same file
     */
    static OutputFiles of(Map<String, String> given, Option... options) {
        Map<Option, Path> files = new LinkedHashMap<>();
        Map<Object, Option> named = new LinkedHashMap<>();
        for (Option option : options) {
            String name = given.get(option.key());
            if (name == null) {
                continue;
            }
            try {
                Path path = Path.of(name);
                Path target = target(path);
                Optional<Object> identity = tryWriting(target);
                Option other =
                        identity.map(file -> named.putIfAbsent(file, option)).orElse(null);
                if (other != null) {
                    throw new IllegalArgumentException(option + ": got '" + name
                            + "', allowed: another file than that of " + other + ", '" + given.get(other.key()) + "'");
                }
                files.put(option, path);
            } catch (IOException | InvalidPathException e) {
                throw new IllegalArgumentException(
                        option + ": got '" + name + "', allowed: " + option.allowed() + " (" + e + ")", e);
            }
        }
        return new OutputFiles(files);
    }

    /** The file that an option names, if the option was given. */
    Optional<Path> file(Option option) {
        return Optional.ofNullable(files.get(option));
    }

    /**
     * Checks that no file is also the command's input, which would be lost.
     *
     * @param input the input's name; none of the files if it does not exist
     * @throws IllegalArgumentException when an option names the input
     */
    void checkKeep(String input) {
        files.forEach((option, file) -> {
            if (isSame(file, input)) {
                throw new IllegalArgumentException(
                        option + ": got '" + file + "', allowed: another file than the one that is read");
            }
        });
    }

    private static boolean isSame(Path file, String input) {
        try {
            return Files.isRegularFile(file) && Files.isSameFile(file, Path.of(input));
        } catch (IOException | InvalidPathException e) {
            return false; // the method that reads the input reports why
        }
    }

    /** Where a write to a path goes: through symbolic links, whether or not there is a file at their end. */
    private static Path target(Path path) throws IOException {
        Path target = path;
        for (int links = 0; Files.isSymbolicLink(target); links++) {
            if (links == LINKS_MAX) {
                throw new FileSystemException(path.toString(), null, "too many symbolic links");
            }
            target = target.resolveSibling(Files.readSymbolicLink(target));
        }
        return target;
    }

    /** Opens a file for writing, and returns what identifies it; empty for devices and pipes, which may have several writers. */
    private static Optional<Object> tryWriting(Path target) throws IOException {
        boolean isNew = Files.notExists(target, LinkOption.NOFOLLOW_LINKS);
        Files.newOutputStream(target, StandardOpenOption.CREATE, StandardOpenOption.WRITE)
                .close();
        if (isNew) {
            Path file = target.toRealPath();
            Files.delete(target);
            return Optional.of(file);
        }
        if (!Files.isRegularFile(target)) {
            return Optional.empty();
        }
        // The same for all names of a file, hard links included. Some file systems have no such key.
        Object key = Files.readAttributes(target, BasicFileAttributes.class).fileKey();
        return Optional.of(key == null ? target.toRealPath() : key);
    }
}
