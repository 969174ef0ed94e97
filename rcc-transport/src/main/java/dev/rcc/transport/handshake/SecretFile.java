package dev.rcc.transport.handshake;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file with a cluster's secrets: one a line, the first in use, the others accepted; empty lines and lines that begin with {@code #} do not count.
 * The file is read again when secrets are requested, at most once a second, so that secrets can be replaced while the node runs. While it cannot be
 * read, or is invalid, the earlier secrets stay valid, and the log says so.
 *
 * <p>Used on any thread.
 */
public final class SecretFile implements ClusterSecrets {
    /** Most secrets of a file. */
    public static final int MAX_SECRETS = 8;

    private static final Logger LOG = LoggerFactory.getLogger(SecretFile.class);
    private static final long READ_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int MAX_BYTES = 4 * MAX_SECRETS * ClusterSecret.MAX_CHARACTERS;
    private static final Set<PosixFilePermission> FOR_OTHERS =
            EnumSet.of(PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

    private final Path file;
    private final LongSupplier nanoTime;
    private List<ClusterSecret> secrets;
    private String text;
    private long readNanos;
    private String problem = "";

    /**
     * Reads the file.
     *
     * @throws IllegalArgumentException when it cannot be read, every user can read or change it, or it has no secret or too many
     */
    public SecretFile(Path file) {
        this(file, System::nanoTime);
    }

    SecretFile(Path file, LongSupplier nanoTime) {
        this.file = file;
        this.nanoTime = nanoTime;
        this.text = read(file);
        this.secrets = parse(text);
        this.readNanos = nanoTime.getAsLong();
    }

    /**
     * Creates a file with a new secret, which only its owner can read, unless the file exists.
     *
     * @throws IOException when it cannot be created
     */
    public static void createIfAbsent(Path file) throws IOException {
        if (Files.exists(file)) {
            return;
        }
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(unfinished);
        if (hasPosixPermissions(file)) {
            Files.createFile(
                    unfinished, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        Files.writeString(unfinished, ClusterSecret.draw() + "\n");
        Files.move(unfinished, file);
    }

    @Override
    public synchronized List<ClusterSecret> current() {
        long now = nanoTime.getAsLong();
        if (now - readNanos >= READ_NANOS) {
            readNanos = now;
            readAgain();
        }
        return secrets;
    }

    private void readAgain() {
        String wrong = "";
        try {
            String found = read(file);
            if (!found.equals(text)) {
                secrets = parse(found);
                text = found;
                LOG.info("event=secret_file_changed file={} secrets={}", file, secrets.size());
            }
        } catch (IllegalArgumentException e) {
            wrong = e.getMessage();
        }
        if (!wrong.equals(problem)) {
            problem = wrong;
            if (wrong.isEmpty()) {
                LOG.info("event=secret_file_valid file={}", file);
            } else {
                LOG.error(
                        "event=secret_file_invalid file={}: the secrets that it had before stay valid: {}",
                        file,
                        wrong);
            }
        }
    }

    private static boolean hasPosixPermissions(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    private static String read(Path file) {
        try {
            if (hasPosixPermissions(file)
                    && Files.getPosixFilePermissions(file).stream().anyMatch(FOR_OTHERS::contains)) {
                throw new IllegalArgumentException("every user of this machine can read or change it: chmod 600 it");
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new IllegalArgumentException("it has more than " + MAX_BYTES + " bytes");
            }
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no such file", e);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("it is not UTF-8", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("it cannot be read (" + e + ")", e);
        }
    }

    private static List<ClusterSecret> parse(String text) {
        List<ClusterSecret> secrets = new ArrayList<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String secret = line.strip();
            if (secret.isEmpty() || secret.startsWith("#")) {
                continue;
            }
            try {
                secrets.add(ClusterSecret.of(secret));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + number + ": " + e.getMessage(), e);
            }
        }
        if (secrets.isEmpty() || secrets.size() > MAX_SECRETS) {
            throw new IllegalArgumentException(
                    "it must have 1 to " + MAX_SECRETS + " secrets, one a line, and has " + secrets.size());
        }
        return List.copyOf(secrets);
    }
}
