package dev.rcc.protocols.rings;

import dev.rcc.core.log.LogEntry;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.replication.LoggedEntries;
import dev.rcc.core.replication.NodeReplication;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;

/**
 * The entries that a node logs, found in the write ends of its workers and in the memory of its backups. A coroutine reserves room in all
 * rings of an entry within one event.
 */
final class RingEntries implements LoggedEntries {
    private static final int KEPT = 256;

    private final RingNode node;
    private final IntFunction<NodeReplication> nodes;
    private final LogRingLayout layout;
    /** By worker and backup: the end of the reserved bytes. */
    private final long[][] tails;
    /** The last entries. */
    private final List<RingEntry> entries = new ArrayList<>();

    private int count;

    RingEntries(RingNode node, IntFunction<NodeReplication> nodes) {
        this.node = node;
        this.nodes = nodes;
        this.layout = node.layout();
        this.tails = new long[layout.workers()][layout.rings() / layout.workers()];
    }

    /** The places of one entry: on each of some backups, a position of a ring. */
    private final class RingEntry implements Entry {
        private final int number;
        private final int worker;
        private final int[] backups;
        private final long[] positions;
        /** The ids in the places of the entry before it was written. */
        private final long[] idsBefore;

        private RingEntry(int number, int worker, int[] backups, long[] positions) {
            this.number = number;
            this.worker = worker;
            this.backups = backups;
            this.positions = positions;
            this.idsBefore = new long[backups.length];
            for (int i = 0; i < backups.length; i++) {
                idsBefore[i] = id(i);
            }
        }

        @Override
        public int number() {
            return number;
        }

        @Override
        public int copies() {
            return backups.length;
        }

        @Override
        public int backup(int i) {
            return backups[i];
        }

        @Override
        public int arrived() {
            int arrived = 0;
            for (int i = 0; i < backups.length; i++) {
                arrived += isIn(i) ? 1 : 0;
            }
            return arrived;
        }

        @Override
        public boolean isIn(int i) {
            long kind = memory(i).getLong(offset(i) + LogEntry.KIND_OFFSET);
            return isStamped(i)
                    && (LogEntry.kind(kind) == LogEntry.ABORTED
                            || LogEntry.isIntact(memory(i), offset(i), LogEntry.length(kind)));
        }

        /** A torn copy lies behind the stamp of an entry that was there before. */
        @Override
        public boolean isTorn(int i) {
            long stamp = memory(i).getLong(offset(i) + LogEntry.STAMP_OFFSET);
            int length = LogEntry.length(memory(i).getLong(offset(i) + LogEntry.KIND_OFFSET));
            return stamp > 0
                    && stamp < LogEntry.stamp(positions[i])
                    && id(i) != idsBefore[i]
                    && length <= untilEnd(i)
                    && LogEntry.isIntact(memory(i), offset(i), length);
        }

        @Override
        public boolean isTornInOne() {
            int torn = 0;
            for (int i = 0; i < backups.length; i++) {
                torn += isTorn(i) ? 1 : 0;
            }
            return torn == 1 && arrived() == backups.length - 1;
        }

        @Override
        public boolean isAborted(int i) {
            return isStamped(i)
                    && LogEntry.kind(memory(i).getLong(offset(i) + LogEntry.KIND_OFFSET)) == LogEntry.ABORTED;
        }

        @Override
        public boolean isUndecided(int i) {
            return memory(i).getLong(layout.decidedOffset(ring())) <= positions[i];
        }

        @Override
        public boolean isDecided() {
            for (int i = 0; i < backups.length; i++) {
                if (tail(i).decided() <= positions[i]) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public boolean isLapped(int i) {
            return tail(i).tail() > positions[i] + layout.ringBytes();
        }

        @Override
        public boolean isOverwritten(int i) {
            return isLapped(i) && !isStamped(i);
        }

        private boolean isStamped(int i) {
            return memory(i).getLong(offset(i) + LogEntry.STAMP_OFFSET) == LogEntry.stamp(positions[i]);
        }

        /** Whether some ring has the entry, with this commit timestamp. */
        private boolean hasCommitTs(long commitTs) {
            for (int i = 0; i < backups.length; i++) {
                if (isStamped(i) && LogEntry.commitTs(memory(i), offset(i)) == commitTs) {
                    return true;
                }
            }
            return false;
        }

        private long id(int i) {
            return untilEnd(i) < LogEntry.BYTES_MIN ? 0 : LogEntry.id(memory(i), offset(i));
        }

        private long untilEnd(int i) {
            return layout.ringBytes() - (positions[i] & (layout.ringBytes() - 1));
        }

        private int ring() {
            return layout.ring(node.node(), worker);
        }

        private LogTail tail(int i) {
            return node.worker(worker).tails().tail(backups[i]);
        }

        private Memory memory(int i) {
            return ((RingNode) nodes.apply(backups[i])).memory();
        }

        private long offset(int i) {
            return layout.entryOffset(ring(), positions[i]);
        }
    }

    /** Finds the entries for which the last event has reserved room. */
    @Override
    public void look() {
        for (int worker = 0; worker < tails.length; worker++) {
            int grown = 0;
            for (int backup = 0; backup < tails[worker].length; backup++) {
                long tail = node.worker(worker).tails().tail(backup).tail();
                if (tail < tails[worker][backup]) {
                    tails[worker][backup] = tail; // the backup has begun another incarnation
                }
                grown += tail == tails[worker][backup] ? 0 : 1;
            }
            if (grown > 0) {
                add(worker, grown);
            }
        }
    }

    /** Skips all entries for which room was reserved so far. */
    @Override
    public void skip() {
        for (int worker = 0; worker < tails.length; worker++) {
            for (int backup = 0; backup < tails[worker].length; backup++) {
                tails[worker][backup] = node.worker(worker).tails().tail(backup).tail();
            }
        }
    }

    private void add(int worker, int rings) {
        int[] backups = new int[rings];
        long[] positions = new long[rings];
        int found = 0;
        for (int backup = 0; backup < tails[worker].length; backup++) {
            LogTail tail = node.worker(worker).tails().tail(backup);
            if (tail.tail() != tails[worker][backup]) {
                tails[worker][backup] = tail.tail();
                backups[found] = backup;
                positions[found++] = lastPosition(tail);
            }
        }
        entries.add(new RingEntry(++count, worker, backups, positions));
        if (entries.size() > KEPT) {
            entries.removeFirst();
        }
    }

    private static long lastPosition(LogTail tail) {
        long position = tail.tail();
        for (long ticket = tail.nextUndecided(0);
                ticket != LogTail.NO_TICKET;
                ticket = tail.nextUndecided(ticket + 1)) {
            position = tail.startOf(ticket);
        }
        return position;
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public List<Entry> last() {
        return Collections.unmodifiableList(entries);
    }

    @Override
    public boolean isAnyOf(long commitTs, int first) {
        return entries.stream().anyMatch(entry -> entry.number() >= first && entry.hasCommitTs(commitTs));
    }

    @Override
    public Entry entry(int number) {
        int at = number - 1 - (count - entries.size());
        return at < 0 || at >= entries.size() ? null : entries.get(at);
    }
}
