package dev.rcc.transport.shm;

import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Options of the {@code shm} network.
 *
 * @param cluster the first part of all file names, so that an operator sees which files belong together: 1 to 64 letters, digits,
 *     {@code _} and {@code -}. Clusters of one name do not disturb each other.
 * @param directory the directory of the files: {@code /dev/shm}, or a mount of persistent memory; the same for all nodes, readable and
 *     writable for the user that all of them run as
 * @param ringBytes size of each ring that carries calls, a power of two from 4 KiB to 1 GiB; a request or a reply has at most
 *     half of it, less 24 bytes. There are two rings for each link between workers.
 */
public record ShmOptions(String cluster, Path directory, int ringBytes) {
    static final Pattern CLUSTER = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    /** Suits nodes with a few workers and messages of some KiB. */
    public static final ShmOptions DEFAULT = new ShmOptions("rcc", Path.of("/dev/shm"), 1 << 18);

    private static final int MIN_RING_BYTES = 1 << 12;
    private static final int MAX_RING_BYTES = 1 << 30;

    /** Checks the ranges. */
    public ShmOptions {
        Objects.requireNonNull(directory, "directory");
        if (!CLUSTER.matcher(cluster).matches()) {
            throw new IllegalArgumentException(
                    "cluster must be 1 to 64 letters, digits, '_' and '-', got \"" + cluster + "\"");
        }
        if (!isRingSize(ringBytes)) {
            throw new IllegalArgumentException("ringBytes must be a power of two from " + MIN_RING_BYTES + " to "
                    + MAX_RING_BYTES + ", got " + ringBytes);
        }
    }

    /** Whether a ring may have this size. */
    static boolean isRingSize(int bytes) {
        return bytes >= MIN_RING_BYTES && bytes <= MAX_RING_BYTES && Integer.bitCount(bytes) == 1;
    }
}
