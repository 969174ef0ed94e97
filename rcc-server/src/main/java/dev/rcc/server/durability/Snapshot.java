package dev.rcc.server.durability;

import dev.rcc.core.cluster.Placement;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Snapshots of the copies that a node keeps. The snapshot of number n holds everything in the log's segments before n, and perhaps some of
 * the later segments: it is made while the backup replays. A tuple's version is read before the rest of the tuple, so the rest is at least
 * of that version. If the tuple has changed meanwhile, the change is in the segments from n on and is replayed over it.
 *
 * <p>A snapshot contains its configuration. A snapshot of a configuration that is not known to be agreed on has another name, as a
 * <i>proposal</i>, and leaves earlier snapshots in their place.
 *
 * <p>A snapshot is a file of {@link WalLayout} records, the last of them {@link WalLayout#END}. It is written under another name and renamed
 * when it is durable, so that a file with a snapshot's name is whole.
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
    private static final String PROPOSAL_PREFIX = "proposed-";
    private static final String SUFFIX = ".rcc";
    private static final String TEMPORARY_SUFFIX = ".tmp";

    private Snapshot() {}

    /**
     * The state of a node besides the data.
     *
     * @param bound an upper bound of all earlier timestamps
     * @param commitBound of a snapshot that was read: an upper bound of the versions in it
     * @param replayed by ring and coroutine: the largest id of an entry that was replayed
     */
    record Knowledge(long bound, long commitBound, Map<Integer, long[]> replayed) {}

    /** The file of a snapshot. */
    static Path file(Path directory, long number) {
        return directory.resolve(PREFIX + String.format(Locale.ROOT, "%012d", number) + SUFFIX);
    }

    /** The file of a proposal. */
    static Path proposal(Path directory, long number) {
        return directory.resolve(PROPOSAL_PREFIX + String.format(Locale.ROOT, "%012d", number) + SUFFIX);
    }

    /** Whether a file is that of a proposal. */
    static boolean isProposal(Path file) {
        return WalLayout.number(file, PROPOSAL_PREFIX, SUFFIX).isPresent();
    }

    /** The number of the snapshot or proposal in a file. */
    static long number(Path file) {
        OptionalLong number = WalLayout.number(file, PREFIX, SUFFIX);
        return number.orElseGet(
                () -> WalLayout.number(file, PROPOSAL_PREFIX, SUFFIX).orElseThrow());
    }

    /** The numbers of the snapshots that are there, without proposals, in order. */
    static List<Long> numbers(Path directory) throws IOException {
        return numbers(directory, PREFIX);
    }

    /** The numbers of the proposals that are there, in order. */
    static List<Long> proposals(Path directory) throws IOException {
        return numbers(directory, PROPOSAL_PREFIX);
    }

    private static List<Long> numbers(Path directory, String prefix) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> WalLayout.number(file, prefix, SUFFIX))
                    .filter(OptionalLong::isPresent)
                    .map(OptionalLong::getAsLong)
                    .sorted()
                    .toList();
        }
    }

    /**
     * Writes a snapshot and makes it durable. If that fails, it leaves no unfinished file, which would take the room that the log needs.
     *
     * @param target the file of the snapshot when it is whole
     * @return its size in bytes
     */
    static long write(
            Disk disk,
            Path directory,
            WalIdentity identity,
            long number,
            Memstore memstore,
            DataConfiguration configuration,
            Knowledge knowledge,
            Path target)
            throws IOException {
        Path temporary = directory.resolve(PREFIX + TEMPORARY_SUFFIX);
        Files.deleteIfExists(temporary);
        try {
            long bytes = write(disk, temporary, identity, number, memstore, configuration, knowledge);
            disk.rename(temporary, target);
            disk.syncDirectory(directory);
            return bytes;
        } catch (IOException | RuntimeException | Error e) {
            try {
                Files.deleteIfExists(temporary);
            } catch (IOException notDeleted) {
                e.addSuppressed(notDeleted);
            }
            throw e;
        }
    }

    private static long write(
            Disk disk,
            Path temporary,
            WalIdentity identity,
            long number,
            Memstore memstore,
            DataConfiguration configuration,
            Knowledge knowledge)
            throws IOException {
        try (RecordFile file = new RecordFile(disk, temporary, identity, number)) {
            long bound = knowledge.bound();
            putConfiguration(file, configuration);
            for (Map.Entry<Integer, long[]> ring : knowledge.replayed().entrySet()) {
                putReplayed(file, ring.getKey(), ring.getValue());
            }
            Catalog catalog = memstore.catalog();
            for (int table = 0; table < catalog.tables(); table++) {
                for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
                    if (configuration.keeps(memstore.node(), partition)) {
                        bound = Timestamp.max(bound, putTuples(file, memstore.partition(table, partition)));
                        putLeaves(file, memstore.partition(table, partition));
                    }
                }
            }
            file.put(WalLayout.BOUND, 0, bound);
            file.put(WalLayout.END, 0, 0);
            return file.force();
        }
    }

    /** Deletes the files that a snapshot replaces: earlier snapshots, proposals, and the log before it. */
    static void deleteBefore(Disk disk, Path directory, long number) throws IOException {
        for (long older : numbers(directory)) {
            if (older < number) {
                disk.delete(file(directory, older));
            }
        }
        deleteProposalsBefore(disk, directory, number);
        WalFiles.deleteBefore(disk, directory, number);
    }

    /** Deletes the proposals before one, which do not count any more. */
    static void deleteProposalsBefore(Disk disk, Path directory, long number) throws IOException {
        for (long older : proposals(directory)) {
            if (older < number) {
                disk.delete(proposal(directory, older));
            }
        }
    }

    private static void putConfiguration(RecordFile file, DataConfiguration configuration) throws IOException {
        file.begin(WalLayout.CONFIGURATION, 0, configuration.epoch());
        for (List<Integer> holders : configuration.placement().holders()) {
            file.putWord(holders.size());
            holders.forEach(file::putWord);
        }
        file.end();
    }

    /**
     * The configuration in a record, the file's first one; empty if the record has none.
     *
     * @param home the cluster's placement while no node is missing
     */
    static Optional<DataConfiguration> configuration(
            Placement home, int kind, long epoch, Memory memory, long offset, int bytes) {
        if (kind != WalLayout.CONFIGURATION) {
            return Optional.empty();
        }
        List<List<Integer>> holders = new ArrayList<>();
        for (long at = offset; at < offset + bytes; ) {
            long end = at + Memory.WORD_BYTES * (1 + memory.getLong(at));
            List<Integer> each = new ArrayList<>();
            for (at += Memory.WORD_BYTES; at < end; at += Memory.WORD_BYTES) {
                each.add((int) memory.getLong(at));
            }
            holders.add(each);
        }
        return Optional.of(new DataConfiguration(epoch, home.withHolders(holders)));
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
        long slots = copy.slots();
        for (long slot = 0; slot < slots; slot++) {
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
     * Reads a snapshot into the copies, which are empty.
     *
     * @throws WalDamaged when the file differs from the bytes that were written
     */
    static Knowledge read(WalReader reader, Path file, long number, Memstore memstore) throws IOException {
        Loading loading = new Loading(memstore);
        reader.readSnapshot(file, number, loading);
        return new Knowledge(loading.bound, loading.commitBound, loading.replayed);
    }

    /** Puts a snapshot's records into the copies. */
    private static final class Loading implements WalReader.Visitor {
        private final Memstore memstore;
        private final Map<Integer, long[]> replayed = new TreeMap<>();
        private long bound;
        private long commitBound;

        Loading(Memstore memstore) {
            this.memstore = memstore;
        }

        @Override
        public void record(int kind, int ring, long position, Memory memory, long offset, int bytes) {
            switch (kind) {
                case WalLayout.CONFIGURATION -> {} // known
                case WalLayout.BOUND -> bound = position;
                case WalLayout.REPLAYED -> {
                    long[] ids = replayed.computeIfAbsent(ring, none -> new long[Timestamp.MAX_COROUTINE + 1]);
                    for (long at = offset; at < offset + bytes; at += 2 * Memory.WORD_BYTES) {
                        ids[(int) memory.getLong(at)] = memory.getLong(at + Memory.WORD_BYTES);
                    }
                }
                case WalLayout.TUPLES -> {
                    TablePartition copy = memstore.partition(ring, (int) position);
                    commitBound = Timestamp.max(commitBound, takeTuples(copy, memory, offset, offset + bytes));
                }
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

        /** Returns the largest version. */
        private static long takeTuples(TablePartition copy, Memory memory, long offset, long end) {
            TableLayout layout = copy.table().layout();
            TupleLayout t = layout.tuple();
            long at = offset;
            long largest = 0;
            while (at < end) {
                long word = memory.getLong(at);
                long tuple = layout.tupleOffset(word >>> 1);
                copy.use(layout.segmentOfSlot(word >>> 1));
                copy.memory().putLong(tuple + t.versionOffset(), memory.getLong(at + Memory.WORD_BYTES));
                largest = Timestamp.max(largest, memory.getLong(at + Memory.WORD_BYTES));
                at += 2 * Memory.WORD_BYTES;
                if ((word & 1) != 0) {
                    memory.copy(at, copy.memory(), tuple + t.identityOffset(), t.identityBytes());
                    at += t.identityBytes();
                    memory.copy(at, copy.memory(), tuple + t.recordOffset(), t.recordBytes());
                    at += t.recordBytes();
                    t.putChecksum(copy.memory(), tuple, copy.memory().getLong(tuple + t.versionOffset()));
                }
            }
            return largest;
        }
    }
}
