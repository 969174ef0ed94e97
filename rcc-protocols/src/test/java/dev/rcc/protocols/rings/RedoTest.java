package dev.rcc.protocols.rings;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.log.LogEntry;
import dev.rcc.core.log.ReplicaWriter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** {@link ReplicaWriter#redo}: copies that were read while they changed become consistent. */
class RedoTest {
    private static final int BACKUP = 1;

    // Goal: redo makes a copy of a backup's tuples the same as the primary, though it was read piece by piece
    // during a replay, each tuple's version first. Redo takes the entries logged since then, in any order
    // that the versions allow.
    @Test
    void shouldMakeACopyThatWasReadDuringReplayEqualToThePrimary() {
        Seeds.forEach(40, random -> {
            LogCluster cluster = new LogCluster(1 << 18);
            for (int step = 0; step < 100; step++) {
                step(cluster, random);
            }
            cluster.level();
            long[][] begin = tails(cluster);
            LogCluster snapshot = new LogCluster(4096);
            forEachCopy(cluster, (table, partition) -> {
                if (cluster.catalog.placement().isBackup(BACKUP, partition)) {
                    readWhileItChanges(
                            cluster,
                            cluster.memstores[BACKUP].partition(table, partition),
                            snapshot.memstores[BACKUP].partition(table, partition),
                            random);
                }
            });
            for (int step = 0; step < 30; step++) {
                step(cluster, random);
            }
            cluster.level();
            redo(cluster, begin, new ReplicaWriter(snapshot.memstores[BACKUP], BACKUP), random);
            forEachCopy(cluster, (table, partition) -> {
                if (cluster.catalog.placement().isBackup(BACKUP, partition)) {
                    assertSame(
                            cluster.memstores[partition].partition(table, partition),
                            snapshot.memstores[BACKUP].partition(table, partition));
                }
            });
        });
    }

    // Goal: an entry whose predecessor is missing is not replayed.
    @Test
    void shouldNotReplayAnEntryWithoutItsPredecessor() {
        AtomicInteger refusals = new AtomicInteger();
        Seeds.forEach(20, random -> {
            LogCluster cluster = new LogCluster(1 << 18);
            for (int step = 0; step < 60; step++) {
                step(cluster, random);
            }
            cluster.level();
            List<Long> entries = entries(cluster, new long[LogCluster.WRITERS][LogCluster.NODES]);
            LogCluster fresh = new LogCluster(4096);
            ReplicaWriter writer = new ReplicaWriter(fresh.memstores[BACKUP], BACKUP);
            Memory log = cluster.logs[BACKUP];
            List<Long> left = new ArrayList<>(entries);
            long missing = left.remove(random.nextInt(left.size()));
            redoAll(log, left, writer);
            refusals.addAndGet(left.size());
            left.add(missing);
            redoAll(log, left, writer);
            assertThat(left).isEmpty();
            forEachCopy(cluster, (table, partition) -> {
                if (cluster.catalog.placement().isBackup(BACKUP, partition)) {
                    assertSame(
                            cluster.memstores[partition].partition(table, partition),
                            fresh.memstores[BACKUP].partition(table, partition));
                }
            });
        });
        assertThat(refusals).hasPositiveValue();
    }

    private static void step(LogCluster cluster, SplittableRandom random) {
        ReplayTest.runOne(cluster, random);
        while (random.nextInt(3) > 0 && !cluster.undecided.isEmpty()) {
            cluster.decide(cluster.undecided.get(random.nextInt(cluster.undecided.size())));
        }
        cluster.announceAll();
        cluster.rings[BACKUP][random.nextInt(LogCluster.WORKERS)].poll();
    }

    /**
     * Copies word by word while the backup replays. Some leaf versions are older than the tuples: a replay changes them after the tuples, and may
     * pause in between.
     */
    private static void readWhileItChanges(
            LogCluster cluster, TablePartition copy, TablePartition target, SplittableRandom random) {
        TableLayout layout = copy.table().layout();
        TupleLayout t = layout.tuple();
        for (long leaf = 0; leaf < layout.buckets(); leaf++) {
            copyWord(copy, target, layout.leafOffsetAt(leaf) + layout.leafVersionOffset());
        }
        for (long slot = 0; slot < layout.slots(); slot++) {
            long tuple = layout.tupleOffset(slot);
            long version = copy.memory().getLong(tuple + t.versionOffset());
            for (int i = 0; i < t.identityBytes(); i += Memory.WORD_BYTES) {
                copyWord(copy, target, tuple + t.identityOffset() + i);
                maybeStep(cluster, random);
            }
            for (int i = 0; i < t.recordBytes(); i += Memory.WORD_BYTES) {
                copyWord(copy, target, tuple + t.recordOffset() + i);
                maybeStep(cluster, random);
            }
            target.memory().putLong(tuple + t.versionOffset(), version);
        }
        for (long leaf = 0; leaf < layout.buckets(); leaf++) {
            if (random.nextBoolean()) {
                copyWord(copy, target, layout.leafOffsetAt(leaf) + layout.leafVersionOffset());
            }
            maybeStep(cluster, random);
        }
    }

    private static void maybeStep(LogCluster cluster, SplittableRandom random) {
        if (random.nextInt(20) == 0) {
            step(cluster, random);
        }
    }

    private static void copyWord(TablePartition copy, TablePartition target, long offset) {
        target.memory().putLong(offset, copy.memory().getLong(offset));
    }

    private static long[][] tails(LogCluster cluster) {
        long[][] tails = new long[LogCluster.WRITERS][LogCluster.NODES];
        for (int writer = 0; writer < LogCluster.WRITERS; writer++) {
            tails[writer][BACKUP] = cluster.tails[writer].tail(BACKUP).tail();
        }
        return tails;
    }

    /** The offsets of the committed entries in the backup's rings, from some positions on, ring after ring. */
    private static List<Long> entries(LogCluster cluster, long[][] from) {
        List<Long> entries = new ArrayList<>();
        Memory log = cluster.logs[BACKUP];
        for (int writer = 0; writer < LogCluster.WRITERS; writer++) {
            LogTail tail = cluster.tails[writer].tail(BACKUP);
            assertThat(tail.tail()).as("nothing was overwritten").isLessThanOrEqualTo(cluster.layout.ringBytes());
            for (long position = from[writer][BACKUP]; position < tail.tail(); ) {
                long offset = cluster.layout.entryOffset(tail.ring(), position);
                long kindAndLength = log.getLong(offset + LogEntry.KIND_OFFSET);
                if (LogEntry.kind(kindAndLength) == LogEntry.TRANSACTION) {
                    entries.add(offset);
                }
                position += LogEntry.length(kindAndLength);
            }
        }
        return entries;
    }

    private static void redo(LogCluster cluster, long[][] from, ReplicaWriter writer, SplittableRandom random) {
        List<Long> left = entries(cluster, from);
        for (int i = left.size(); i > 1; i--) {
            left.set(i - 1, left.set(random.nextInt(i), left.get(i - 1)));
        }
        redoAll(cluster.logs[BACKUP], left, writer);
        assertThat(left).isEmpty();
    }

    private static void redoAll(Memory log, List<Long> left, ReplicaWriter writer) {
        boolean any = true;
        while (any) {
            any = left.removeIf(entry -> writer.redo(log, entry));
        }
    }

    @FunctionalInterface
    private interface CopyVisitor {
        void visit(int table, int partition);
    }

    private static void forEachCopy(LogCluster cluster, CopyVisitor visitor) {
        for (int table = 0; table < cluster.catalog.tables(); table++) {
            for (int partition = 0; partition < LogCluster.NODES; partition++) {
                visitor.visit(table, partition);
            }
        }
    }

    private static void assertSame(TablePartition primary, TablePartition copy) {
        TableLayout layout = primary.table().layout();
        TupleLayout t = layout.tuple();
        for (long slot = 0; slot < layout.slots(); slot++) {
            long tuple = layout.tupleOffset(slot);
            long header = primary.memory().getLong(tuple + t.identityOffset());
            assertThat(copy.memory().getLong(tuple + t.identityOffset())).isEqualTo(header);
            assertThat(copy.memory().getLong(tuple + t.versionOffset()))
                    .isEqualTo(primary.memory().getLong(tuple + t.versionOffset()));
            if (TupleLayout.isLive(header)) {
                long offset = tuple + t.identityOffset();
                assertThat(copy.memory().equalWords(offset, primary.memory(), offset, t.identityBytes()))
                        .isTrue();
                long record = tuple + t.recordOffset();
                assertThat(copy.memory().equalWords(record, primary.memory(), record, t.recordBytes()))
                        .isTrue();
            }
        }
        for (long leaf = 0; leaf < layout.buckets(); leaf++) {
            long version = layout.leafOffsetAt(leaf) + layout.leafVersionOffset();
            assertThat(copy.memory().getLong(version))
                    .isEqualTo(primary.memory().getLong(version));
        }
    }
}
