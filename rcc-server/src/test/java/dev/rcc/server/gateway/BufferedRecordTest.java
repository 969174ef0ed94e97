package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Key;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeCoroutine;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.time.TimestampClock;
import dev.rcc.core.time.WallClock;
import dev.rcc.core.txn.BufferSlice;
import dev.rcc.core.txn.Intent;
import dev.rcc.core.txn.Transaction;
import java.lang.foreign.Arena;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The intent that a key is declared with, given the operations of its client. */
class BufferedRecordTest {
    private static final Catalog CATALOG =
            new Catalog(new RingPlacement(1, 1), 8, List.of(TableSchema.ofLongKeys(0, "numbers", 8, 10)));

    private final BufferedRecord buffered = new BufferedRecord(CATALOG.table(0), new Key.OfLong(7), true);

    @Test
    void shouldWriteOrDeleteARecordBlindlyIfItWasNeverRead() {
        assertThat(buffered.need()).isEqualTo(Intent.READ);
        buffered.put(Bytes.wrap(new byte[8]));
        assertThat(buffered.need()).isEqualTo(Intent.WRITE);
        buffered.delete();
        assertThat(buffered.need()).isEqualTo(Intent.DELETE);
    }

    @Test
    void shouldUpdateAPutRecordThatIsWantedForUpdate() {
        buffered.put(Bytes.wrap(new byte[8]));
        buffered.wantForUpdate();
        assertThat(buffered.need()).isEqualTo(Intent.UPDATE);
    }

    // A procedure's next run may read a record that this run has only written.
    @Test
    void shouldNotDeclareBeforehandThatAProcedureWritesBlindly() {
        buffered.put(Bytes.wrap(new byte[8]));
        assertThat(buffered.startOver(true)).isTrue();
        Transaction txn = begin();
        buffered.declareWanted(txn);
        assertThat(txn.access(0).intent()).isEqualTo(Intent.UPDATE);
    }

    // An order's number is the next free one: when the procedure runs again, another transaction may have
    // taken it.
    @Test
    void shouldNotDeclareAnInsertOfAKeyThatTheProcedureHasNotNamed() {
        BufferedRecord added = new BufferedRecord(CATALOG.table(0), new Key.OfLong(7), false);
        added.put(Bytes.wrap(new byte[8]));
        assertThat(added.need()).isEqualTo(Intent.INSERT);
        assertThat(added.startOver(true)).isTrue();
        Transaction txn = begin();
        added.declareWanted(txn);
        assertThat(txn.size()).isZero();
        added.put(Bytes.wrap(new byte[8]));
        assertThat(added.need()).as("if it is put again").isEqualTo(Intent.INSERT);
    }

    @Test
    void shouldDeclareAnInsertOfAKeyThatTheProcedureHasNamed() {
        BufferedRecord added = new BufferedRecord(CATALOG.table(0), new Key.OfLong(7), true);
        added.want(Intent.INSERT);
        assertThat(added.startOver(false)).isTrue();
        Transaction txn = begin();
        added.want(Intent.INSERT);
        added.declareWanted(txn);
        assertThat(txn.access(0).intent()).isEqualTo(Intent.INSERT);
    }

    @Test
    void shouldBeServedByABlindWriteOfARecordThatIsThere() {
        buffered.put(Bytes.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}));
        Transaction txn = begin();
        buffered.declare(txn, buffered.need());
        buffered.access().foundNothing();
        assertThat(buffered.isServed()).as("of one that is not").isFalse();
        buffered.access().foundTuple();
        assertThat(buffered.isServed()).isTrue();
        buffered.apply();
        assertThat(txn.access(0).getLong(0)).isEqualTo(0x0807060504030201L);
        buffered.delete();
        assertThat(buffered.isServed()).as("a delete").isFalse();
    }

    private static Transaction begin() {
        Memory buffers = Memory.allocate(Arena.ofAuto(), 4096);
        FakeWorker worker = new FakeWorker(0);
        Transaction txn = new Transaction(
                new FakeCoroutine(0, worker),
                CATALOG,
                new BufferSlice(buffers, 0, buffers.size()),
                new TimestampClock(new WallClock(worker, 0), 0, 0));
        txn.begin(true);
        return txn;
    }
}
