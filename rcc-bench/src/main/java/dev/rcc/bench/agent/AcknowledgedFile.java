package dev.rcc.bench.agent;

import dev.rcc.bench.history.ForwardingRecorder;
import dev.rcc.bench.verify.AcknowledgedWrites;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.HistoryRecorder;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Notes which writes a process has acknowledged, in a file that is mapped: what was noted is there when the process has been
 * killed, without a system call for each.
 *
 * <pre>
 *  0       8                     32
 * +-------+---------------------+- - -
 * | count | table | key's hash  | version ...     each note has 3 words: table and a bit for deletes, hash, version
 * | (8)   | (8)   | (8)         | (8)
 * +-------+---------------------+- - -
 * </pre>
 */
final class AcknowledgedFile extends ForwardingRecorder {
    private static final String PREFIX = "acknowledged-";
    private static final long WORD = 8;
    private static final long NOTE_BYTES = 3 * WORD;
    private static final long FILE_BYTES = WORD + NOTE_BYTES * 6_000_000;

    private final MemorySegment file;
    private long count;

    private AcknowledgedFile(MemorySegment file, HistoryRecorder next) {
        super(next);
        this.file = file;
    }

    /**
     * A new file in a directory.
     *
     * @param next called as well, unless it is null
     */
    static AcknowledgedFile create(Path directory, HistoryRecorder next) {
        try {
            Path path = Files.createTempFile(directory, PREFIX, ".bin");
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                // Until the process ends: workers may note something as long as they live.
                return new AcknowledgedFile(
                        channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES, Arena.global()),
                        next == null ? (txn, beginNanos, endNanos) -> {} : next);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void committed(Transaction txn, long beginNanos, long endNanos) {
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isWrite()) {
                long at = WORD + count * NOTE_BYTES;
                long delete = access.intent() == Intent.DELETE ? 1 : 0;
                file.set(ValueLayout.JAVA_LONG, at, 2L * access.table().id() + delete);
                file.set(ValueLayout.JAVA_LONG, at + WORD, access.keyHash());
                file.set(ValueLayout.JAVA_LONG, at + 2 * WORD, txn.commitTs());
                count++;
            }
        }
        file.set(ValueLayout.JAVA_LONG, 0, count);
        super.committed(txn, beginNanos, endNanos);
    }

    /** Reads what all files in a directory have noted. */
    static void read(Path directory, AcknowledgedWrites into) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*")) {
            for (Path path : files) {
                try (FileChannel channel = FileChannel.open(path);
                        Arena arena = Arena.ofConfined()) {
                    MemorySegment file = channel.map(FileChannel.MapMode.READ_ONLY, 0, FILE_BYTES, arena);
                    long count = file.get(ValueLayout.JAVA_LONG, 0);
                    for (long at = WORD; at < WORD + count * NOTE_BYTES; at += NOTE_BYTES) {
                        long table = file.get(ValueLayout.JAVA_LONG, at);
                        into.acknowledged(
                                (int) (table / 2),
                                file.get(ValueLayout.JAVA_LONG, at + WORD),
                                file.get(ValueLayout.JAVA_LONG, at + 2 * WORD),
                                table % 2 == 1);
                    }
                }
            }
        }
    }
}
