package dev.rcc.server.durability;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Snapshots of the copies that a node backs up. The snapshot of number n holds what is in the log's segments before n, and perhaps some
 * of what is in the others: it is made while the backup replays. A tuple's version is read before the rest of it, so what is read is at
 * least of that version; if it has changed meanwhile, what changed it is in the segments from n on and is replayed over it.
 *
 * <p>A snapshot is a file of records as {@link WalLayout} has them, the last of them {@link WalLayout#END}. It is written under another
 * name and renamed when it is durable, so that one that is there is whole.
 *
 * <pre>
 *  tuple in a record of {@link WalLayout#TUPLES}
 *   0        slot (63..1), whether it holds a tuple (0)
 *   8        version
 *  16        identity and record, if it holds a tuple
 * </pre>
 */
final class Snapshot {
    private static final String PREFIX = "snapshot-";
    private static final String SUFFIX = ".rcc";
    private static final String TEMPORARY_SUFFIX = ".tmp";

    private Snapshot() {}

    /**
     * What a node knows besides the data.
     *
     * @param bound no timestamp before was larger
     * @param replayed by ring and coroutine: the largest id of an entry that was replayed
     */
    record Knowledge(long bound, Map<Integer, long[]> replayed) {}

    /** The file of a snapshot. */
    static Path file(Path directory, long number) {
        return directory.resolve(PREFIX + String.format(Locale.ROOT, "%012d", number) + SUFFIX);
    }

    /** The numbers of the snapshots that are there, in order. */
    static List<Long> numbers(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> WalLayout.number(file, PREFIX, SUFFIX))
                    .filter(OptionalLong::isPresent)
                    .map(OptionalLong::getAsLong)
                    .sorted()
                    .toList();
        }
    }

    /**
     * Writes a snapshot, makes it durable, and deletes what it replaces.
     *
     * @return its size in bytes
     */
    static long write(
            Disk disk, Path directory, WalIdentity identity, long number, Memstore memstore, Knowledge knowledge)
            throws IOException {
        Path temporary = directory.resolve(PREFIX + TEMPORARY_SUFFIX);
        Files.deleteIfExists(temporary);
        long bytes;
        try (RecordFile file = new RecordFile(disk, temporary, identity, number)) {
            long bound = knowledge.bound();
            for (Map.Entry<Integer, long[]> ring : knowledge.replayed().entrySet()) {
                putReplayed(file, ring.getKey(), ring.getValue());
            }
            Catalog catalog = memstore.catalog();
            for (int table = 0; table < catalog.tables(); table++) {
                for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
                    if (catalog.placement().isBackup(memstore.node(), partition)) {
                        bound = Timestamp.max(bound, putTuples(file, memstore.partition(table, partition)));
                        putLeaves(file, memstore.partition(table, partition));
                    }
                }
            }
            file.put(WalLayout.BOUND, 0, bound);
            file.put(WalLayout.END, 0, 0);
            bytes = file.force();
        }
        disk.rename(temporary, file(directory, number));
        disk.syncDirectory(directory);
        for (long older : numbers(directory)) {
            if (older < number) {
                disk.delete(file(directory, older));
            }
        }
        WalFiles.deleteBefore(disk, directory, number);
        return bytes;
    }

    private static void putReplayed(RecordFile file, int ring, long[] ids) throws IOException {
        file.begin(WalLayout.REPLAYED, ring, 0);
        for (int coroutine = 0; coroutine < ids.length; coroutine++) {
            if (ids[coroutine] != 0) {
                file.putWord(coroutine);
                file.putWord(ids[coroutine]);
            }
        }
        file.end();
    }

    /** Returns the largest version. */
    private static long putTuples(RecordFile file, TablePartition copy) throws IOException {
        TableLayout layout = copy.table().layout();
        TupleLayout t = layout.tuple();
        Memory memory = copy.memory();
        int most = 2 * Memory.WORD_BYTES + t.identityBytes() + t.recordBytes();
        long largest = 0;
        file.begin(WalLayout.TUPLES, copy.table().schema().id(), copy.partition());
        for (long slot = 0; slot < layout.slots(); slot++) {
            long tuple = layout.tupleOffset(slot);
            long version = memory.getAcquire(tuple + t.versionOffset()); // first: the rest is no older then
            if (version != 0) {
                largest = Timestamp.max(largest, version);
                file.makeRoom(most);
                boolean live = TupleLayout.isLive(memory.getAcquire(tuple + t.identityOffset()));
                file.putWord(slot << 1 | (live ? 1 : 0));
                file.putWord(version);
                if (live) {
                    file.putBytes(memory, tuple + t.identityOffset(), t.identityBytes());
                    file.putBytes(memory, tuple + t.recordOffset(), t.recordBytes());
                }
            }
        }
        file.end();
        return largest;
    }

    private static void putLeaves(RecordFile file, TablePartition copy) throws IOException {
        TableLayout layout = copy.table().layout();
        file.begin(WalLayout.LEAVES, copy.table().schema().id(), copy.partition());
        for (long leaf = 0; leaf < layout.buckets(); leaf++) {
            long version = copy.memory().getAcquire(layout.leafOffsetAt(leaf) + layout.leafVersionOffset());
            if (version != 0) {
                file.makeRoom(2 * Memory.WORD_BYTES);
                file.putWord(leaf);
                file.putWord(version);
            }
        }
        file.end();
    }

    /**
     * Reads the newest snapshot into the copies, which are empty.
     *
     * @throws WalDamaged when it is not what was written
     */
    static Knowledge read(WalReader reader, Path file, long number, Memstore memstore) throws IOException {
        Loading loading = new Loading(memstore);
        reader.readSnapshot(file, number, loading);
        return new Knowledge(loading.bound, loading.replayed);
    }

    /** Puts a snapshot's records where they belong. */
    private static final class Loading implements WalReader.Visitor {
        private final Memstore memstore;
        private final Map<Integer, long[]> replayed = new TreeMap<>();
        private long bound;

        Loading(Memstore memstore) {
            this.memstore = memstore;
        }

        @Override
        public void record(int kind, int ring, long position, Memory memory, long offset, int bytes) {
            switch (kind) {
                case WalLayout.BOUND -> bound = position;
                case WalLayout.REPLAYED -> {
                    long[] ids = replayed.computeIfAbsent(ring, none -> new long[Timestamp.MAX_COROUTINE + 1]);
                    for (long at = offset; at < offset + bytes; at += 2 * Memory.WORD_BYTES) {
                        ids[(int) memory.getLong(at)] = memory.getLong(at + Memory.WORD_BYTES);
                    }
                }
                case WalLayout.TUPLES ->
                    takeTuples(memstore.partition(ring, (int) position), memory, offset, offset + bytes);
                case WalLayout.LEAVES -> {
                    TablePartition copy = memstore.partition(ring, (int) position);
                    TableLayout layout = copy.table().layout();
                    for (long at = offset; at < offset + bytes; at += 2 * Memory.WORD_BYTES) {
                        long leaf = layout.leafOffsetAt(memory.getLong(at));
                        copy.memory()
                                .putLong(leaf + layout.leafVersionOffset(), memory.getLong(at + Memory.WORD_BYTES));
                    }
                }
                default -> throw new IllegalStateException("a snapshot has no records of kind " + kind);
            }
        }

        private static void takeTuples(TablePartition copy, Memory memory, long offset, long end) {
            TableLayout layout = copy.table().layout();
            TupleLayout t = layout.tuple();
            long at = offset;
            while (at < end) {
                long word = memory.getLong(at);
                long tuple = layout.tupleOffset(word >>> 1);
                copy.memory().putLong(tuple + t.versionOffset(), memory.getLong(at + Memory.WORD_BYTES));
                at += 2 * Memory.WORD_BYTES;
                if ((word & 1) != 0) {
                    memory.copy(at, copy.memory(), tuple + t.identityOffset(), t.identityBytes());
                    at += t.identityBytes();
                    memory.copy(at, copy.memory(), tuple + t.recordOffset(), t.recordBytes());
                    at += t.recordBytes();
                }
            }
        }
    }
}
