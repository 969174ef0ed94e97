package dev.rcc.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.TestTransactions;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link RecordContents} of a record that one transaction has inserted. */
class RecordContentsTest {
    private static final long KEY = 5;
    private static final long INSERTED = 1 << 20;
    private static final long WRITTEN = 7;
    private static final long OTHER = 8;

    private final Catalog catalog =
            new Catalog(new RingPlacement(1, 1), 0, List.of(TableSchema.ofLongKeys(0, "numbers", 16, 30)));
    private final Table table = catalog.table(0);
    private final Transaction txn = TestTransactions.create(new FakeWorker(0), 0, catalog, 1 << 12);
    private final RecordContents contents = new RecordContents((transaction, beginNanos, endNanos) -> {});

    @BeforeEach
    void insert() {
        txn.begin(true);
        Access access = txn.insert(table, KEY);
        access.foundNothing();
        access.putLong(0, WRITTEN);
        commit(INSERTED);
        txn.begin(true);
    }

    private void commit(long version) {
        txn.commitTs(version);
        contents.logging(txn, 0);
        contents.committed(txn, 0, 1);
    }

    /** Fetches the inserted version, with this word at its start. */
    private Access fetch(Access access, long word) {
        Memory buffers = txn.buffer().memory();
        buffers.putLong(access.imageOffset() + table.layout().tuple().versionOffset(), INSERTED);
        buffers.putLong(access.imageOffset() + table.layout().tuple().recordOffset(), word);
        access.foundTuple();
        return access;
    }

    @Test
    void shouldAcceptReadsOfWhatWasWritten() {
        fetch(txn.read(table, KEY), WRITTEN);
        commit(2 * INSERTED);
        txn.begin(true);
        fetch(txn.update(table, KEY), WRITTEN);
        commit(3 * INSERTED);
        txn.begin(true);
        fetch(txn.delete(table, KEY), WRITTEN);
        commit(4 * INSERTED);
        assertThat(contents.violations()).isEmpty();
    }

    @Test
    void shouldDetectAReadOfOtherBytes() {
        fetch(txn.read(table, KEY), OTHER);
        commit(2 * INSERTED);
        assertDetected();
    }

    @Test
    void shouldDetectOtherBytesInARecordThatWasToBeUpdatedAndWasNot() {
        fetch(txn.update(table, KEY), OTHER);
        commit(2 * INSERTED);
        assertDetected();
    }

    @Test
    void shouldDetectOtherBytesInADeletedRecord() {
        fetch(txn.delete(table, KEY), OTHER);
        commit(2 * INSERTED);
        assertDetected();
    }

    @Test
    void shouldNotTakeAnUpdatedRecordForTheOneThatWasRead() {
        fetch(txn.update(table, KEY), WRITTEN).putLong(0, OTHER);
        commit(2 * INSERTED);
        assertThat(contents.violations()).isEmpty();
    }

    private void assertDetected() {
        assertThat(contents.violations()).singleElement().asString().contains("numbers", "and not as it was written");
    }
}
