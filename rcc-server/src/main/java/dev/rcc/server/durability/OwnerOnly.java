package dev.rcc.server.durability;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and directories that nobody but their owner can read: 0600 and 0700, where the file system knows such rights. */
public final class OwnerOnly {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<?>[] NONE = {};

    private OwnerOnly() {}

    /** Sees to it that a directory is there and nobody else can enter it, also if it was there before. Those that it is in are left. */
    public static void directory(Path directory) throws IOException {
        Files.createDirectories(directory);
        if (knowsRights(directory)) {
            Files.setPosixFilePermissions(directory, DIRECTORY);
        }
    }

    /** Opens a file; one that is created thereby nobody else can read. */
    static FileChannel open(Path file, OpenOption... options) throws IOException {
        return FileChannel.open(
                file,
                Set.of(options),
                knowsRights(file) ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(FILE)} : NONE);
    }

    private static boolean knowsRights(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
