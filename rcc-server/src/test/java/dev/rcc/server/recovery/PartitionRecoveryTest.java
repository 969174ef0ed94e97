package dev.rcc.server.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.fabric.Batch;
import dev.rcc.core.fabric.Endpoint;
import dev.rcc.core.fabric.RpcHandler;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.IndexEntry;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.TableLayout;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.PartialContext;
import dev.rcc.core.worker.Completion;
import dev.rcc.protocols.nowait.Nowait;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The recovery of a primary from its backup, with buffers that hold many slots, one, or a part of one. */
@Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PartitionRecoveryTest {
    private static final int PRIMARY = 0;
    private static final int BACKUP = 1;
    private static final int RECORDS = 6;
    private static final int HELD = 5;
    private static final int RECORD_WORDS = TableSchema.MAX_RECORD_BYTES / Memory.WORD_BYTES;
    private static final long BUFFER = 128;
    private static final long LOCKED = -1;

    private final Protocol protocol = new Nowait();
    private TableLayout layout;
    private TablePartition primary;
    private TablePartition backup;
    private Memory buffers;
    private int bufferBytes;
    /** The number of batches after which the backup cannot be reached; less than 0: it always can. */
    private int batchesLeft = -1;

    /** Loads the same keys into both copies, with newer records into the backup. */
    private void useCopies(int historySlots, int recoveryBufferBytes) {
        TableSchema schema = TableSchema.ofLongKeys(0, "documents", TableSchema.MAX_RECORD_BYTES, 2 * RECORDS);
        Catalog catalog = new Catalog(
                new RingPlacement(2, 2), protocol.metadataBytes(), historySlots, false, List.of(schema.growing(1)));
        layout = catalog.table(0).layout();
        primary = new Memstore(catalog, new FakeFabric(PRIMARY)).partition(0, 0);
        backup = new Memstore(catalog, new FakeFabric(BACKUP)).partition(0, 0);
        bufferBytes = recoveryBufferBytes;
        buffers = Memory.allocate(Arena.ofAuto(), BUFFER + bufferBytes);
        for (long key = 0; key < RECORDS; key++) {
            load(primary, key, 1);
            load(backup, key, 2);
        }
    }

    private void load(TablePartition copy, long key, long version) {
        Memory identity = Memory.allocate(Arena.ofAuto(), 2L * Memory.WORD_BYTES);
        identity.putLong(0, TupleLayout.liveHeader(Long.BYTES));
        identity.putLong(Memory.WORD_BYTES, key);
        Memory record = Memory.allocate(Arena.ofAuto(), TableSchema.MAX_RECORD_BYTES);
        for (int word = 0; word < RECORD_WORDS; word++) {
            record.putLong((long) word * Memory.WORD_BYTES, word(key, version, word));
        }
        copy.load(copy.table().keyHashOfIdentity(0, identity, 0), identity, 0, version, record, 0);
    }

    private static long word(long key, long version, int word) {
        return key << 40 | version << 32 | word;
    }

    private PartitionRecovery recovery() {
        FakeWorker worker = new FakeWorker(PRIMARY);
        return new PartitionRecovery(
                protocol,
                new PartialContext(worker, new BackupEndpoint(), buffers).make(),
                new FakeCoroutine(1, worker),
                BUFFER,
                bufferBytes,
                100);
    }

    private long tupleOf(long key) {
        long[] found = {-1};
        backup.forEachTuple(tuple -> {
            if (backup.memory().getLong(tuple + layout.tuple().keyOffset()) == key) {
                found[0] = tuple;
            }
        });
        return found[0];
    }

    private void assertRecord(long key, long version) {
        TupleLayout t = layout.tuple();
        long tuple = tupleOf(key);
        Memory memory = primary.memory();
        assertThat(memory.getLong(layout.entryOfTuple(tuple)))
                .isEqualTo(backup.memory().getLong(layout.entryOfTuple(tuple)));
        assertThat(memory.getLong(tuple + t.identityOffset())).isEqualTo(TupleLayout.liveHeader(Long.BYTES));
        assertThat(memory.getLong(tuple + t.keyOffset())).isEqualTo(key);
        assertThat(memory.getLong(tuple + t.versionOffset())).isEqualTo(version);
        for (int word = 0; word < RECORD_WORDS; word++) {
            assertThat(memory.getLong(tuple + t.recordOffset() + (long) word * Memory.WORD_BYTES))
                    .as("word %s of record %s", word, key)
                    .isEqualTo(word(key, version, word));
        }
        assertThat(protocol.isLocked(memory, tuple)).isFalse();
    }

    // Goal: a cluster goes on after a loss, however large its slots are: a slot has up to 1 MiB, the buffer at least 2
    // KiB.
    @ParameterizedTest
    @CsvSource({"0, 1048576", "0, 16448", "0, 16384", "0, 2048", "7, 131072", "15, 131072", "15, 2048"})
    void shouldTakeTheBackupsRecordsWhereALostCoordinatorHoldsThem(int historySlots, int recoveryBufferBytes) {
        useCopies(historySlots, recoveryBufferBytes);
        long held = tupleOf(HELD);
        primary.memory().putLong(held, LOCKED);
        long reserved = emptyEntry();
        primary.memory().putLong(reserved, IndexEntry.reserved(77));
        assertThat(recovery().repair(primary, BACKUP, true)).isTrue();
        for (long key = 0; key < RECORDS; key++) {
            assertRecord(key, key == HELD ? 2 : 1);
        }
        assertThat(primary.memory().getLong(reserved)).isEqualTo(IndexEntry.EMPTY);
    }

    private long emptyEntry() {
        long slot = 0;
        while (backup.memory().getLong(layout.entryOffset(slot)) != IndexEntry.EMPTY) {
            slot++;
        }
        return layout.entryOffset(slot);
    }

    // Goal: a cluster with data on disk can be started again, however large its slots are.
    @ParameterizedTest
    @CsvSource({"0, 1048576", "0, 16448", "0, 16384", "0, 2048", "7, 131072", "15, 131072", "15, 2048"})
    void shouldTakeAllOfABackupsData(int historySlots, int recoveryBufferBytes) {
        useCopies(historySlots, recoveryBufferBytes);
        assertThat(recovery().take(primary, BACKUP)).isTrue();
        for (long key = 0; key < RECORDS; key++) {
            assertRecord(key, 2);
        }
    }

    // Goal: a record of which only a part was taken still counts as held, so that another backup's is taken, or the
    // cluster stays frozen.
    @Test
    void shouldLeaveARecordHeldWhenTheBackupIsLostBeforeAllPartsAreTaken() {
        useCopies(0, 2048);
        primary.memory().putLong(tupleOf(HELD), LOCKED);
        batchesLeft = 2; // the marks, and the first part
        assertThat(recovery().repair(primary, BACKUP, true)).isFalse();
        assertThat(recovery().leftBehind(primary)).isEqualTo(1);
        batchesLeft = -1;
        assertThat(recovery().repair(primary, BACKUP, true)).isTrue();
        assertRecord(HELD, 2);
    }

    /** Reads from the backup at once, and into the recovery's buffer only. */
    private final class BackupEndpoint implements Endpoint {
        @Override
        public Batch batch(int peer) {
            assertThat(peer).isEqualTo(BACKUP);
            return new ReadBatch();
        }

        @Override
        public void call(
                int peer,
                int rpcId,
                long requestOffset,
                int requestBytes,
                long replyOffset,
                int replyBytes,
                Completion completion) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void handle(int rpcId, RpcHandler handler) {
            throw new UnsupportedOperationException();
        }
    }

    private final class ReadBatch implements Batch {
        private int size;

        @Override
        public Batch read(long source, int bytes, long target) {
            size++;
            assertThat(bytes).isPositive();
            assertThat(target).isGreaterThanOrEqualTo(BUFFER);
            if (batchesLeft != 0) {
                backup.memory().copy(RemoteAddress.offset(source), buffers, target, bytes);
            }
            return this;
        }

        @Override
        public Batch write(long sourceOffset, int bytes, long targetAddress) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Batch writeWord(long value, long targetAddress) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Batch cas(long targetAddress, long expected, long desired, long resultOffset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Batch fetchAdd(long targetAddress, long delta, long resultOffset) {
            throw new UnsupportedOperationException();
        }

        @Override
        public int peer() {
            return BACKUP;
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public void post(Completion completion) {
            completion.add();
            if (batchesLeft == 0) {
                completion.fail(BACKUP);
            } else {
                batchesLeft--;
                completion.succeed();
            }
        }
    }
}
