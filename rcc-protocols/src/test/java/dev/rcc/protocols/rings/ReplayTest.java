package dev.rcc.protocols.rings;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.rcc.core.cluster.Placement;
import dev.rcc.core.log.LogEntry;
import dev.rcc.core.log.ReplicaWriter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.testing.Seeds;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** {@link LogEntry}, {@link LogRings} and {@link ReplicaWriter}: the backups end up like the primaries. */
class ReplayTest {
    private static final int KEYS = 30;

    // Goal: with any interleaving of rings, decisions, announcements and polls, each copy ends up like its
    // primary, slot by slot, as if the log had been applied in the order of commits.
    @Test
    void shouldEndUpLikeThePrimaryHoweverTheRingsAreInterleaved() {
        Seeds.forEach(60, random -> {
            LogCluster cluster = new LogCluster(4096);
            for (int step = 0; step < 300; step++) {
                runOne(cluster, random);
                while (random.nextInt(3) == 0 && !cluster.undecided.isEmpty()) {
                    cluster.decide(cluster.undecided.get(random.nextInt(cluster.undecided.size())));
                }
                if (random.nextInt(3) == 0) {
                    cluster.announce(cluster.tails[random.nextInt(LogCluster.WRITERS)].tail(random.nextInt(3)));
                }
                if (random.nextInt(3) == 0) {
                    cluster.rings[random.nextInt(3)][random.nextInt(LogCluster.WORKERS)].poll();
                }
            }
            cluster.level();
            assertThat(cluster.isDrained()).isTrue();
            assertThat(cluster.difference()).isNull();
        });
    }

    // The two workers of a backup replay at the same time, each its own rings.
    @Test
    void shouldEndUpLikeThePrimaryWhenWorkersReplayAtOnce() {
        Seeds.forEach(10, random -> {
            LogCluster cluster = new LogCluster(1 << 18);
            for (int round = 0; round < 5; round++) {
                for (int step = 0; step < 200; step++) {
                    runOne(cluster, random);
                }
                List.copyOf(cluster.undecided).forEach(cluster::decide);
                List<Thread> threads = new ArrayList<>();
                for (LogRings[] node : cluster.rings) {
                    for (LogRings reader : node) {
                        threads.add(Thread.ofPlatform().start(() -> {
                            // A ring that waits is helped by another thread, so an idle poll is not the end.
                            for (int idle = 0; idle < 200; idle++) {
                                idle = reader.poll() > 0 ? 0 : idle;
                                Thread.onSpinWait();
                            }
                        }));
                    }
                }
                cluster.announceAll();
                for (Thread thread : threads) {
                    thread.join();
                }
                cluster.level();
                assertThat(cluster.isDrained()).isTrue();
                assertThat(cluster.difference()).isNull();
            }
        });
    }

    // Goal: an entry that changes a leaf twice does not set the leaf version back after a later entry has
    // moved it on.
    // Method: one worker logs changes of nine keys, the other of a tenth key of the same leaf; two workers
    // replay at the same time.
    @Test
    void shouldMoveALeafOnOnceHoweverManyOfItsKeysChange() {
        LogCluster cluster = new LogCluster(1 << 18);
        Table table = cluster.catalog.table(0);
        long leaf = table.layout().leafOffset(KeyHash.of(0));
        List<Long> keys = keysWithKeyZero(cluster, 10, hash -> table.layout().leafOffset(hash) == leaf);
        for (int round = 0; round < 20; round++) {
            for (int step = 0; step < 400; step++) {
                List<Long> changed = step % 2 == 0 ? keys.subList(0, 9) : keys.subList(9, 10);
                comeOrGo(cluster, step % 2, table, changed, step % 4 < 2);
            }
            replayAtOnce(cluster);
        }
    }

    // Goal: a delete does not clear an index entry after the next owner of the slot has published its own.
    // Method: keys of different leaves use one slot in turn; one worker inserts them, the other deletes them.
    @Test
    void shouldNotClearASlotThatHasANewOwner() {
        LogCluster cluster = new LogCluster(1 << 18);
        Table table = cluster.catalog.table(0);
        long leaf = table.layout().leafOffset(KeyHash.of(0));
        List<Long> keys = keysWithKeyZero(cluster, 400, hash -> table.layout().leafOffset(hash) != leaf);
        comeOrGo(cluster, 0, table, keys.subList(380, 395), true); // a fuller index sends keys to foreign buckets
        long slot = slotFor(cluster, table, 0);
        keys.removeIf(key -> slotFor(cluster, table, key) != slot);
        for (int round = 0; round < 20; round++) {
            for (int step = 0; step < 400; step++) {
                // A delete and the insert after it are logged by different workers.
                comeOrGo(cluster, (step + 1) / 2 % 2, table, List.of(keys.get(step / 2 % 2)), step % 2 == 0);
            }
            replayAtOnce(cluster);
        }
    }

    private static void comeOrGo(LogCluster cluster, int writer, Table table, List<Long> keys, boolean come) {
        Transaction txn = cluster.begin(writer);
        for (long key : keys) {
            cluster.fetch(come ? txn.insert(table, key) : txn.delete(table, key));
        }
        cluster.log(writer, txn);
        cluster.install(txn);
    }

    /** The address where a key would be inserted. */
    private static long slotFor(LogCluster cluster, Table table, long key) {
        Transaction txn = cluster.begin(0);
        Access access = txn.insert(table, key);
        cluster.fetch(access);
        cluster.release(txn);
        return access.tupleAddress();
    }

    /** Key 0 and more keys of its partition, whose hashes have a property. */
    private static List<Long> keysWithKeyZero(LogCluster cluster, int count, LongPredicate hasProperty) {
        Placement placement = cluster.catalog.placement();
        int partition = placement.partition(KeyHash.of(0));
        List<Long> keys = new ArrayList<>(List.of(0L));
        for (long key = 1; keys.size() < count; key++) {
            long hash = KeyHash.of(key);
            if (placement.partition(hash) == partition && hasProperty.test(hash)) {
                keys.add(key);
            }
        }
        return keys;
    }

    /** Decides and announces all entries, and replays them with a thread for each worker of each backup. */
    private static void replayAtOnce(LogCluster cluster) {
        List.copyOf(cluster.undecided).forEach(cluster::decide);
        List<Thread> threads = new ArrayList<>();
        for (LogRings[] node : cluster.rings) {
            for (LogRings reader : node) {
                threads.add(Thread.ofPlatform().start(() -> {
                    // A ring that waits is helped by another thread, so an idle poll is not the end.
                    for (int idle = 0; idle < 100_000; idle++) {
                        idle = reader.poll() > 0 ? 0 : idle;
                        Thread.onSpinWait();
                    }
                }));
            }
        }
        cluster.announceAll();
        for (Thread thread : threads) {
            join(thread);
        }
        cluster.level();
        assertThat(cluster.isDrained()).isTrue();
        assertThat(cluster.difference()).isNull();
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Test
    void shouldMakeAnEntryThatFollowsOneOfAnotherRingWait() {
        LogCluster cluster = new LogCluster(4096);
        Table table = cluster.catalog.table(0);
        int primary = put(cluster, 0, table, 1, 10).node();
        cluster.level();
        put(cluster, 1, table, 1, 11);
        put(cluster, 2, table, 1, 12);
        int backup = (primary + 1) % 3;
        for (LogCluster.Logged entry : List.copyOf(cluster.undecided)) {
            if (entry.tail().ring() != 1) {
                cluster.decide(entry);
            }
        }
        cluster.announceAll();
        poll(cluster, backup);
        assertThat(value(cluster, backup, table, 1)).isEqualTo(10);
        List.copyOf(cluster.undecided).forEach(cluster::decide);
        cluster.announceAll();
        poll(cluster, backup);
        poll(cluster, backup);
        assertThat(value(cluster, backup, table, 1)).isEqualTo(12);
    }

    @Test
    void shouldReplayNothingThatIsNotDecided() {
        LogCluster cluster = new LogCluster(4096);
        Table table = cluster.catalog.table(0);
        int primary = put(cluster, 0, table, 1, 10).node();
        cluster.announceAll();
        poll(cluster, (primary + 1) % 3);
        assertThat(value(cluster, (primary + 1) % 3, table, 1)).isEqualTo(-1);
    }

    @Test
    void shouldPassOverAbortedEntries() {
        LogCluster cluster = new LogCluster(4096);
        Table table = cluster.catalog.table(0);
        put(cluster, 0, table, 1, 10);
        Transaction txn = cluster.begin(0);
        Access access = txn.update(table, 1);
        cluster.fetch(access);
        access.putLong(0, 99);
        List<LogCluster.Logged> logged = cluster.log(0, txn);
        cluster.abort(txn, logged);
        put(cluster, 0, table, 1, 11);
        cluster.level();
        assertThat(cluster.isDrained()).isTrue();
        assertThat(cluster.difference()).isNull();
    }

    @Test
    void shouldFindTheRingFullAndRoomAgainOnceItIsReplayed() {
        LogCluster cluster = new LogCluster(4096);
        Table table = cluster.catalog.table(0);
        int primary = put(cluster, 0, table, 1, 0).node();
        LogTail tail = cluster.tails[0].tail((primary + 1) % 3);
        int bytes = LogEntry.bytes(cluster.transactions[0]);
        int logged = 1;
        while (tail.hasRoom(bytes)) {
            List.copyOf(cluster.undecided).forEach(cluster::decide);
            put(cluster, 0, table, 1, logged++);
        }
        assertThat(logged).isEqualTo(4096 / bytes);
        List.copyOf(cluster.undecided).forEach(cluster::decide);
        cluster.announceAll();
        assertThat(tail.hasRoom(bytes)).isFalse();
        poll(cluster, tail.backup());
        cluster.readHeads();
        assertThat(tail.hasRoom(bytes)).isTrue();
        cluster.level();
        assertThat(cluster.difference()).isNull();
    }

    // A poll must not hold up transactions: it ends after 32 entries, and no ring waits for another's backlog.
    @Test
    void shouldReplayABoundedNumberOfEntriesAPollAndGiveEachRingItsTurn() {
        LogCluster cluster = new LogCluster(1 << 16);
        Table table = cluster.catalog.table(0);
        int primary = put(cluster, 0, table, 1, 0).node();
        int backup = (primary + 1) % 3;
        int other = 2 * (cluster.tails[0].tail(backup).ring() / 2 + 1);
        for (int i = 1; i < 100; i++) {
            List.copyOf(cluster.undecided).forEach(cluster::decide);
            put(cluster, 0, table, 1, i);
        }
        long key = 2;
        while (cluster.catalog.placement().partition(KeyHash.of(key)) != primary) {
            key++;
        }
        put(cluster, other, table, key, 7);
        List.copyOf(cluster.undecided).forEach(cluster::decide);
        cluster.announceAll();
        assertThat(cluster.rings[backup][0].poll()).isEqualTo(32);
        assertThat(cluster.rings[backup][0].poll()).isEqualTo(32);
        assertThat(value(cluster, backup, table, key)).isEqualTo(7);
        assertThat(cluster.rings[backup][0].poll() + cluster.rings[backup][0].poll())
                .isEqualTo(37);
        assertThat(cluster.rings[backup][0].poll()).isZero();
    }

    // Goal: damage stops the ring at the damaged entry and is reported; no entry is skipped or invented.
    // Method: in the second of three entries, of each kind, flip each bit, and all bits, of each byte that
    // matters.
    @Test
    void shouldStopAtAnEntryWithDamageInAnyProtectedByte() {
        Logger logger = (Logger) LoggerFactory.getLogger(LogRings.class);
        ListAppender<ILoggingEvent> reports = new ListAppender<>();
        reports.start();
        logger.addAppender(reports);
        logger.setAdditive(false);
        try {
            for (int kind : new int[] {LogEntry.TRANSACTION, LogEntry.ABORTED, LogEntry.PADDING}) {
                damageEachByte(kind, reports.list);
            }
        } finally {
            logger.setAdditive(true);
            logger.detachAppender(reports);
        }
    }

    private static void damageEachByte(int kind, List<ILoggingEvent> reports) {
        LogCluster cluster = new LogCluster(4096);
        Table table = cluster.catalog.table(0);
        int primary = put(cluster, 0, table, 1, 10).node();
        int backup = (primary + 1) % 3;
        LogTail tail = cluster.tails[0].tail(backup);
        long second = tail.tail();
        put(cluster, 0, table, 1, 11);
        int length = (int) (tail.tail() - second);
        put(cluster, 0, table, 1, 12);
        List.copyOf(cluster.undecided).forEach(cluster::decide);
        cluster.announceAll();
        Memory log = cluster.logs[backup];
        long offset = cluster.layout.entryOffset(tail.ring(), second);
        log.putLong(offset + LogEntry.KIND_OFFSET, LogEntry.kindAndLength(kind, length));
        int protectedBytes = kind == LogEntry.TRANSACTION ? length : 16;
        byte[] one = new byte[1];
        for (int at = 0; at < protectedBytes; at++) {
            for (int flip : new int[] {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
                LogCluster fresh = new LogCluster(4096);
                LogRings reader =
                        new LogRings(log, cluster.layout, 0, new ReplicaWriter(fresh.memstores[backup], backup));
                flip(log, offset + at, one, flip);
                reports.clear();
                assertThat(reader.poll())
                        .as("kind %d, byte %d, flip %d", kind, at, flip)
                        .isEqualTo(1);
                assertThat(reader.poll()).isZero();
                assertThat(value(fresh, backup, table, 1)).isEqualTo(10);
                assertThat(log.getLong(cluster.layout.headOffset(tail.ring()))).isEqualTo(second);
                flip(log, offset + at, one, flip);
                assertThat(reader.poll()).as("it stays stopped").isZero();
                assertThat(reports).singleElement().satisfies(event -> {
                    assertThat(event.getLevel()).isEqualTo(Level.ERROR);
                    assertThat(event.getFormattedMessage())
                            .contains("event=log_ring_damaged ring=" + tail.ring() + " position=" + second + ":");
                });
            }
        }
    }

    private static void flip(Memory memory, long offset, byte[] one, int bits) {
        memory.getBytes(offset, one, 0, 1);
        one[0] ^= (byte) bits;
        memory.putBytes(offset, one, 0, 1);
    }

    // A worker must not report an intact entry that does not match this node's tables again and again.
    @Test
    void shouldStopAtAnEntryForAnotherKeyThanTheOneInItsPlace() {
        LogCluster cluster = new LogCluster(4096);
        Table table = cluster.catalog.table(0);
        int primary = put(cluster, 0, table, 1, 10).node();
        int backup = (primary + 1) % 3;
        cluster.level();
        put(cluster, 0, table, 1, 11);
        Memory copy = cluster.memstores[backup].partition(0, primary).memory();
        List<Long> tuples = new ArrayList<>();
        cluster.memstores[backup].partition(0, primary).forEachTuple(tuples::add);
        long keyOffset = tuples.getFirst() + table.layout().tuple().keyOffset();
        copy.putLong(keyOffset, 77);
        Logger logger = (Logger) LoggerFactory.getLogger(LogRings.class);
        logger.setLevel(Level.OFF);
        cluster.level();
        logger.setLevel(null);
        assertThat(poll(cluster, backup)).isZero();
        assertThat(cluster.isDrained()).isFalse();
    }

    // Goal: a slot's history is replayed in order even when its tuples belong to different leaves.
    // Method: ring 1 inserts and deletes A; ring 2 inserts B, of another leaf, into the same slot. Announce
    // ring 2 first.
    @Test
    void shouldReplayASlotsTuplesInOrderAcrossLeaves() {
        LogCluster cluster = new LogCluster(1 << 16);
        Table table = cluster.catalog.table(0);
        SplittableRandom random = new SplittableRandom(1);
        for (int key = 0; key < 140; key++) {
            put(cluster, 0, table, key, 1); // full home buckets send keys to others
        }
        cluster.level();
        for (int key = 1000; key < 3000; key++) {
            put(cluster, 0, table, key, 1);
            remove(cluster, 0, table, key);
            Transaction txn = cluster.begin(2);
            Access access = txn.insert(table, random.nextLong());
            cluster.fetch(access);
            boolean found = cluster.takesAForeignSlot(txn);
            cluster.release(txn);
            if (found) {
                put(cluster, 2, table, keyOf(txn, access), 1);
                List.copyOf(cluster.undecided).forEach(cluster::decide);
                for (int backup = 0; backup < 3; backup++) {
                    cluster.announce(cluster.tails[2].tail(backup));
                    poll(cluster, backup);
                }
                cluster.level();
                assertThat(cluster.isDrained()).isTrue();
                assertThat(cluster.difference()).isNull();
                return;
            }
            cluster.level();
        }
        throw new AssertionError("no slot was taken by a key of another leaf");
    }

    private static long keyOf(Transaction txn, Access access) {
        return txn.buffer().memory().getLong(access.identityOffset() + 8);
    }

    /** Inserts a key or updates it, on the primary and in the log; undecided. */
    private static Access put(LogCluster cluster, int writer, Table table, long key, long value) {
        Transaction txn = cluster.begin(writer);
        Access access = txn.update(table, key);
        cluster.fetch(access);
        if (!access.exists()) {
            txn.begin(false);
            access = txn.insert(table, key);
            cluster.fetch(access);
        }
        access.putLong(0, value);
        cluster.log(writer, txn);
        cluster.install(txn);
        return access;
    }

    private static void remove(LogCluster cluster, int writer, Table table, long key) {
        Transaction txn = cluster.begin(writer);
        cluster.fetch(txn.delete(table, key));
        cluster.log(writer, txn);
        cluster.install(txn);
    }

    private static int poll(LogCluster cluster, int node) {
        int count = 0;
        for (LogRings reader : cluster.rings[node]) {
            count += reader.poll();
        }
        return count;
    }

    /** The first word of a long key's record in a node's copy, or -1. */
    private static long value(LogCluster cluster, int node, Table table, long key) {
        Transaction txn = cluster.begin(0);
        Access access = txn.read(table, key);
        long tuple = cluster.memstores[node]
                .partition(table.id(), access.partition())
                .lookup(access.keyHash(), txn.buffer().memory(), access.identityOffset());
        Memory memory = cluster.memstores[node]
                .partition(table.id(), access.partition())
                .memory();
        return tuple < 0 ? -1 : memory.getLong(tuple + table.layout().tuple().recordOffset());
    }

    /** Runs a transaction of one to four accesses; now and then it aborts before or after it was logged. */
    static void runOne(LogCluster cluster, SplittableRandom random) {
        int writer = random.nextInt(LogCluster.WRITERS);
        Transaction txn = cluster.begin(writer);
        int accesses = random.nextInt(1, 5);
        for (int i = 0; i < accesses; i++) {
            declare(cluster, txn, random);
        }
        boolean writes = false;
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            cluster.fetch(access);
            switch (access.intent()) {
                case UPDATE -> {
                    if (access.exists()) {
                        access.putBytes(0, new byte[] {(byte) random.nextInt(), 1, 2, 3, 4}, 0, 5);
                    }
                }
                case INSERT -> {
                    if (!access.exists()) {
                        access.putBytes(0, new byte[] {(byte) random.nextInt(), 5, 6}, 0, 3);
                    }
                }
                default -> {}
            }
            writes |= access.isWrite();
        }
        if (!writes || random.nextInt(20) == 0) {
            cluster.release(txn);
            return;
        }
        List<LogCluster.Logged> logged = cluster.log(writer, txn);
        if (random.nextInt(10) == 0) {
            cluster.abort(txn, logged);
        } else {
            cluster.install(txn);
        }
    }

    private static void declare(LogCluster cluster, Transaction txn, SplittableRandom random) {
        long key = random.nextInt(KEYS);
        byte[] name = ("n" + key).getBytes(StandardCharsets.UTF_8);
        Table table = cluster.catalog.table(random.nextInt(2));
        boolean numbers = table.id() == 0;
        try {
            Access access = switch (random.nextInt(4)) {
                case 0 -> numbers ? txn.read(table, key) : txn.read(table, name);
                case 1 -> numbers ? txn.update(table, key) : txn.update(table, name);
                case 2 -> numbers ? txn.insert(table, key) : txn.insert(table, name);
                default -> numbers ? txn.delete(table, key) : txn.delete(table, name);
            };
            assertThat(access.table()).isSameAs(table);
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageContaining("is declared for"); // the same key twice, with different intents
        }
    }
}
