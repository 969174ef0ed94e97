package dev.rcc.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.TestTransactions;
import dev.rcc.core.txn.Access;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.Protocols;
import dev.rcc.protocols.mvcc.MvccLayout;
import dev.rcc.server.ClusterInspection;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link OldVersions} of a record that was loaded and updated three times, with room for two older ones. */
class OldVersionsTest {
    private static final long KEY = 5;
    private static final long LOADED = 1 << 20;
    private static final long SECOND = 2 << 20;
    private static final long THIRD = 3 << 20;
    private static final long CURRENT = 4 << 20;

    private final Catalog catalog = new Catalog(
            new RingPlacement(1, 1),
            MvccLayout.metadataBytes(2),
            2,
            true,
            List.of(TableSchema.ofLongKeys(0, "numbers", 16, 30)));
    private final Table table = catalog.table(0);
    private final TupleLayout layout = table.layout().tuple();
    private final Memstore memstore = new Memstore(catalog, new FakeFabric(0));
    private final TablePartition partition = memstore.partition(0, 0);
    private final Memory memory = partition.memory();
    private final Transaction txn = TestTransactions.create(new FakeWorker(0), 0, catalog, 1 << 12);
    private final RecordContents contents = new RecordContents((transaction, beginNanos, endNanos) -> {});
    private final OldVersions old = new OldVersions(Protocols.byName("mvcc"), contents, contents);
    private long tuple;

    @BeforeEach
    void loadAndUpdate() {
        txn.begin(true);
        Access access = txn.insert(table, KEY);
        Memory buffers = txn.buffer().memory();
        partition.load(KeyHash.of(KEY), buffers, access.identityOffset(), LOADED, buffers, access.imageOffset());
        tuple = partition.lookup(KeyHash.of(KEY), buffers, access.identityOffset());
        contents.loaded(inspection());
        old.loaded(inspection());
        commit(SECOND, 0);
        commit(THIRD, 1);
        commit(CURRENT, 0);
        keep(0, SECOND);
    }

    private ClusterInspection inspection() {
        return new ClusterInspection(Protocols.byName("mvcc"), catalog, List.of(memstore));
    }

    /** Commits an update, and lays its record into the history. */
    private void commit(long version, int slot) {
        txn.begin(true);
        Access access = txn.update(table, KEY);
        access.foundTuple();
        access.putLong(0, version);
        txn.commitTs(version);
        old.logging(txn, 0);
        old.committed(txn, 0, 1);
        keep(slot, version);
        memory.putLong(tuple + layout.versionOffset(), version);
    }

    private void keep(int slot, long version) {
        memory.putLong(tuple + MvccLayout.wtsOffset(slot), version);
        memory.putLong(tuple + layout.historyRecordOffset(slot), version);
    }

    private List<String> violations() {
        return old.compareAtRest(inspection());
    }

    @Test
    void shouldFindTheLatestOldVersionsInAnyOrder() {
        assertThat(violations()).isEmpty();
        keep(0, THIRD);
        keep(1, SECOND);
        assertThat(violations()).isEmpty();
    }

    @Test
    void shouldMissAVersionThatWasReplacedTooEarly() {
        memory.putLong(tuple + MvccLayout.wtsOffset(1), 0);
        assertThat(violations()).singleElement().asString().contains("numbers", "and not the latest");
    }

    @Test
    void shouldDetectAnOldRecordThatDiffersFromTheWrittenOne() {
        memory.putLong(tuple + layout.historyRecordOffset(1), SECOND);
        assertThat(violations()).singleElement().asString().contains("numbers", "is not as it was written");
    }

    @Test
    void shouldDetectOldVersionsThatADeleteShouldHaveDropped() {
        txn.begin(true);
        txn.delete(table, KEY).foundTuple();
        txn.commitTs(CURRENT - (1 << 19));
        old.committed(txn, 0, 1);
        assertThat(violations()).singleElement().asString().contains("and not the latest, []");
    }
}
