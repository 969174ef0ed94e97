package dev.rcc.server.raft;

import dev.rcc.core.log.LogEntry;
import dev.rcc.core.log.ReplicaWriter;
import dev.rcc.core.log.ReplicaWriter.Version;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.replication.LogReport;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.time.Timestamp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state that a copy of a partition derives from its group's log. All copies take the same commands in the same order. So all give the
 * same answers, and have the same logged and the same decided transactions. A backup replays decided transactions into its copy, each entry
 * when it is its turn ({@link ReplicaWriter}); the coordinators write the primary's copy.
 *
 * <p>A transaction that writes several partitions is not replayed before its coordinator reports that it is decided, as some group may
 * never have it. So a transaction may be in a log behind another one that depends on it.
 *
 * <p>For any thread.
 */
final class PartitionState {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionState.class);

    private final int partition;
    private final int logs;
    private final int workers;
    private final ReplicaWriter writer;
    private final boolean isBackup;
    private final Memory scratch;
    private final IntConsumer whenReplayed;
    private final LongConsumer whenLogged;

    /** Transactions that are logged, and not replayed yet; by id, in the order of the log. */
    private final Map<Long, Logged> pending = new LinkedHashMap<>();

    /**
     * Pending transactions that are decided, and wait: by the first version that one of their changes replaces and that the copy does not
     * have yet.
     */
    private final Map<Version, Long> successors = new HashMap<>();

    /** By log of a coordinator's worker, and by coroutine: the largest id that was replayed. */
    private final Map<Integer, long[]> replayedIds = new HashMap<>();

    /** Transactions of lost coordinators that were decided not to have committed. */
    private final Map<Long, Logged> aborted = new HashMap<>();

    private int waiting;
    private boolean sealed;
    private boolean damaged;
    /** The index of the last entry of the group's log that was taken. */
    private long appliedIndex;
    /** All entries up to this index are replayed, and in {@link #replayedIds}, as they are in the snapshot that is under way. */
    private long snapshotIndex;

    private long durableIndex;

    /**
     * The state of a copy whose group's log is empty.
     *
     * @param logs the number of coordinating workers on all nodes, each of which has a number
     * @param workers the number of workers of each node
     * @param writer replays into this copy
     * @param isBackup whether the copy is a backup
     * @param scratch has room for an entry; used by this object alone
     * @param whenReplayed called with the number of a coordinator's log when an entry of it was replayed into a backup
     * @param whenLogged called with the number of bytes that were logged
     */
    PartitionState(
            int partition,
            int logs,
            int workers,
            ReplicaWriter writer,
            boolean isBackup,
            Memory scratch,
            IntConsumer whenReplayed,
            LongConsumer whenLogged) {
        this.partition = partition;
        this.logs = logs;
        this.workers = workers;
        this.writer = writer;
        this.isBackup = isBackup;
        this.scratch = scratch;
        this.whenReplayed = whenReplayed;
        this.whenLogged = whenLogged;
    }

    /** A transaction that is logged. */
    private static final class Logged {
        private final int log;
        private final byte[] entry;
        /** The index of the entry in the group's log. */
        private final long index;

        private boolean decided;

        Logged(int log, byte[] entry, long index) {
            this.log = log;
            this.entry = entry;
            this.index = index;
        }
    }

    /**
     * Takes the commands of one entry of the group's log; returns the {@link Status} of each.
     *
     * @param index the index of the entry; larger than those of all entries before
     */
    synchronized byte[] apply(long index, byte[] commands) {
        appliedIndex = index;
        whenLogged.accept(commands.length);
        byte[] statuses = new byte[commands.length / Command.HEADER_BYTES];
        int count = 0;
        for (int at = 0; at < commands.length; at = Command.next(commands, at)) {
            statuses[count++] = (byte) apply(commands, at);
        }
        return Arrays.copyOf(statuses, count);
    }

    private int apply(byte[] commands, int at) {
        int kind = Command.kind(commands, at);
        if (kind == Command.SEAL) {
            sealed = true;
            return Status.LOGGED;
        }
        if (sealed) {
            return Status.SEALED;
        }
        if (kind == Command.DECIDED) {
            Logged logged = pending.get(Command.word(commands, at));
            if (logged != null && !logged.decided) {
                decide(Command.word(commands, at), logged);
            }
        } else {
            int bytes = Command.entryBytes(commands, at);
            scratch.putBytes(0, commands, at + Command.HEADER_BYTES, bytes);
            log(commands, at, bytes, kind == Command.LOG_ALONE);
        }
        return Status.LOGGED;
    }

    /** Logs the entry in the scratch memory. A coordinator that has received no answer proposes an entry again, so it may be in the log twice. */
    private void log(byte[] commands, int at, int bytes, boolean alone) {
        int log = (int) Command.word(commands, at);
        long id = LogEntry.id(scratch, 0);
        if (pending.containsKey(id) || wasReplayed(log, id)) {
            return;
        }
        int first = at + Command.HEADER_BYTES;
        byte[] entry = Arrays.copyOfRange(commands, first, first + bytes);
        Logged logged = new Logged(log, entry, appliedIndex);
        pending.put(id, logged);
        if (alone) {
            decide(id, logged);
        }
    }

    private boolean wasReplayed(int log, long id) {
        long[] ids = replayedIds.get(log);
        return ids != null && LogReport.wasReplayed(id, ids[Timestamp.coroutine(id)]);
    }

    /** Replays a decided transaction if it is its turn, and then the transactions that waited for a version that the copy has now. */
    private void decide(long id, Logged logged) {
        logged.decided = true;
        waiting++;
        Deque<Long> next = new ArrayDeque<>(List.of(id));
        while (!next.isEmpty()) {
            replay(next.remove(), next);
        }
    }

    /**
     * Replays a transaction that is decided.
     *
     * @param next receives the transactions whose turn may have come by that
     */
    private void replay(long id, Deque<Long> next) {
        if (damaged) {
            return;
        }
        Logged logged = pending.get(id);
        if (isBackup) {
            scratch.putBytes(0, logged.entry, 0, logged.entry.length);
            try {
                if (!writer.apply(scratch, 0)) {
                    successors.put(writer.awaited(scratch, 0), id);
                    return;
                }
                writer.forEachVersion(scratch, 0, version -> {
                    Long successor = successors.remove(version);
                    if (successor != null) {
                        next.add(successor);
                    }
                });
            } catch (RuntimeException e) {
                damaged = true;
                LOG.error(
                        "event=raft_entry_invalid partition={} transaction={}: this copy replays no further",
                        partition,
                        Timestamp.toString(id),
                        e);
                return;
            }
            whenReplayed.accept(logged.log);
        }
        waiting--;
        pending.remove(id);
        long[] ids = replayedIds.computeIfAbsent(logged.log, none -> new long[Timestamp.MAX_COROUTINE + 1]);
        int coroutine = Timestamp.coroutine(id);
        ids[coroutine] = Timestamp.max(ids[coroutine], id);
    }

    // ---- snapshots -------------------------------------------------------------------------------------------------

    /**
     * A snapshot of the copy begins, which will have everything that is replayed now, and perhaps more.
     *
     * @return by log, as in {@link #report}, and by coroutine: the largest id that was replayed
     */
    synchronized Map<Integer, long[]> beginSnapshot() {
        snapshotIndex = pending.isEmpty()
                ? appliedIndex
                : pending.values().iterator().next().index - 1; // what is logged later may have been replayed before
        Map<Integer, long[]> ids = new HashMap<>();
        replayedIds.forEach((log, each) -> ids.put(partition * logs + log, each.clone()));
        return ids;
    }

    /** The snapshot that was begun last is durable. */
    synchronized void snapshotMade() {
        durableIndex = snapshotIndex;
    }

    /** The index up to which the group's log is in a durable snapshot; 0 if there is none. */
    synchronized long durableIndex() {
        return durableIndex;
    }

    /** Whether nothing is logged any more. */
    synchronized boolean isSealed() {
        return sealed;
    }

    /** Whether all committed transactions, as far as they are known here, were replayed. */
    synchronized boolean isDrained() {
        return waiting == 0;
    }

    /** Whether the copy can be written no further. */
    synchronized boolean isDamaged() {
        return damaged;
    }

    /** A sentence for each transaction that waits to be replayed. */
    synchronized List<String> waiting() {
        List<String> sentences = new ArrayList<>();
        pending.forEach((id, logged) -> {
            scratch.putBytes(0, logged.entry, 0, logged.entry.length);
            sentences.add("in the log of partition " + partition + ", transaction " + Timestamp.toString(id)
                    + (logged.decided ? " " + writer.missing(scratch, 0) : " is not decided"));
        });
        return sentences;
    }

    /**
     * Reports the transactions of lost coordinators in this copy. A log's number in the report identifies the partition and the
     * coordinator's log; see {@link RaftInDoubt}.
     */
    synchronized LogReport report(BitSet lost) {
        List<LoggedTransaction> found = new ArrayList<>();
        pending.forEach((id, logged) -> {
            if (lost.get(logged.log / workers)) {
                found.add(transaction(id, logged, false));
            }
        });
        aborted.forEach((id, logged) -> {
            if (lost.get(logged.log / workers)) {
                found.add(transaction(id, logged, true));
            }
        });
        Map<Integer, long[]> replayed = new HashMap<>();
        replayedIds.forEach((log, ids) -> {
            if (lost.get(log / workers)) {
                replayed.put(partition * logs + log, ids.clone());
            }
        });
        return new LogReport(found, replayed);
    }

    private LoggedTransaction transaction(long id, Logged logged, boolean isAborted) {
        scratch.putBytes(0, logged.entry, 0, logged.entry.length);
        return new LoggedTransaction(
                id, isAborted, !logged.decided, partition * logs + logged.log, 0, writer.partitions(scratch, 0));
    }

    /** Decides the transactions that lost coordinators had not decided. Does nothing the second time. */
    synchronized void decide(BitSet lost, Set<Long> committed) {
        Set<Long> undecided = new HashSet<>();
        pending.forEach((id, logged) -> {
            if (!logged.decided && lost.get(logged.log / workers)) {
                undecided.add(id);
            }
        });
        for (long id : undecided) {
            Logged logged = pending.get(id);
            if (committed.contains(id)) {
                decide(id, logged);
            } else {
                aborted.put(id, pending.remove(id));
            }
        }
    }
}
