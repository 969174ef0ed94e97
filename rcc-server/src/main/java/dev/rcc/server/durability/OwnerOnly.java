package dev.rcc.server.durability;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Files and directories that only their owner can read: 0600 and 0700, where the file system has such rights. */
public final class OwnerOnly {
    private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final FileAttribute<?>[] NONE = {};

    private OwnerOnly() {}

    /**
     * Makes a directory that only its owner can enter, or restricts one that was there before. Its parents keep their rights. The directory is
     * durable, with the parents that were made for it: a loss of power does not take it away with the files in it.
     */
    public static void directory(Disk disk, Path directory) throws IOException {
        Path whole = directory.toAbsolutePath();
        List<Path> unsynced = new ArrayList<>();
        for (Path child = whole; child.getParent() != null; child = child.getParent()) {
            unsynced.addFirst(child.getParent());
            if (Files.exists(child.getParent())) {
                break;
            }
        }
        Files.createDirectories(whole);
        if (knowsRights(whole)) {
            Files.setPosixFilePermissions(whole, DIRECTORY);
        }
        for (Path parent : unsynced) {
            disk.syncDirectory(parent);
        }
    }

    /** Opens a file; if this creates it, only its owner can read it. */
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
