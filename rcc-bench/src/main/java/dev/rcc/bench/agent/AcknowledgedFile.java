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
 * Records the writes that a process has acknowledged, in a mapped file: the notes survive when the process is killed, without a system
 * call for each note. Deletes are also noted before they are logged, and when they have aborted on all nodes: a delete in progress when the process
 * was killed, or when the other nodes took it for dead, may have committed.
 *
 * <pre>
 *  0       8                     32
 * +-------+---------------------+- - -
 * | count | table | key's hash  | version ...     each note has 3 words: table and kind, hash, version
 * | (8)   | (8)   | (8)         | (8)
 * +-------+---------------------+- - -
 * </pre>
 */
final class AcknowledgedFile extends ForwardingRecorder {
    private static final String PREFIX = "acknowledged-";
    private static final long WORD = 8;
    private static final long NOTE_BYTES = 3 * WORD;
    private static final long NOTES_MAX = 40_000_000;
    /** The file takes disk space only for the notes written. */
    private static final long FILE_BYTES = WORD + NOTE_BYTES * NOTES_MAX;

    private static final int WRITE = 0;
    private static final int DELETE = 1;
    private static final int DELETE_IN_DOUBT = 2;
    private static final int DELETE_ABORTED = 3;
    private static final int KINDS = 4;

    private final MemorySegment file;
    private long count;

    private AcknowledgedFile(MemorySegment file, HistoryRecorder next) {
        super(next);
        this.file = file;
    }

    /**
     * A new file in a directory.
     *
     * @param next another recorder that is called, too; may be null
     */
    static AcknowledgedFile create(Path directory, HistoryRecorder next) {
        try {
            Path path = Files.createTempFile(directory, PREFIX, ".bin");
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                // Mapped until the process ends: workers may write notes as long as they live.
                return new AcknowledgedFile(
                        channel.map(FileChannel.MapMode.READ_WRITE, 0, FILE_BYTES, Arena.global()),
                        next == null ? (txn, beginNanos, endNanos) -> {} : next);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public synchronized void logging(Transaction txn, long beginNanos) {
        noteDeletes(txn, DELETE_IN_DOUBT);
        super.logging(txn, beginNanos);
    }

    @Override
    public synchronized void committed(Transaction txn, long beginNanos, long endNanos) {
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            if (access.isWrite()) {
                int kind = access.intent() == Intent.DELETE ? DELETE : WRITE;
                note(access.table().id(), kind, access.keyHash(), txn.commitTs());
            }
        }
        publish();
        super.committed(txn, beginNanos, endNanos);
    }

    @Override
    public synchronized void attemptAborted(Transaction txn) {
        if (txn.hasLogged()) {
            noteDeletes(txn, DELETE_ABORTED);
        }
        super.attemptAborted(txn);
    }

    private void noteDeletes(Transaction txn, int kind) {
        AcknowledgedWrites.forEachDelete(txn, (table, keyHash) -> note(table, kind, keyHash, txn.commitTs()));
        publish();
    }

    private void note(int table, int kind, long keyHash, long version) {
        if (count == NOTES_MAX) {
            throw new IllegalStateException(
                    "a process can note " + NOTES_MAX
                            + " writes while faults are injected: inject fewer faults, or let clients think between transactions");
        }
        long at = WORD + count * NOTE_BYTES;
        file.set(ValueLayout.JAVA_LONG, at, (long) KINDS * table + kind);
        file.set(ValueLayout.JAVA_LONG, at + WORD, keyHash);
        file.set(ValueLayout.JAVA_LONG, at + 2 * WORD, version);
        count++;
    }

    /** Makes the notes written so far count. */
    private void publish() {
        file.set(ValueLayout.JAVA_LONG, 0, count);
    }

    /** Reads the notes of all files in a directory. */
    static void read(Path directory, AcknowledgedWrites into) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, PREFIX + "*")) {
            for (Path path : files) {
                try (FileChannel channel = FileChannel.open(path);
                        Arena arena = Arena.ofConfined()) {
                    MemorySegment file = channel.map(FileChannel.MapMode.READ_ONLY, 0, FILE_BYTES, arena);
                    long count = file.get(ValueLayout.JAVA_LONG, 0);
                    for (long at = WORD; at < WORD + count * NOTE_BYTES; at += NOTE_BYTES) {
                        long tableAndKind = file.get(ValueLayout.JAVA_LONG, at);
                        int table = (int) (tableAndKind / KINDS);
                        long keyHash = file.get(ValueLayout.JAVA_LONG, at + WORD);
                        long version = file.get(ValueLayout.JAVA_LONG, at + 2 * WORD);
                        switch ((int) (tableAndKind % KINDS)) {
                            case DELETE_IN_DOUBT -> into.deleteInDoubt(table, keyHash, version);
                            case DELETE_ABORTED -> into.deleteEnded(table, keyHash, version);
                            case DELETE -> into.acknowledged(table, keyHash, version, true);
                            default -> into.acknowledged(table, keyHash, version, false);
                        }
                    }
                }
            }
        }
    }
}
