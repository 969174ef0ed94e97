package dev.rcc.bench.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.NoSuchElementException;
import java.util.stream.Stream;

/** The newest file of the write-ahead log of a node that does not run. Its end is cut off, and can be put back. */
final class ShortenedLog {
    /** The header, which is never cut: the process that made a segment forced its header before it wrote anything else. */
    private static final int HEADER_BYTES = 64;

    private static final int ALL_PERMILLE = 1_000;

    private final Path file;
    private final byte[] whole;
    private final int left;

    private ShortenedLog(Path file, byte[] whole, int left) {
        this.file = file;
        this.whole = whole;
        this.left = left;
    }

    /**
     * Cuts off the end of the newest segment.
     *
     * @param data the directory of the node's data
     * @param permille the share of the bytes after the segment's header, of a thousand; at least one byte, if there is one
     * @throws NoSuchElementException when there is no segment
     */
    static ShortenedLog cut(Path data, int permille) throws IOException {
        Path newest;
        try (Stream<Path> files = Files.walk(data)) {
            newest = files.filter(file -> file.getFileName().toString().matches("segment-\\d+\\.wal"))
                    .max(Comparator.comparing(file -> file.getFileName().toString()))
                    .orElseThrow(() -> new NoSuchElementException("there is no log in " + data));
        }
        byte[] whole = Files.readAllBytes(newest);
        long behind = Math.max(0, whole.length - HEADER_BYTES);
        int left = whole.length - (int) Math.ceilDiv(behind * permille, ALL_PERMILLE);
        Files.write(newest, Arrays.copyOf(whole, left));
        return new ShortenedLog(newest, whole, left);
    }

    /** Whether there was nothing behind the header to cut, as in a segment that was just begun. */
    boolean isWhole() {
        return left == whole.length;
    }

    /** The file's name, without its directory. */
    String name() {
        return file.getFileName().toString();
    }

    /** Restores the file. */
    void putBack() throws IOException {
        Files.write(file, whole);
    }
}
