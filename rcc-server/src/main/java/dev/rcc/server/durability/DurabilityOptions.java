package dev.rcc.server.durability;

import java.nio.file.Path;
import java.util.Objects;

/**
 * The options of data that survives the processes of a cluster. Immutable; made by {@link #in} and the {@code with...} methods, each
 * of which returns a changed copy.
 *
 * @param directory the directory of the data of this process's nodes, each in a directory of its own, {@code node-N}
 * @param segmentBytes a file of the write-ahead log is ended before it has more bytes
 * @param walBytes a snapshot is made whenever the write-ahead log has grown by so many bytes
 * @param disk the disk of the files
 */
public record DurabilityOptions(Path directory, int segmentBytes, long walBytes, Disk disk) {
    /** Default of {@link #segmentBytes}. */
    public static final int DEFAULT_SEGMENT_BYTES = 16 << 20;
    /** Default of {@link #walBytes}. */
    public static final long DEFAULT_WAL_BYTES = 256L << 20;

    private static final int MIN_SEGMENT_BYTES = 4096;
    private static final int MAX_SEGMENT_BYTES = 1 << 30;
    private static final long MIN_WAL_BYTES = 4096;

    /** Checks the numbers. */
    public DurabilityOptions {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(disk, "disk");
        if (segmentBytes < MIN_SEGMENT_BYTES || segmentBytes > MAX_SEGMENT_BYTES) {
            throw new IllegalArgumentException(
                    "segmentBytes must be " + MIN_SEGMENT_BYTES + " to " + MAX_SEGMENT_BYTES + ", got " + segmentBytes);
        }
        if (walBytes < MIN_WAL_BYTES) {
            throw new IllegalArgumentException("walBytes must be at least " + MIN_WAL_BYTES + ", got " + walBytes);
        }
    }

    /** The options for data in a directory of this machine. */
    public static DurabilityOptions in(Path directory) {
        return new DurabilityOptions(directory, DEFAULT_SEGMENT_BYTES, DEFAULT_WAL_BYTES, Disk.REAL);
    }

    /** With other sizes of the log's files, and of the log between two snapshots. */
    public DurabilityOptions withSizes(int newSegmentBytes, long newWalBytes) {
        return new DurabilityOptions(directory, newSegmentBytes, newWalBytes, disk);
    }

    /** With another disk. */
    public DurabilityOptions withDisk(Disk newDisk) {
        return new DurabilityOptions(directory, segmentBytes, walBytes, newDisk);
    }

    /** The directory of a node. */
    public Path directoryOf(int node) {
        return directory.resolve("node-" + node);
    }
}
