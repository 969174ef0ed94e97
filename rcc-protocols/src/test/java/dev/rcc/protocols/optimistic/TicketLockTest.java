package dev.rcc.protocols.optimistic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.core.protocol.WorkerContext;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.time.TimestampClock;
import dev.rcc.core.time.WallClock;
import dev.rcc.core.txn.AbortReason;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.common.ConflictReasons;
import dev.rcc.protocols.common.LockAcquisition;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The locking stages do not depend on how a lock is taken: this lock is a queue of tickets. */
class TicketLockTest {
    private static final long KEY = 7;
    private static final long COMMIT_TS = 1L << 40;

    private final LockRules rules = new TicketRules();
    private final Catalog catalog = new Catalog(
            new RingPlacement(1, 1),
            rules.metadataBytes(),
            0,
            true,
            List.of(TableSchema.ofLongKeys(0, "numbers", Long.BYTES, 10)));
    private final Table table = catalog.table(0);
    private final Memstore memstore = new Memstore(catalog, new FakeFabric(0));
    private final TablePartition partition = memstore.partition(0, 0);
    private final Memory memory = partition.memory();
    private final Memory buffers = Memory.allocate(Arena.ofAuto(), 64 * 1024);
    private final LoopbackEndpoint endpoint = new LoopbackEndpoint(buffers, memstore);
    private final FakeWorker worker = new FakeWorker(0);
    private final FakeCoroutine coroutine = new FakeCoroutine(0, worker);
    private final WorkerContext context = endpoint.context(worker);
    private final Transaction txn = new Transaction(
            coroutine,
            catalog,
            new BufferSlice(buffers, 0, buffers.size()),
            new TimestampClock(new WallClock(worker, 0), worker.node(), 0));
    private final StageContext stages = StageContext.of(context, txn, rules);
    private final ReadSet reads = stages.reads();
    private final WriteSet writes = stages.writes();
    private final Locking locking = new Locking(stages, Primitive.ONE_SIDED, LockTime.COMMIT);
    private final Finishing commit = new Finishing(stages, Primitive.ONE_SIDED, true);
    private long tuple;

    @BeforeEach
    void wantToUpdate() {
        Memory identity = Memory.allocate(Arena.ofAuto(), 2 * Memory.WORD_BYTES);
        identity.putLong(0, TupleLayout.liveHeader(Long.BYTES));
        identity.putLong(Memory.WORD_BYTES, KEY);
        partition.load(KeyHash.of(KEY), identity, 0, 1, Memory.allocate(Arena.ofAuto(), Long.BYTES), 0);
        tuple = partition.lookup(KeyHash.of(KEY), identity, 0);
        txn.begin(true);
    }

    @Test
    void shouldTakeAFreeLockInOneRoundAndLetTheNextOneGo() {
        assertThat(lock()).isTrue();
        assertThat(coroutine.sleeps).isEmpty();
        assertThat(nextTicket()).isEqualTo(1);
        assertThat(served()).isZero();
        commit();
        assertThat(served()).isEqualTo(1);
    }

    @Test
    void shouldWaitForItsTurnWithOneTicket() {
        serve(3, 5); // 3 holds the lock, 4 waits
        coroutine.whileSleeping = () -> serve(served() + 1, nextTicket());
        assertThat(lock()).isTrue();
        assertThat(coroutine.sleeps).hasSize(2);
        assertThat(served()).isEqualTo(5);
        assertThat(nextTicket()).isEqualTo(6);
        commit();
        assertThat(served()).isEqualTo(6);
    }

    @Test
    void shouldLeaveTheQueueWhenItAborts() {
        serve(3, 4);
        endpoint.beforeEach = () -> serve(txn.abortReason() == null ? 3 : Math.max(4, served()), nextTicket());
        assertThat(lock()).isFalse();
        assertThat(txn.abortReason()).isEqualTo(ConflictReasons.WAIT_TIMEOUT);
        assertThat(nextTicket()).isEqualTo(5);
        assertThat(served()).as("the next ticket's turn").isEqualTo(5);
    }

    private boolean lock() {
        Access access = txn.update(table, KEY);
        new Fetching(stages, Primitive.ONE_SIDED).fetch(reads.admitNew(Integer.MAX_VALUE));
        access.putLong(0, 9);
        writes.collect(reads);
        return locking.lock();
    }

    private void commit() {
        txn.commitTs(COMMIT_TS);
        commit.prepare();
        commit.finish();
        assertThat(memory.getLong(tuple + table.layout().tuple().recordOffset()))
                .isEqualTo(9);
    }

    private long served() {
        return memory.getLong(tuple);
    }

    private long nextTicket() {
        return memory.getLong(tuple + Memory.WORD_BYTES);
    }

    private void serve(long number, long next) {
        memory.putLong(tuple, number);
        memory.putLong(tuple + Memory.WORD_BYTES, next);
    }

    /** Rules for one-sided locks whose lock word is the number that is served. */
    private static final class TicketRules implements LockRules {
        @Override
        public LockAcquisition acquisition(Memory results, Transaction txn) {
            return new TicketAcquisition(results);
        }

        @Override
        public AbortReason conflict(long word, long holderAge, long age) {
            return null;
        }

        @Override
        public int metadataBytes() {
            return 2 * Memory.WORD_BYTES;
        }

        @Override
        public boolean isLockable(long word) {
            throw new UnsupportedOperationException("a word does not say what FETCH_ADD will draw");
        }

        @Override
        public long locked(long word, long attempt) {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean isHeldBy(long word, long attempt) {
            return false;
        }

        @Override
        public long released(long held) {
            return held;
        }

        @Override
        public long committed(long held, long commitTs) {
            return held;
        }

        @Override
        public boolean isReadable(long word, long attempt) {
            return true;
        }
    }
}
