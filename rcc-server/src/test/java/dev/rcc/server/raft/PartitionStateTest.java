package dev.rcc.server.raft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.log.LogEntry;
import dev.rcc.core.log.ReplicaWriter;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.replication.LoggedTransaction;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.TestTransactions;
import dev.rcc.core.time.Timestamp;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A copy of partition 0, on node 1, applies the entries of its group's log; transactions run at node 0. */
class PartitionStateTest {
    private static final int NODES = 3;
    private static final int BACKUP = 1;
    private static final int WRITER = 0;
    private static final int TRANSACTIONS = 100;
    private static final long KEY = key(0);
    private static final long OTHER_KEY = key(1);

    private final Catalog catalog =
            new Catalog(new RingPlacement(NODES, NODES), 8, List.of(TableSchema.ofLongKeys(0, "numbers", 16, 30)));
    private final Table table = catalog.table(0);
    private final Memstore primary = new Memstore(catalog, new FakeFabric(0));
    private final Memstore backup = new Memstore(catalog, new FakeFabric(BACKUP));
    private final Transaction txn = TestTransactions.create(new FakeWorker(0), 5, catalog, 1 << 14);
    private final long[] buckets = new long[TableLayout.CHOICES];
    private final PartitionState state = newState();
    private int replayed;
    private long index;

    private PartitionState newState() {
        return new PartitionState(
                0,
                NODES,
                1,
                new ReplicaWriter(backup, BACKUP).only(0),
                true,
                Memory.allocate(Arena.ofAuto(), RaftNode.ENTRY_BYTES_MAX),
                log -> replayed++,
                bytes -> {});
    }

    private byte[] apply(byte[] commands) {
        return state.apply(++index, commands);
    }

    /** A key whose partition is this one. */
    private static long key(int partition) {
        Catalog any =
                new Catalog(new RingPlacement(NODES, NODES), 8, List.of(TableSchema.ofLongKeys(0, "numbers", 16, 30)));
        long key = 0;
        while (any.placement().partition(any.table(0).keyHash(key)) != partition) {
            key++;
        }
        return key;
    }

    // ---- replay of the log -----------------------------------------------------------------------------------------

    @Test
    void shouldReplayAnEntryAtOnceIfItWritesNoOtherPartition() {
        assertThat(apply(log(Command.LOG_ALONE, insert(KEY, 7)))).containsExactly(Status.LOGGED);
        assertThat(valueAtBackup(KEY)).isEqualTo(7);
        assertThat(replayed).isEqualTo(1);
        assertThat(state.isDrained()).isTrue();
    }

    @Test
    void shouldReplayAnEntryThatWritesOtherPartitionsOnlyOnceItIsDecided() {
        byte[] entry = insert(KEY, 7, OTHER_KEY);
        long id = txn.id();
        apply(log(Command.LOG, entry));
        assertThat(valueAtBackup(KEY)).as("before it is decided").isEqualTo(-1);
        apply(decided(id));
        assertThat(valueAtBackup(KEY)).isEqualTo(7);
        assertThat(valueAtBackup(OTHER_KEY))
                .as("another partition has its own log")
                .isEqualTo(-1);
    }

    // Goal: a transaction that depends on one whose decision comes later waits for it, and is not lost.
    @Test
    void shouldReplayInTheOrderOfVersionsForAnyOrderOfDecisions() {
        apply(log(Command.LOG, insert(KEY, 7, OTHER_KEY)));
        long first = txn.id();
        apply(log(Command.LOG_ALONE, update(KEY, 8)));
        assertThat(state.isDrained()).isFalse();
        assertThat(valueAtBackup(KEY)).isEqualTo(-1);
        apply(decided(first));
        assertThat(valueAtBackup(KEY)).isEqualTo(8);
        assertThat(replayed).isEqualTo(2);
        assertThat(state.isDrained()).isTrue();
    }

    // Goal: decisions come late and in any order, and transactions insert into leaves and update records that
    // others insert; each is replayed once, in its turn.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void shouldReplayEachInItsTurnHoweverDecisionsCome(long seed) {
        Random random = new Random(seed);
        long[] keys = keysOfThisPartition(10);
        Set<Long> inserted = new HashSet<>();
        Map<Long, Integer> values = new HashMap<>();
        List<Long> undecided = new ArrayList<>();
        for (int value = 1; value <= TRANSACTIONS; value++) {
            long key = keys[random.nextInt(keys.length)];
            byte[] entry = inserted.add(key) ? insert(key, value) : update(key, value);
            values.put(key, value);
            if (random.nextInt(3) == 0) {
                apply(log(Command.LOG_ALONE, entry));
            } else {
                apply(log(Command.LOG, entry));
                undecided.add(txn.id());
            }
            if (random.nextInt(3) == 0 && !undecided.isEmpty()) {
                apply(decided(undecided.remove(random.nextInt(undecided.size()))));
            }
        }
        Collections.shuffle(undecided, random);
        undecided.forEach(id -> apply(decided(id)));
        assertThat(state.waiting()).isEmpty();
        assertThat(state.isDrained()).isTrue();
        assertThat(replayed).isEqualTo(TRANSACTIONS);
        values.forEach((key, value) -> assertThat(valueAtBackup(key)).isEqualTo(value));
    }

    private long[] keysOfThisPartition(int count) {
        return LongStream.iterate(0, key -> key + 1)
                .filter(key -> catalog.placement().partition(table.keyHash(key)) == 0)
                .limit(count)
                .toArray();
    }

    // ---- contents of a snapshot ------------------------------------------------------------------------------------

    @Test
    void shouldAllowTruncationOfTheLogUpToADurableSnapshot() {
        apply(log(Command.LOG_ALONE, insert(KEY, 7)));
        long first = txn.id();
        assertThat(state.durableIndex()).as("without a snapshot").isZero();
        assertThat(state.beginSnapshot().get(WRITER)[Timestamp.coroutine(first)])
                .isEqualTo(first);
        apply(log(Command.LOG_ALONE, update(KEY, 8)));
        assertThat(state.durableIndex()).as("before it is durable").isZero();
        state.snapshotMade();
        assertThat(state.durableIndex()).isEqualTo(1);
    }

    // Goal: an undecided entry is in no copy, so it must stay in the log, and so must all entries that
    // follow.
    @Test
    void shouldKeepTheLogFromTheFirstTransactionThatIsNotDecided() {
        apply(log(Command.LOG_ALONE, insert(KEY, 7)));
        apply(log(Command.LOG, update(KEY, 8)));
        long undecided = txn.id();
        apply(decided(99));
        state.beginSnapshot();
        state.snapshotMade();
        assertThat(state.durableIndex()).isEqualTo(1);
        apply(decided(undecided));
        state.beginSnapshot();
        state.snapshotMade();
        assertThat(state.durableIndex()).isEqualTo(4);
    }

    // Goal: a coordinator that had no answer, and proposes again, changes nothing, even after the next
    // transaction.
    @Test
    void shouldTakeAnEntryOnceHoweverOftenItIsInTheLog() {
        byte[] first = log(Command.LOG, insert(KEY, 7, OTHER_KEY));
        long id = txn.id();
        apply(first);
        assertThat(apply(first)).containsExactly(Status.LOGGED);
        apply(decided(id));
        apply(log(Command.LOG_ALONE, update(KEY, 8)));
        assertThat(apply(first)).containsExactly(Status.LOGGED);
        assertThat(valueAtBackup(KEY)).isEqualTo(8);
        assertThat(replayed).isEqualTo(2);
        assertThat(state.waiting()).isEmpty();
    }

    // ---- the end of a configuration --------------------------------------------------------------------------------

    @Test
    void shouldLogNothingOnceItIsSealed() {
        apply(seal());
        assertThat(state.isSealed()).isTrue();
        assertThat(apply(log(Command.LOG_ALONE, insert(KEY, 7)))).containsExactly(Status.SEALED);
        assertThat(valueAtBackup(KEY)).isEqualTo(-1);
    }

    @Test
    void shouldReportOnlyTransactionsOfLostCoordinatorsAndDecideThem() {
        apply(log(Command.LOG, insert(KEY, 7, OTHER_KEY)));
        long id = txn.id();
        apply(seal());
        assertThat(state.report(nodes(2)).logged()).isEmpty();
        assertThat(state.report(nodes(0)).logged())
                .containsExactly(new LoggedTransaction(id, false, true, 0, 0, List.of(0, 1)));
        state.decide(nodes(0), Set.of(id));
        assertThat(valueAtBackup(KEY)).isEqualTo(7);
        assertThat(state.report(nodes(0)).logged()).isEmpty();
        assertThat(state.report(nodes(0)).replayedId(0, 5)).isEqualTo(id);
    }

    // Goal: a node that asks again, as the first one to ask was lost too, gets the earlier decision.
    @Test
    void shouldReportAnAbortedTransactionAndNotCommitItLater() {
        apply(log(Command.LOG, insert(KEY, 7, OTHER_KEY)));
        long id = txn.id();
        apply(seal());
        state.decide(nodes(0), Set.of());
        assertThat(state.report(nodes(0)).logged())
                .containsExactly(new LoggedTransaction(id, true, true, 0, 0, List.of(0, 1)));
        state.decide(nodes(0), Set.of(id));
        assertThat(valueAtBackup(KEY)).isEqualTo(-1);
    }

    // ---- transactions ----------------------------------------------------------------------------------------------

    private byte[] insert(long key, int value, long... others) {
        txn.begin(true);
        txn.insert(table, key);
        for (long other : others) {
            txn.insert(table, other);
        }
        return entry(value);
    }

    private byte[] update(long key, int value) {
        txn.begin(true);
        txn.update(table, key);
        return entry(value);
    }

    /** Fetches the records that the transaction accesses, has it write the value, and makes its writes at the primary. */
    private byte[] entry(int value) {
        Memory buffers = txn.buffer().memory();
        for (int i = 0; i < txn.size(); i++) {
            Access access = txn.access(i);
            TablePartition copy = partition(access);
            TableLayout layout = table.layout();
            boolean isNew = access.intent() == Intent.INSERT;
            long tuple;
            if (isNew) {
                access.foundNothing();
                tuple = layout.tupleOfEntry(copy.reserve(access.keyHash(), buckets));
                access.slotVersion(copy.memory().getLong(tuple + layout.tuple().versionOffset()));
                long leaf = layout.leafOffset(access.keyHash()) + layout.leafVersionOffset();
                access.leafVersion(copy.memory().getLong(leaf));
            } else {
                tuple = copy.lookup(access.keyHash(), buffers, access.identityOffset());
                copy.memory()
                        .copy(
                                tuple,
                                buffers,
                                access.imageOffset(),
                                layout.tuple().tupleBytes());
                access.foundTuple();
            }
            access.tupleAddress(table.address(0, access.partition(), tuple));
            access.putBytes(0, new byte[] {(byte) value}, 0, 1);
        }
        txn.commitTs(txn.id());
        int bytes = LogEntry.bytes(txn);
        long offset = txn.buffer().allocate(bytes);
        LogEntry.encode(txn, offset, bytes);
        byte[] entry = new byte[bytes];
        buffers.getBytes(offset, entry, 0, bytes);
        for (int i = 0; i < txn.size(); i++) {
            install(txn.access(i));
        }
        return entry;
    }

    private void install(Access access) {
        TablePartition copy = partition(access);
        TableLayout layout = table.layout();
        Memory buffers = txn.buffer().memory();
        long tuple = RemoteAddress.offset(access.tupleAddress());
        var t = layout.tuple();
        buffers.copy(access.identityOffset(), copy.memory(), tuple + t.identityOffset(), t.identityBytes());
        buffers.copy(access.imageOffset() + t.recordOffset(), copy.memory(), tuple + t.recordOffset(), t.recordBytes());
        copy.memory().putLong(tuple + t.versionOffset(), txn.commitTs());
        if (access.intent() == Intent.INSERT) {
            copy.publish(layout.entryOfTuple(tuple), access.keyHash());
            long leaf = layout.leafOffset(access.keyHash()) + layout.leafVersionOffset();
            copy.memory().putLong(leaf, txn.commitTs());
        }
    }

    /** All transactions write at node 0, as if it had all primaries. */
    private TablePartition partition(Access access) {
        return primary.partition(0, access.partition());
    }

    private static byte[] log(int kind, byte[] entry) {
        byte[] command = new byte[Command.HEADER_BYTES + entry.length];
        Command.put(command, 0, kind, entry.length, WRITER);
        System.arraycopy(entry, 0, command, Command.HEADER_BYTES, entry.length);
        return command;
    }

    private static byte[] decided(long id) {
        byte[] command = new byte[Command.HEADER_BYTES];
        Command.put(command, 0, Command.DECIDED, 0, id);
        return command;
    }

    private static byte[] seal() {
        byte[] command = new byte[Command.HEADER_BYTES];
        Command.put(command, 0, Command.SEAL, 0, 0);
        return command;
    }

    private static BitSet nodes(int node) {
        BitSet nodes = new BitSet();
        nodes.set(node);
        return nodes;
    }

    /** The first byte of a key's record at the backup, or -1. */
    private int valueAtBackup(long key) {
        txn.begin(true);
        Access access = txn.read(table, key);
        TablePartition copy = backup.partition(0, access.partition());
        long tuple = copy.lookup(access.keyHash(), txn.buffer().memory(), access.identityOffset());
        return tuple < 0
                ? -1
                : (int) (copy.memory().getLong(tuple + table.layout().tuple().recordOffset()) & 0xFF);
    }
}
