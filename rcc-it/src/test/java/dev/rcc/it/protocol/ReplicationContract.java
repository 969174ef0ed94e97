package dev.rcc.it.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.log.LogEntry;
import dev.rcc.core.log.ReplicaWriter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.core.testing.Seeds;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.core.txn.Transaction;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.rings.LogRingLayout;
import dev.rcc.protocols.rings.LogRings;
import dev.rcc.protocols.rings.RingWorker;
import dev.rcc.server.config.ClusterConfig;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Committed writes are on all replicas: in their logs before the commit returns, and in their copies soon after. */
abstract class ReplicationContract extends ProtocolContract {
    private static final TableSchema NUMBERS = TableSchema.ofLongKeys(0, "numbers", 16, 1);
    private static final TableSchema WORDS = TableSchema.ofByteKeys(1, "words", 20, 100, 1);
    private static final int SMALLEST_RING = LogRingLayout.MIN_RING_BYTES;
    private static final int KEYS = 24;

    // Goal: backups end up equal to their primaries, slot by slot and version by version. Method: inserts, updates and
    // deletes of few keys by all workers, so that the entries of many rings follow one another on keys, leaves and
    // slots.
    @ForEveryCode
    void shouldMakeBackupsEqualToPrimaries(HybridCode code) {
        for (int replicas = 1; replicas <= 3; replicas++) {
            try (TestCluster cluster = start(config(code, NUMBERS, WORDS).withShape(3, 2, 3, replicas), 1, 3, 5)) {
                churn(cluster, rounds(40));
                cluster.assertAtRest();
            }
        }
    }

    // As above, with rings that hold some ten entries, so that they wrap, are padded and are full all the time.
    @ForEveryCode
    void shouldKeepGoingWhenLogRingsAreSmall(HybridCode code) {
        ClusterConfig config =
                config(code, NUMBERS, WORDS).withShape(3, 1, 4, 3).withMemory(SMALLEST_RING, 32 * 1024, 1024);
        try (TestCluster cluster = start(config, 1, 3, 5)) {
            churn(cluster, rounds(60));
            cluster.assertAtRest();
            assertThat(cluster.metrics().aborts(AbortReason.LOG_FULL)).isZero();
        }
    }

    // Goal: however far a backup's rings lag behind one another, its copies end up equal to the primaries.
    // Method: let keys come and go in tables so full that keys of different leaves use the same slots; then
    // take the entries from each backup's rings, which are too large to wrap, and replay them into empty
    // copies in many orders: of some ring as far as it goes, then of another.
    @ForEveryCode
    void shouldReplayToTheSameCopiesHoweverTheRingsLag(HybridCode code) {
        ObservedProtocol observed = new ObservedProtocol(protocol());
        ClusterConfig config = ClusterConfig.of(observed, List.of(NUMBERS, WORDS))
                .withCode(code)
                .withShape(3, 2, 2, 3)
                .withMemory(128 * 1024, 32 * 1024, 1024);
        try (TestCluster cluster = start(config)) {
            Table table = cluster.table(0);
            long stable = 3 * table.layout().slots() * 3 / 4;
            cluster.commitAll(
                    0,
                    LongStream.range(0, stable)
                            .mapToObj(key -> insert(table, key, key))
                            .toList());
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < rounds(40); i++) {
                    long key = stable + self.worker().random(36);
                    runner.run(
                            self.worker().random(2) == 0 ? insert(table, key, i) : delete(table, key)); // may be full
                }
            });
            cluster.assertAtRest();
            for (int backup = 0; backup < 3; backup++) {
                int node = backup;
                Seeds.forEach(rounds(10), random -> replayInRandomOrder(observed, node, random));
            }
        }
    }

    private static void replayInRandomOrder(ObservedProtocol observed, int backup, SplittableRandom random) {
        WorkerContext context = observed.context(backup, 0);
        LogRingLayout layout = rings(context).layout();
        Memory log = rings(context).memory();
        Memstore copies = new Memstore(context.catalog(), new FakeFabric(backup));
        ReplicaWriter writer = new ReplicaWriter(copies, backup);
        long[] heads = new long[layout.rings()];
        boolean[] waits = new boolean[layout.rings()];
        while (IntStream.range(0, heads.length).anyMatch(ring -> !waits[ring])) {
            int ring = random.nextInt(heads.length);
            long replayed = replay(writer, log, layout, ring, heads[ring]);
            if (replayed > heads[ring]) {
                Arrays.fill(waits, false);
            }
            heads[ring] = replayed;
            waits[ring] = true;
        }
        for (int ring = 0; ring < heads.length; ring++) {
            assertThat(heads[ring])
                    .as("ring %s of node %s is replayed up to its head", ring, backup)
                    .isEqualTo(log.getLong(layout.headOffset(ring)));
        }
        for (int table = 0; table < context.catalog().tables(); table++) {
            for (int node = 0; node < 3; node++) {
                if (node != backup) {
                    Memory replayed = copies.partition(table, node).memory();
                    Memory primary = observed.context(node, 0)
                            .memstore()
                            .partition(table, node)
                            .memory();
                    assertEqual(context.catalog().table(table).layout(), replayed, primary);
                }
            }
        }
    }

    private static LogRings rings(WorkerContext context) {
        return ((RingWorker) context.replication()).rings();
    }

    /** Replays a ring's entries until one has to wait, and returns the new head. */
    private static long replay(ReplicaWriter writer, Memory log, LogRingLayout layout, int ring, long from) {
        long head = from;
        while (head < log.getLong(layout.headOffset(ring))) {
            long entry = layout.entryOffset(ring, head);
            long kindAndLength = log.getLong(entry + LogEntry.KIND_OFFSET);
            if (LogEntry.kind(kindAndLength) == LogEntry.TRANSACTION && !writer.apply(log, entry)) {
                break;
            }
            head += LogEntry.length(kindAndLength);
        }
        return head;
    }

    private static void assertEqual(TableLayout layout, Memory one, Memory other) {
        TupleLayout t = layout.tuple();
        for (long slot = 0; slot < layout.slots(); slot++) {
            long entry = layout.entryOffset(slot);
            assertThat(one.getLong(entry)).as("entry of slot %s", slot).isEqualTo(other.getLong(entry));
            long identity = layout.tupleOffset(slot) + t.identityOffset();
            assertThat(!IndexEntry.isLive(one.getLong(entry))
                            || one.equalWords(identity, other, identity, t.identityBytes() + t.valueBytes()))
                    .as("tuples in slot %s are equal", slot)
                    .isTrue();
        }
        for (long leaf = 0; leaf < layout.buckets(); leaf++) {
            long version = layout.leafOffsetAt(leaf) + layout.leafVersionOffset();
            assertThat(one.getLong(version)).as("version of leaf %s", leaf).isEqualTo(other.getLong(version));
        }
    }

    private static void churn(TestCluster cluster, int rounds) {
        cluster.everywhere((runner, self) -> {
            for (int i = 0; i < rounds; i++) {
                Procedure change = randomChange(cluster, self.worker());
                assertThat(runner.run(change)).isEqualTo(Outcome.COMMITTED);
            }
        });
    }

    /** Changes up to three random keys of both tables. */
    private static Procedure randomChange(TestCluster cluster, Worker worker) {
        int[] choices = IntStream.range(0, 1 + worker.random(3))
                .map(i -> worker.random(KEYS) << 3 | worker.random(8))
                .toArray();
        return procedure(
                txn -> {
                    for (int choice : choices) {
                        declare(txn, cluster, choice >> 3, choice & 7);
                    }
                    return null;
                },
                (txn, nothing) -> {
                    for (int i = 0; i < txn.size(); i++) {
                        Access access = txn.access(i);
                        switch (access.intent()) {
                            case UPDATE, WRITE -> {
                                if (access.exists()) {
                                    access.putLong(VALUE, txn.id());
                                }
                            }
                            case INSERT -> {
                                if (!access.exists()) {
                                    access.putLong(VALUE, txn.id());
                                }
                            }
                            case READ, DELETE -> {}
                        }
                    }
                });
    }

    private static void declare(Transaction txn, TestCluster cluster, int key, int what) {
        for (int i = 0; i < txn.size(); i++) {
            if (txn.buffer().memory().getLong(txn.access(i).identityOffset() + Memory.WORD_BYTES) == key) {
                return; // keys of both tables start with their number
            }
        }
        Table numbers = cluster.table(0);
        Table words = cluster.table(1);
        byte[] word = {(byte) key, 0, 0, 0, 0, 0, 0, 0, 1};
        switch (what) {
            case 0 -> txn.update(numbers, key);
            case 1 -> txn.write(numbers, key);
            case 2 -> txn.insert(numbers, key);
            case 3 -> txn.delete(numbers, key);
            case 4 -> txn.update(words, word);
            case 5 -> txn.write(words, word);
            case 6 -> txn.insert(words, word);
            default -> txn.delete(words, word);
        }
    }

    // Goal: nothing is acknowledged before every backup of every partition that it writes has the whole transaction.
    // Method: as soon as a commit has returned, look for its entry in the backups' rings, which are too large to wrap.
    @ForEveryCode
    void shouldHaveEveryCommittedWriteInTheLogOfEveryBackup(HybridCode code) {
        ObservedProtocol observed = new ObservedProtocol(protocol());
        ClusterConfig config = ClusterConfig.of(observed, List.of(NUMBERS))
                .withCode(code)
                .withShape(4, 1, 2, 3)
                .withMemory(64 * 1024, 32 * 1024, 1024);
        Set<Integer> backupsSeen = ConcurrentHashMap.newKeySet();
        try (TestCluster cluster = start(config, LongStream.range(0, 12).toArray())) {
            Table table = cluster.table(0);
            cluster.everywhere((runner, self) -> {
                for (int i = 0; i < 15; i++) {
                    int first = self.worker().random(12);
                    Procedure writes = procedure(
                            txn -> List.of(
                                    txn.update(table, first),
                                    txn.insert(table, 100 + self.worker().random(20))),
                            (txn, accesses) -> {
                                if (accesses.get(0).exists()) {
                                    accesses.get(0).putLong(VALUE, txn.id());
                                }
                            });
                    assertThat(runner.run(writes)).isEqualTo(Outcome.COMMITTED);
                    backupsSeen.addAll(assertLogged(observed, runner.transaction(), self.worker()));
                }
            });
            assertThat(backupsSeen).containsExactlyInAnyOrder(0, 1, 2, 3);
            cluster.assertAtRest();
        }
    }

    private static Set<Integer> assertLogged(ObservedProtocol observed, Transaction txn, Worker coordinator) {
        Placement placement = txn.catalog().placement();
        Set<Integer> backups = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            for (int b = 0; access.isWrite() && b < placement.backups(access.partition()); b++) {
                backups.add(placement.backup(access.partition(), b));
            }
        }
        for (int backup : backups) {
            WorkerContext context = observed.context(backup, coordinator.index());
            LogRingLayout layout = rings(context).layout();
            int ring = layout.ring(coordinator.node(), coordinator.index());
            long entry = findEntry(rings(context).memory(), layout, ring, txn.id());
            assertThat(entry).as("entry of %s on node %s", txn.id(), backup).isNotNegative();
            assertHoldsTheWrites(txn, rings(context).memory(), entry);
        }
        return backups;
    }

    /** Offset of a transaction's entry in a ring that has not wrapped yet, or -1. */
    private static long findEntry(Memory log, LogRingLayout layout, int ring, long txnId) {
        for (long position = 0; position < layout.ringBytes(); ) {
            long entry = layout.entryOffset(ring, position);
            if (log.getAcquire(entry + LogEntry.STAMP_OFFSET) != LogEntry.stamp(position)) {
                // Another coroutine's, on its way: entries start at multiples of the alignment.
                position += LogEntry.ALIGNMENT;
                continue;
            }
            long kindAndLength = log.getLong(entry + LogEntry.KIND_OFFSET);
            if (LogEntry.kind(kindAndLength) == LogEntry.TRANSACTION && LogEntry.id(log, entry) == txnId) {
                return entry;
            }
            position += LogEntry.length(kindAndLength);
        }
        return -1;
    }

    private static void assertHoldsTheWrites(Transaction txn, Memory log, long entry) {
        assertThat(LogEntry.isIntact(log, entry, LogEntry.length(log.getLong(entry + LogEntry.KIND_OFFSET))))
                .isTrue();
        assertThat(LogEntry.commitTs(log, entry)).isEqualTo(txn.commitTs());
        Set<Long> logged = ConcurrentHashMap.newKeySet();
        long change = LogEntry.firstChange(entry);
        for (int i = 0; i < LogEntry.count(log, entry); i++) {
            logged.add(LogEntry.tupleOffset(log, change));
            change = LogEntry.nextChange(log, change, txn.catalog());
        }
        for (int i = 0; i < txn.size(); i++) {
            if (txn.access(i).isWrite()) {
                assertThat(logged).contains(RemoteAddress.offset(txn.access(i).tupleAddress()));
            }
        }
    }

    // A coroutine's clients may come and go; the versions that they write stay unique and keep growing.
    @ForEveryCode
    void shouldDrawGrowingVersionsForOneClientOfACoroutineAfterTheOther(HybridCode code) {
        try (TestCluster cluster = start(config(code, NUMBERS, WORDS).withShape(1, 1, 1, 1), 1, 2)) {
            Table table = cluster.table(0);
            long[] last = new long[1];
            for (long client = 0; client < 3; client++) {
                long key = 1 + client % 2;
                cluster.everywhere((runner, self) -> {
                    for (int i = 0; i < 10; i++) {
                        assertThat(runner.run(write(table, key, i))).isEqualTo(Outcome.COMMITTED);
                        assertThat(runner.transaction().id()).isGreaterThan(last[0]);
                        last[0] = runner.transaction().commitTs();
                        // The effect of busy neighbours on a clock, in one go: it is nudged a second ahead.
                        runner.transaction().clock().observe(i == 8 ? last[0] + (1L << 36) : 0);
                    }
                });
            }
            cluster.assertAtRest();
        }
    }
}
