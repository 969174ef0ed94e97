package dev.rcc.protocols.rings;

import dev.rcc.core.log.LogEntry;
import dev.rcc.core.log.ReplicaWriter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Prefetch;
import dev.rcc.core.replication.DurableLog;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.worker.Poller;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The read ends of a node's log rings that one of its workers looks after. The worker replays decided entries lazily, from its event loop, and so
 * makes room for more (rcc, 4.1). Worker {@code i} here looks after the rings of worker {@code i} of every node, so each ring has one reader.
 */
public final class LogRings implements Poller {
    private static final Logger LOG = LoggerFactory.getLogger(LogRings.class);

    /** The most entries that one poll replays, so that transactions are not held up. */
    private static final int ENTRIES_PER_POLL = 32;

    private final Memory memory;
    private final LogRingLayout layout;
    private final int worker;
    private final ReplicaWriter replicas;
    private final long[] heads;
    /** By ring: the largest {@code decided} that was read. */
    private final long[] decided;

    private final long[] verified;
    private final boolean[] broken;
    /** By ring: the largest replayed id of each coroutine; null for a ring of which no entry was replayed. */
    private final long[][] replayedIds;
    /** By ring whose writer is lost: the entries after the decided ones that remain to be replayed; else null. */
    private final List<Long>[] adopted;
    /** By ring: the entries that were adopted and have been replayed. */
    private final Map<Integer, Set<Long>> replayedAdopted = new HashMap<>();

    /** Null if the data is in memory only. */
    private final DurableLog durable;
    /** By ring: the position up to which the durable log has its entries. */
    private final long[] kept;
    /** By ring: the position up to which the durable log has it as decided. */
    private final long[] keptDecided;
    /** By position in all rings: the batch of the durable log that records that the entry there was aborted. */
    private final Map<Long, Long> abortBatches = new HashMap<>();

    private int nextRing;

    private final Prefetch prefetch = new Prefetch();

    /** The read ends that {@code worker} looks after, of a node that keeps its data in memory only. */
    public LogRings(Memory memory, LogRingLayout layout, int worker, ReplicaWriter replicas) {
        this(memory, layout, worker, replicas, null);
    }

    /**
     * The read ends that {@code worker} looks after.
     *
     * @param memory the node's log region
     * @param replicas the copies into which the entries are replayed
     * @param durable the log that makes the entries durable before that, or null
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays have no type parameters
    public LogRings(Memory memory, LogRingLayout layout, int worker, ReplicaWriter replicas, DurableLog durable) {
        this.memory = memory;
        this.layout = layout;
        this.worker = worker;
        this.replicas = replicas;
        this.heads = new long[layout.rings()];
        this.decided = new long[layout.rings()];
        this.verified = new long[layout.rings()];
        this.broken = new boolean[layout.rings()];
        this.replayedIds = new long[layout.rings()][];
        this.adopted = new List[layout.rings()];
        this.durable = durable;
        this.kept = new long[layout.rings()];
        this.keptDecided = new long[layout.rings()];
        this.nextRing = worker;
    }

    /** The log region. */
    public Memory memory() {
        return memory;
    }

    /** The layout of the region. */
    public LogRingLayout layout() {
        return layout;
    }

    /** Replays some decided entries, of each ring in its turn. */
    @Override
    public int poll() {
        int budget = ENTRIES_PER_POLL;
        for (int ring = worker; ring < layout.rings() && budget > 0; ring += layout.workers()) {
            budget -= replay(nextRing, budget);
            nextRing = nextRing + layout.workers() < layout.rings() ? nextRing + layout.workers() : worker;
        }
        return ENTRIES_PER_POLL - budget;
    }

    private int replay(int ring, int budget) {
        long head = heads[ring];
        long decided = readDecided(ring);
        if (durable != null && !broken[ring]) {
            decided = keep(ring, decided);
        }
        if (head >= decided || broken[ring]) {
            return adopted[ring] == null || broken[ring] ? 0 : replayAdopted(ring);
        }
        verify(ring, decided, budget);
        int count = 0;
        while (head < verified[ring] && count < budget) {
            long offset = layout.entryOffset(ring, head);
            long kindAndLength = memory.getLong(offset + LogEntry.KIND_OFFSET);
            try {
                if (LogEntry.kind(kindAndLength) == LogEntry.TRANSACTION && !apply(ring, offset)) {
                    break; // it follows an entry of another ring that has not been replayed yet
                }
                if (isMarkOnly(ring, offset, kindAndLength)) {
                    LogEntry.spoil(memory, offset); // before later entries of the coroutine are replayed
                }
            } catch (RuntimeException e) {
                markBroken(ring, head, e);
                break;
            }
            head += LogEntry.length(kindAndLength);
            count++;
        }
        if (count > 0) {
            heads[ring] = head;
            memory.putRelease(layout.headOffset(ring), head);
        }
        if (!broken[ring] && head == verified[ring] && count < budget && head < decided) {
            markBroken(ring, head, null);
        }
        return count;
    }

    /**
     * The position up to which a ring is decided. The word may go back: batches of two coroutines of the writer may overtake each other, so that
     * the older batch's WRITE lands last. A decided entry stays decided.
     */
    private long readDecided(int ring) {
        decided[ring] = Math.max(decided[ring], memory.getAcquire(layout.decidedOffset(ring)));
        return decided[ring];
    }

    /**
     * Whether an entry that has not been replayed or passed yet was marked as aborted without having arrived: then the mark is in front of the entry
     * of an earlier lap, which was replayed. An entry that has arrived is of an attempt after all that were replayed of its coroutine.
     */
    private boolean isMarkOnly(int ring, long offset, long kindAndLength) {
        if (LogEntry.kind(kindAndLength) != LogEntry.ABORTED
                || !LogEntry.isIntact(memory, offset, LogEntry.length(kindAndLength))) {
            return false;
        }
        long id = LogEntry.id(memory, offset);
        return LogReport.wasReplayed(id, replayedId(ring, Timestamp.coroutine(id)));
    }

    private boolean apply(int ring, long offset) {
        if (!replicas.apply(memory, offset)) {
            return false;
        }
        long id = LogEntry.id(memory, offset);
        if (replayedIds[ring] == null) {
            replayedIds[ring] = new long[Timestamp.MAX_COROUTINE + 1];
        }
        int coroutine = Timestamp.coroutine(id);
        replayedIds[ring][coroutine] = Timestamp.max(replayedIds[ring][coroutine], id);
        return true;
    }

    // ---- making entries durable ------------------------------------------------------------------------------------

    /**
     * Gives the durable log the entries that have arrived in a ring since the last call.
     *
     * @return the position up to which the ring may be replayed. Replay makes room for other entries, and a decided entry that the durable log has
     *     not taken yet must not be overwritten
     */
    private long keep(int ring, long decided) {
        long limit = adopted[ring] == null ? Long.MAX_VALUE : decided; // a lost writer decides nothing any more
        long position = kept[ring];
        boolean hasTold = false;
        for (int i = 0; i < ENTRIES_PER_POLL && position < limit; i++) {
            long offset = layout.entryOffset(ring, position);
            if (!isWhole(offset, position)) {
                if (position < decided) {
                    markBroken(ring, position, null);
                }
                break;
            }
            long kindAndLength = memory.getLong(offset + LogEntry.KIND_OFFSET);
            int length = LogEntry.length(kindAndLength);
            if (LogEntry.kind(kindAndLength) == LogEntry.TRANSACTION) {
                if (durable.entry(ring, position, memory, offset, length) == DurableLog.NO_ROOM) {
                    break;
                }
                hasTold = true;
            }
            position += length;
        }
        kept[ring] = position;
        long settled = Math.min(position, decided);
        // The decided position goes along with entries that have to be written anyway: a recovery without it
        // asks the other backups.
        if (hasTold && settled > keptDecided[ring] && durable.decided(ring, settled) != DurableLog.NO_ROOM) {
            keptDecided[ring] = settled;
        }
        return settled;
    }

    /**
     * The position up to which a ring is durable; {@link LogRingLayout#FAILED} if nothing more becomes durable. Gives the durable log the entries
     * that have arrived. Called on the worker that looks after the ring.
     */
    public long durable(int ring) {
        if (durable.isFailed()) {
            return LogRingLayout.FAILED;
        }
        if (!broken[ring]) {
            keep(ring, readDecided(ring));
        }
        return memory.getAcquire(layout.durableOffset(ring));
    }

    /**
     * Makes durable that the entry at {@code position} is marked as aborted, as it is in the ring. To be called again until it returns true. Called
     * on the worker that looks after the ring.
     *
     * @return whether the mark is durable, or need not be because the durable log does not have the entry
     */
    public boolean isAbortDurable(int ring, long position) {
        if (position >= kept[ring]) {
            return true;
        }
        long key = position * layout.rings() + ring;
        long batch = abortBatches.getOrDefault(key, DurableLog.NO_ROOM);
        if (batch == DurableLog.NO_ROOM) {
            batch = durable.aborted(ring, position);
            if (batch != DurableLog.NO_ROOM) {
                abortBatches.put(key, batch);
            }
        }
        boolean isDurable = batch != DurableLog.NO_ROOM && durable.isDurable(batch);
        if (isDurable) {
            abortBatches.remove(key);
        }
        return isDurable;
    }

    /**
     * The largest replayed ids of this worker's rings, as {@link #replayedId} returns them, once every entry before {@code ends} has been replayed.
     * Called on the worker.
     *
     * @return null if some entry before {@code ends} has not been replayed yet
     */
    public Map<Integer, long[]> replayedBefore(long[] ends) {
        Map<Integer, long[]> ids = new HashMap<>();
        for (int ring = worker; ring < layout.rings(); ring += layout.workers()) {
            boolean closed = adopted[ring] != null && adopted[ring].isEmpty();
            if (heads[ring] < ends[ring] && !closed) {
                return null;
            }
            if (replayedIds[ring] != null) {
                ids.put(ring, replayedIds[ring].clone());
            }
        }
        return ids;
    }

    // ---- when the writer of a ring is lost -------------------------------------------------------------------------

    /**
     * Finds every recognisable entry that a lost node has logged here. Searches the node's ring that this worker looks after for whole entries,
     * decided or not, wherever holes are between them. Called on the worker.
     *
     * <p>An entry before the ring's head was replayed, and may have been overwritten by an entry that has no stamp yet. Behind the old stamp, the
     * new entry looks like the replayed one, so the survey leaves it out. {@link #replayedId} accounts for replayed entries. Nor does the survey take
     * a replayed entry for aborted in front of which there is the mark of one that has not arrived.
     */
    public List<LoggedTransaction> survey(int node) {
        List<LoggedTransaction> found = new ArrayList<>();
        survey(layout.ring(node, worker), found);
        return found;
    }

    private void survey(int ring, List<LoggedTransaction> found) {
        long decided = readDecided(ring);
        for (int at = 0; at < layout.ringBytes(); at += LogEntry.ALIGNMENT) {
            long offset = layout.entryOffset(ring, at);
            long position = LogEntry.position(memory.getAcquire(offset + LogEntry.STAMP_OFFSET));
            boolean here = position >= 0
                    && (position & (layout.ringBytes() - 1)) == at
                    && Math.abs(position - decided) <= layout.ringBytes();
            if (here && isWhole(offset, position)) {
                long kindAndLength = memory.getLong(offset + LogEntry.KIND_OFFSET);
                int kind = LogEntry.kind(kindAndLength);
                int length = LogEntry.length(kindAndLength);
                boolean isOver =
                        position < heads[ring] ? kind == LogEntry.TRANSACTION : isMarkOnly(ring, offset, kindAndLength);
                if (kind != LogEntry.PADDING && !isOver && LogEntry.isIntact(memory, offset, length)) {
                    found.add(new LoggedTransaction(
                            LogEntry.id(memory, offset),
                            kind == LogEntry.ABORTED,
                            position >= decided,
                            ring,
                            position,
                            replicas.partitions(memory, offset)));
                }
            }
        }
    }

    /** The largest replayed id of a coroutine of the ring's writer, or {@link Timestamp#NONE}. Called on the worker that looks after the ring. */
    public long replayedId(int ring, int coroutine) {
        return replayedIds[ring] == null ? Timestamp.NONE : replayedIds[ring][coroutine];
    }

    /**
     * The writer of a ring is lost, and of its undecided entries exactly those at {@code positions} have committed. They are replayed in their
     * turn, once, however often they are adopted. The durable log is not notified: the node that takes a lost node out makes the result durable
     * before any transaction goes on. Called on the worker.
     */
    public void adopt(int ring, List<Long> positions) {
        Set<Long> replayed = replayedAdopted.computeIfAbsent(ring, none -> new HashSet<>());
        adopted[ring] = new ArrayList<>(positions);
        adopted[ring].removeAll(replayed);
    }

    /**
     * The writer of a ring is lost, and the entry at {@code position}, which {@link #survey} has found undecided, has not committed: no node finds
     * later that it has. The durable log is not notified, as in {@link #adopt}. Called on the worker.
     */
    public void markAborted(int ring, long position) {
        long kindAndLength = layout.entryOffset(ring, position) + LogEntry.KIND_OFFSET;
        int length = LogEntry.length(memory.getLong(kindAndLength));
        memory.putLong(kindAndLength, LogEntry.kindAndLength(LogEntry.ABORTED, length));
    }

    /**
     * Installs the writes that lost coordinators have committed and this node has logged as a primary. Called while no transaction runs.
     *
     * @param committed the committed transactions that {@link #survey} has found, on any worker of the node
     */
    public void complete(List<LoggedTransaction> committed) {
        committed.stream()
                .map(txn -> layout.entryOffset(txn.log(), txn.position()))
                .sorted((a, b) -> Long.compareUnsigned(LogEntry.commitTs(memory, a), LogEntry.commitTs(memory, b)))
                .forEach(entry -> replicas.complete(memory, entry));
    }

    private int replayAdopted(int ring) {
        int before = adopted[ring].size();
        try {
            adopted[ring].removeIf(position -> apply(ring, layout.entryOffset(ring, position))
                    && replayedAdopted.get(ring).add(position));
        } catch (RuntimeException e) {
            markBroken(ring, heads[ring], e);
        }
        return before - adopted[ring].size();
    }

    /**
     * The writer of a ring begins another incarnation: the entries of the previous one were replayed, and are forgotten. Called on the worker that
     * looks after the ring, while the writer logs nothing, and no entry of the ring is on its way to the disk.
     */
    public void restart(int ring) {
        heads[ring] = 0;
        decided[ring] = 0;
        verified[ring] = 0;
        broken[ring] = false;
        adopted[ring] = null;
        replayedAdopted.remove(ring);
        kept[ring] = 0;
        keptDecided[ring] = 0;
        abortBatches.keySet().removeIf(key -> key % layout.rings() == ring);
        if (replayedIds[ring] != null) {
            Arrays.fill(replayedIds[ring], Timestamp.NONE);
        }
        memory.putLong(layout.decidedOffset(ring), 0);
        memory.putLong(layout.headOffset(ring), 0);
        memory.putLong(layout.durableOffset(ring), 0);
        // An old entry must not pass for an entry of the new incarnation at the same position.
        long entries = layout.entryOffset(ring, 0);
        for (long offset = 0; offset < layout.ringBytes(); offset += Memory.WORD_BYTES) {
            memory.putLong(entries + offset, 0);
        }
    }

    /** Whether every entry that is known here to have committed has been replayed. Called on the worker. */
    public boolean isDrained() {
        for (int ring = worker; ring < layout.rings(); ring += layout.workers()) {
            if (heads[ring] < readDecided(ring) || (adopted[ring] != null && !adopted[ring].isEmpty())) {
                return false;
            }
        }
        return true;
    }

    /** For each ring of this worker that is not drained: its reader's position, the transaction there, and what that transaction waits for. */
    public List<String> waiting() {
        List<String> waiting = new ArrayList<>();
        for (int ring = worker; ring < layout.rings(); ring += layout.workers()) {
            long end = readDecided(ring);
            if (heads[ring] < end) {
                waiting.add("ring " + ring + ": decided up to " + end + (broken[ring] ? ", damaged" : "")
                        + ", reader at " + waiting(ring, heads[ring]));
            }
            if (adopted[ring] != null && !adopted[ring].isEmpty()) {
                waiting.add(
                        "ring " + ring + " (writer lost): next entry at " + waiting(ring, adopted[ring].getFirst()));
            }
        }
        return waiting;
    }

    private String waiting(int ring, long position) {
        long offset = layout.entryOffset(ring, position);
        boolean isTransaction = isWhole(offset, position)
                && LogEntry.kind(memory.getLong(offset + LogEntry.KIND_OFFSET)) == LogEntry.TRANSACTION;
        return "position " + position + ": "
                + (isTransaction
                        ? "transaction " + Timestamp.toString(LogEntry.id(memory, offset)) + " "
                                + replicas.missing(memory, offset)
                        : "no complete transaction entry");
    }

    /** Whether a ring of this worker is damaged: its entries are lost. */
    public boolean isBroken() {
        for (boolean each : broken) {
            if (each) {
                return true;
            }
        }
        return false;
    }

    /** Checks the next decided entries, each once, and prefetches the tuples that they change. Stops at an entry that is not whole. */
    private void verify(int ring, long decided, int budget) {
        for (int i = 0; i < budget && verified[ring] < decided; i++) {
            long offset = layout.entryOffset(ring, verified[ring]);
            if (!isWhole(offset, verified[ring])) {
                break;
            }
            long kindAndLength = memory.getLong(offset + LogEntry.KIND_OFFSET);
            if (LogEntry.kind(kindAndLength) == LogEntry.TRANSACTION) {
                addToPrefetch(offset);
            }
            verified[ring] += LogEntry.length(kindAndLength);
        }
        prefetch.fetch();
    }

    private void addToPrefetch(long offset) {
        try {
            replicas.prefetch(memory, offset, prefetch);
        } catch (RuntimeException e) {
            // Replaying it will fail in the same way, and log that.
        }
    }

    private boolean isWhole(long offset, long position) {
        if (memory.getAcquire(offset + LogEntry.STAMP_OFFSET) != LogEntry.stamp(position)) {
            return false;
        }
        long kindAndLength = memory.getLong(offset + LogEntry.KIND_OFFSET);
        int length = LogEntry.length(kindAndLength);
        long untilEnd = layout.ringBytes() - (position & (layout.ringBytes() - 1));
        if (!LogEntry.isKindAndLength(kindAndLength) || length < LogEntry.ALIGNMENT || length > untilEnd) {
            return false;
        }
        return switch (LogEntry.kind(kindAndLength)) {
            case LogEntry.PADDING, LogEntry.ABORTED -> true;
            case LogEntry.TRANSACTION -> LogEntry.isIntact(memory, offset, length);
            default -> false;
        };
    }

    /** Stops at damage instead of guessing past it: the writer will find the ring full and abort for that. */
    private void markBroken(int ring, long position, RuntimeException cause) {
        broken[ring] = true;
        LOG.error(
                "event=log_ring_damaged ring={} position={}: this backup stops replaying the ring",
                ring,
                position,
                cause);
    }
}
