package dev.rcc.server.durability;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.log.LogEntry;
import dev.rcc.core.log.ReplicaWriter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.replication.NodeReplication;
import dev.rcc.core.replication.ReplicationDisk;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.time.Timestamp;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data that a node finds on its disk when it is started again: the snapshot, which is in the node's copies then, and the entries of the
 * log, or of replication's own logs. The course is: {@link #read}; ask all nodes for their {@link #undecided} transactions, and for their
 * {@link #report} on these; the replication decides which of these have committed
 * ({@link dev.rcc.core.replication.ReplicationProvider#committedOnDisks}); ask all nodes for the transactions that they have {@link #loggedFor}
 * this one, and {@link #adopt} those that are {@link #missing}; {@link #redo}; and check that all backups have the same {@link #digests}.
 *
 * <p>Used by one thread, except the methods that answer peers: {@link #data}, {@link #report}, {@link #loggedFor}, {@link #entry} and
 * {@link #digests}. The answers of all but {@link #data} stay the same. The files are mapped until {@link #close}, and take space on the disk until then, even if they are deleted.
 */
public final class RecoveredNode implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveredNode.class);

    private final Path directory;
    private final Memstore memstore;
    private final DataConfiguration configuration;
    private final ReplicaWriter replicas;
    private final NodeReplication replication;
    private final Arena arena = Arena.ofShared();
    private final WalReader reader;
    /** All entries, in the order of the log. */
    private final List<Entry> entries = new ArrayList<>();

    /** The entries of this node's own logs only, by id. */
    private final Map<Long, Entry> byId = new HashMap<>();

    private final Set<Long> adopted = new HashSet<>();
    private volatile CopyDigests.Digests digests;
    /** By ring and position: the entries whose outcome no record of the log has given yet. */
    private final Map<Integer, TreeMap<Long, Entry>> pending = new HashMap<>();

    private volatile Data data = Data.NONE;
    /** Null if there is none. */
    private Path snapshot;

    private volatile Snapshot.Knowledge knowledge = new Snapshot.Knowledge(Timestamp.NONE, 0, Map.of());
    private WalReader.End end;

    private RecoveredNode(
            Disk disk,
            Path directory,
            WalIdentity identity,
            Memstore memstore,
            DataConfiguration configuration,
            NodeReplication replication) {
        this.directory = directory;
        this.reader = new WalReader(disk, directory, identity, arena);
        this.replication = replication;
        this.memstore = memstore;
        this.configuration = configuration;
        this.replicas = new ReplicaWriter(memstore, memstore.node());
    }

    /** The data on a node's disk; each value is more than the one before. */
    public enum Data {
        /** None: the node has not ended its part of the cluster's first start. */
        NONE(0),
        /** A snapshot of the cluster's first start. This disk does not show whether the nodes have agreed on it. */
        PROPOSED(1),
        /** A snapshot that the nodes have agreed on, and the log behind it. */
        AGREED(2);

        private final byte code;

        Data(int code) {
            this.code = (byte) code;
        }

        /** The number that peers are sent. */
        public byte code() {
            return code;
        }

        /**
         * The data that a peer's number stands for.
         *
         * @throws IllegalArgumentException when there is no such number
         */
        public static Data of(byte code) {
            return Arrays.stream(values())
                    .filter(data -> data.code == code)
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalArgumentException("data on a disk: got " + code + ", allowed: 0 to 2"));
        }
    }

    private enum Outcome {
        UNDECIDED,
        COMMITTED,
        ABORTED
    }

    private static final class Entry {
        private final long id;
        private final int ring;
        /** Other logs that have it, too. */
        private final List<Integer> alsoIn = new ArrayList<>(0);

        private final Memory memory;
        private final long offset;
        private final int bytes;
        private volatile Outcome outcome = Outcome.UNDECIDED; // peers may ask while it is replayed

        Entry(long id, int ring, Memory memory, long offset, int bytes) {
            this.id = id;
            this.ring = ring;
            this.memory = memory;
            this.offset = offset;
            this.bytes = bytes;
        }
    }

    /**
     * A transaction that a node has logged, and has not marked as aborted.
     *
     * @param ring its coordinator's ring, or one of replication's own logs that has it
     * @param decided whether the node's disk shows that it has committed
     */
    public record Logged(int ring, long id, boolean decided) {}

    /**
     * A transaction of which this node's disk does not show whether it has committed.
     *
     * @param ring its coordinator's ring
     * @param partitions the partitions that it writes
     */
    public record Undecided(long id, int ring, List<Integer> partitions) {
        /** Takes a copy of the list. */
        public Undecided {
            partitions = List.copyOf(partitions);
        }
    }

    /**
     * Reads a node's disk: the snapshot that the nodes have agreed on into the node's copies, which are empty, and the logs.
     *
     * @param configuration the configuration that the data must belong to, and by which the catalog is placed
     * @throws WalDamaged when the data differs from the bytes that were written, or belongs to another configuration
     */
    static RecoveredNode read(
            Disk disk,
            Path directory,
            WalIdentity identity,
            Memstore memstore,
            DataConfiguration configuration,
            NodeReplication replication)
            throws IOException {
        RecoveredNode node = new RecoveredNode(disk, directory, identity, memstore, configuration, replication);
        try {
            node.read();
            return node;
        } catch (IOException | RuntimeException | Error e) {
            node.close();
            throw e;
        }
    }

    private void read() throws IOException {
        snapshot = newestSnapshot();
        if (snapshot == null) {
            if (configuration.epoch() > 0) {
                throw new WalDamaged(
                        directory,
                        "there is no data of configuration " + configuration.epoch()
                                + ", of which this node was a member when all nodes stopped");
            }
            List<Long> segments = WalFiles.segments(directory);
            if (!segments.isEmpty()) {
                end = readEmptyLog(segments.getFirst(), "there is a log, but no snapshot that it follows");
            }
        } else if (isUndecided(snapshot)) {
            end = readEmptyLog(
                    Snapshot.number(snapshot), "there is a log behind a snapshot that the nodes have not agreed on");
            data = Data.PROPOSED;
        } else {
            knowledge = Snapshot.read(reader, snapshot, Snapshot.number(snapshot), memstore);
            end = reader.read(Snapshot.number(snapshot), this::record);
            replication.disk().ifPresent(each -> each.recover(configuration.epoch(), new GroupLogs()));
            data = Data.AGREED;
            LOG.info("event=log_read node={} entries={} snapshot={}", memstore.node(), entries.size(), snapshot);
        }
    }

    /** Whether only the disks of all nodes together show if the nodes have agreed on a snapshot: no group of servers has agreed on configuration 0. */
    private boolean isUndecided(Path found) {
        return configuration.epoch() == 0 && Snapshot.isProposal(found);
    }

    private WalReader.End readEmptyLog(long first, String otherwise) throws IOException {
        return reader.read(first, (kind, ring, position, memory, offset, bytes) -> {
            throw new WalDamaged(directory, otherwise);
        });
    }

    /** The newest snapshot of the configuration, or else, as it may have been agreed on, the newest proposal; null if there is none. */
    private Path newestSnapshot() throws IOException {
        Path found = null;
        for (long number : Snapshot.proposals(directory)) {
            Path proposal = Snapshot.proposal(directory, number);
            found = configurationOf(proposal, number).equals(configuration) ? proposal : found;
        }
        for (long number : Snapshot.numbers(directory)) {
            Path file = Snapshot.file(directory, number);
            DataConfiguration its = configurationOf(file, number);
            if (its.epoch() > configuration.epoch()) {
                throw new WalDamaged(
                        file,
                        "is of configuration " + its.epoch() + ", but the last agreed configuration is "
                                + configuration.epoch() + ": the membership log in data-dir is older than the data");
            }
            found = its.equals(configuration) ? file : found;
        }
        return found;
    }

    private DataConfiguration configurationOf(Path file, long number) throws IOException {
        Placement home = configuration.placement().home();
        List<DataConfiguration> found = new ArrayList<>();
        reader.readStart(
                file,
                number,
                (kind, ring, position, memory, offset, bytes) -> Snapshot.configuration(
                                home, kind, position, memory, offset, bytes)
                        .ifPresent(found::add));
        return found.isEmpty() ? new DataConfiguration(0, home) : found.getFirst();
    }

    private void record(int kind, int ring, long position, Memory memory, long offset, int bytes) {
        TreeMap<Long, Entry> open = pending.computeIfAbsent(ring, none -> new TreeMap<>());
        switch (kind) {
            case WalLayout.ENTRY -> {
                Entry entry = new Entry(LogEntry.id(memory, offset), ring, memory, offset, bytes);
                entries.add(entry);
                byId.put(entry.id, entry);
                open.put(position, entry);
            }
            case WalLayout.ABORTED -> settle(open.remove(position), Outcome.ABORTED);
            case WalLayout.DECIDED -> {
                Map<Long, Entry> decided = open.headMap(position);
                decided.values().forEach(entry -> settle(entry, Outcome.COMMITTED));
                decided.clear();
            }
            default -> throw new IllegalStateException("a log has no records of kind " + kind);
        }
    }

    /** Takes the entries of replication's own logs: a transaction may be in several of them. */
    private final class GroupLogs implements ReplicationDisk.Recovered {
        @Override
        public void logged(int log, byte[] bytes, boolean decided) {
            Memory memory = copy(bytes);
            long id = LogEntry.id(memory, 0);
            Entry entry = byId.get(id);
            if (entry == null) {
                entry = new Entry(id, log, memory, 0, bytes.length);
                entries.add(entry);
                byId.put(id, entry);
            } else if (entry.ring != log && !entry.alsoIn.contains(log)) {
                entry.alsoIn.add(log);
            }
            if (decided) {
                entry.outcome = Outcome.COMMITTED;
            }
        }

        @Override
        public void decided(long id) {
            settle(byId.get(id), Outcome.COMMITTED);
        }
    }

    private static void settle(Entry entry, Outcome outcome) {
        if (entry != null) {
            entry.outcome = outcome;
        }
    }

    /** The node. */
    public int node() {
        return memstore.node();
    }

    /** The data on the disk: what was found there, and what the node has written since. */
    public Data data() {
        return data;
    }

    /** The node has written at least this data to the disk now. */
    public void has(Data written) {
        if (data.compareTo(written) < 0) {
            data = written;
        }
    }

    /** The number of the proposal whose data the copies have; empty if they have the data of another snapshot, or none. */
    OptionalLong recoveredProposal() {
        return data == Data.AGREED && Snapshot.isProposal(snapshot)
                ? OptionalLong.of(Snapshot.number(snapshot))
                : OptionalLong.empty();
    }

    /** The transactions that this node cannot decide alone. */
    public List<Undecided> undecided() {
        List<Undecided> undecided = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.outcome == Outcome.UNDECIDED) {
                undecided.add(new Undecided(entry.id, entry.ring, replicas.partitions(entry.memory, entry.offset)));
            }
        }
        return undecided;
    }

    /** The records that this node's disk has of some transactions, whose outcome some disk does not show. */
    public LogReport report(Collection<Undecided> asked) {
        List<LoggedTransaction> found = new ArrayList<>();
        for (Undecided txn : asked) {
            Entry entry = byId.get(txn.id());
            if (entry != null) {
                found.add(found(txn, entry.ring, entry.outcome));
                entry.alsoIn.forEach(log -> found.add(found(txn, log, entry.outcome)));
            }
            for (int log : knowledge.replayed().keySet()) {
                if (log % replication.logs() == txn.ring() % replication.logs() && isReplayed(log, txn.id())) {
                    found.add(found(txn, log, Outcome.COMMITTED));
                }
            }
        }
        return new LogReport(found, Map.of());
    }

    private static LoggedTransaction found(Undecided txn, int log, Outcome outcome) {
        return new LoggedTransaction(
                txn.id(), outcome == Outcome.ABORTED, outcome == Outcome.UNDECIDED, log, 0, txn.partitions());
    }

    /**
     * The transactions in the log that a peer backs up, too. A transaction that is in several of replication's own logs is there for each of them that
     * the peer has: it may have replayed the transaction from only some of them.
     */
    public List<Logged> loggedFor(int peer) {
        List<Logged> logged = new ArrayList<>();
        for (Entry entry : byId.values()) {
            if (entry.outcome != Outcome.ABORTED) {
                boolean decided = entry.outcome == Outcome.COMMITTED;
                logsOf(entry, peer).forEach(log -> logged.add(new Logged(log, entry.id, decided)));
            }
        }
        return logged;
    }

    /** The logs of an entry, one for each partition that a peer backs up: the partition's own log, or else any. */
    private Stream<Integer> logsOf(Entry entry, int peer) {
        return replicas.partitions(entry.memory, entry.offset).stream()
                .filter(partition -> configuration.placement().isBackup(peer, partition))
                .map(partition -> entry.alsoIn.stream()
                        .filter(log -> log / replication.logs() == partition)
                        .findFirst()
                        .orElse(entry.ring))
                .distinct();
    }

    /** The entry of a transaction that is in the log. */
    public byte[] entry(long id) {
        Entry entry = byId.get(id);
        byte[] bytes = new byte[entry.bytes];
        entry.memory.getBytes(entry.offset, bytes, 0, bytes.length);
        return bytes;
    }

    /**
     * The committed transactions that a peer has logged, and that this node does not have. Each is in the result once.
     *
     * @param there the transactions that the peer has logged for this node
     * @param committed the ids of the undecided transactions that have committed
     */
    public List<Logged> missing(List<Logged> there, Set<Long> committed) {
        Set<Long> found = new HashSet<>();
        List<Logged> missing = there.stream()
                .filter(txn -> txn.decided() || committed.contains(txn.id()))
                .filter(txn ->
                        !adopted.contains(txn.id()) && !byId.containsKey(txn.id()) && !isReplayed(txn.ring(), txn.id()))
                .filter(txn -> found.add(txn.id()))
                .toList();
        missing.stream()
                .filter(txn ->
                        txn.decided() && replication.disk().isEmpty()) // otherwise a majority has it: that is enough
                .map(Logged::id)
                .min(Long::compareUnsigned)
                .ifPresent(first -> LOG.warn(
                        "event=log_shortened node={} end={} first_lost={}: committed transactions are missing; they are taken from another backup's log",
                        memstore.node(),
                        logEnd(),
                        Timestamp.toString(first)));
        return missing;
    }

    /**
     * Takes the entry of a transaction that is {@link #missing}.
     *
     * @throws IllegalArgumentException when {@code bytes} is not its entry
     */
    public void adopt(Logged txn, byte[] bytes) {
        Memory memory = copy(bytes);
        if (!LogEntry.isIntact(memory, 0, bytes.length) || LogEntry.id(memory, 0) != txn.id()) {
            throw new IllegalArgumentException("not the entry of " + Timestamp.toString(txn.id()));
        }
        Entry entry = new Entry(txn.id(), txn.ring(), memory, 0, bytes.length);
        entry.outcome = Outcome.COMMITTED;
        entries.add(entry);
        adopted.add(txn.id());
    }

    /** Copies an entry that is not in the mapped files of this node's log. */
    private Memory copy(byte[] entry) {
        Memory memory = Memory.allocate(arena, Memory.alignToWord(entry.length));
        memory.putBytes(0, entry, 0, entry.length);
        return memory;
    }

    /** The end of the log: its last file, and an offset in it. */
    private String logEnd() {
        return end == null
                ? directory + ", without a log"
                : WalLayout.file(directory, end.segment()) + ", offset " + end.bytes();
    }

    /** The digests of the copies after {@link #redo} or {@link #digest}; null before. */
    public CopyDigests.Digests digests() {
        return digests;
    }

    private boolean isReplayed(int ring, long id) {
        long[] ids = knowledge.replayed().get(ring);
        return ids != null && LogReport.wasReplayed(id, ids[Timestamp.coroutine(id)]); // and is in no segment any more
    }

    /**
     * Replays the committed transactions. A snapshot that was {@link Data#PROPOSED} is read into the copies, which are empty: the other nodes'
     * disks show that the nodes have agreed on it.
     *
     * @param committed the ids of the undecided transactions that have committed
     * @throws WalDamaged when a transaction follows on one that is missing
     */
    public void redo(Set<Long> committed) {
        if (data == Data.PROPOSED) {
            takeProposal();
        }
        List<Entry> left = new ArrayList<>();
        for (Entry entry : entries) {
            if (entry.outcome == Outcome.UNDECIDED) {
                entry.outcome = committed.contains(entry.id) ? Outcome.COMMITTED : Outcome.ABORTED;
            }
            if (entry.outcome == Outcome.COMMITTED) {
                left.add(entry);
            }
        }
        for (int before = -1; !left.isEmpty() && left.size() != before; ) {
            before = left.size();
            left.removeIf(entry -> replicas.redo(entry.memory, entry.offset));
        }
        if (!left.isEmpty()) {
            throw new WalDamaged(
                    directory,
                    left.size() + " transactions depend on missing ones, the first of them "
                            + Timestamp.toString(left.getFirst().id) + ": the log, which ends at " + logEnd()
                            + ", has lost entries that no other log has");
        }
        indexCopies();
        digest();
    }

    private void takeProposal() {
        try {
            knowledge = Snapshot.read(reader, snapshot, Snapshot.number(snapshot), memstore);
            data = Data.AGREED;
        } catch (IOException e) {
            throw new UncheckedIOException(snapshot + " cannot be read", e);
        }
    }

    /** Computes the {@link #digests} of the copies, which have their data. */
    public void digest() {
        digests = new CopyDigests.Digests(logEnd(), CopyDigests.of(memstore));
    }

    /** Makes the index of each copy anew: an entry is there if its slot holds a tuple. */
    private void indexCopies() {
        Catalog catalog = memstore.catalog();
        for (int table = 0; table < catalog.tables(); table++) {
            for (int partition = 0; partition < catalog.placement().partitions(); partition++) {
                if (configuration.keeps(memstore.node(), partition)) {
                    index(memstore.partition(table, partition));
                }
            }
        }
    }

    private static void index(TablePartition copy) {
        TableLayout layout = copy.table().layout();
        TupleLayout t = layout.tuple();
        long slots = copy.slots();
        for (long slot = 0; slot < slots; slot++) {
            long tuple = layout.tupleOffset(slot);
            boolean live = TupleLayout.isLive(copy.memory().getLong(tuple + t.identityOffset()));
            long keyHash = live ? copy.keyHash(tuple) : 0;
            copy.memory().putLong(layout.entryOffset(slot), live ? IndexEntry.live(keyHash) : IndexEntry.EMPTY);
            if (live) {
                copy.deepen(keyHash, layout.segmentOfSlot(slot));
            } else {
                copy.memory().zero(tuple + t.identityOffset(), t.identityBytes()); // of a tuple that was there once
            }
        }
    }

    /** An upper bound of the commit timestamps in the copies. Where those are logical, it is far smaller than {@link #bound}. */
    public long commitBound() {
        long bound = knowledge.commitBound();
        for (Entry entry : entries) {
            bound = Timestamp.max(bound, LogEntry.commitTs(entry.memory, entry.offset));
        }
        return bound;
    }

    /** An upper bound of all earlier timestamps. */
    public long bound() {
        long bound = knowledge.bound();
        for (Entry entry : entries) {
            bound = Timestamp.max(bound, entry.id);
            bound = Timestamp.max(bound, LogEntry.commitTs(entry.memory, entry.offset));
        }
        for (long[] ids : knowledge.replayed().values()) {
            for (long id : ids) {
                bound = Timestamp.max(bound, id);
            }
        }
        return bound;
    }

    /** By ring and coroutine: the largest id of a transaction that is in the copies. After {@link #redo}. */
    Map<Integer, long[]> replayed() {
        Map<Integer, long[]> replayed = new TreeMap<>();
        knowledge.replayed().forEach((ring, ids) -> replayed.put(ring, ids.clone()));
        for (Entry entry : entries) {
            if (entry.outcome == Outcome.COMMITTED) {
                long[] ids = replayed.computeIfAbsent(entry.ring, none -> new long[Timestamp.MAX_COROUTINE + 1]);
                int coroutine = Timestamp.coroutine(entry.id);
                ids[coroutine] = Timestamp.max(ids[coroutine], entry.id);
            }
        }
        return replayed;
    }

    /** The end of the log; null if there is none. */
    WalReader.End end() {
        return end;
    }

    /** Gives up the files. A peer that still asks for an entry gets an error. */
    @Override
    public void close() {
        arena.close();
    }
}
