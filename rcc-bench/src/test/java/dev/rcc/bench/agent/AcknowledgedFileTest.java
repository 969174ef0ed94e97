package dev.rcc.bench.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.verify.AcknowledgedWrites;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.TestTransactions;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.ClusterInspection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file of a node whose process is gone, in a cluster whose tables are empty at the end. */
class AcknowledgedFileTest {
    private static final long KEY = 5;

    private final Catalog catalog =
            new Catalog(new RingPlacement(1, 1), 8, List.of(TableSchema.ofLongKeys(0, "numbers", 16, 30)));
    private final Table table = catalog.table(0);
    private final Transaction txn = TestTransactions.create(new FakeWorker(0), 0, catalog, 1 << 12);

    @TempDir
    private Path directory;

    private AcknowledgedFile file;

    @BeforeEach
    void create() {
        file = AcknowledgedFile.create(directory, null);
        txn.begin(true);
        txn.insert(table, KEY).foundNothing();
        txn.commitTs(1 << 20);
        file.committed(txn, 0, 1);
    }

    private void logDelete() {
        txn.begin(true);
        txn.delete(table, KEY).foundTuple();
        txn.commitTs(2 << 20);
        txn.logBegins();
        file.logging(txn, 0);
    }

    private List<String> lost() throws IOException {
        AcknowledgedWrites writes = new AcknowledgedWrites((transaction, beginNanos, endNanos) -> {});
        AcknowledgedFile.read(directory, writes);
        return writes.lost(
                catalog,
                new ClusterInspection(Protocols.byName("nowait"), catalog, Collections.<Memstore>singletonList(null)));
    }

    @Test
    void shouldReportAnAcknowledgedInsertWithoutARecordAsLost() throws IOException {
        assertThat(lost()).singleElement().asString().contains("the key has no record");
    }

    @Test
    void shouldNotReportAnInsertAsLostAfterACommittedDelete() throws IOException {
        logDelete();
        file.committed(txn, 0, 1);
        assertThat(lost()).isEmpty();
    }

    // The process was killed while the delete was logged: it may have committed.
    @Test
    void shouldNotReportAnInsertAsLostAfterADeleteWithoutOutcome() throws IOException {
        logDelete();
        assertThat(lost()).isEmpty();
    }

    // The other nodes have taken this one for dead, and may find the delete in their logs.
    @Test
    void shouldNotReportAnInsertAsLostAfterADeleteWhoseLogFailed() throws IOException {
        logDelete();
        file.aborted(txn, 0, 1);
        assertThat(lost()).isEmpty();
    }

    @Test
    void shouldReportAnInsertAsLostAfterAnAbortedDelete() throws IOException {
        logDelete();
        file.aborted(txn, 0, 1);
        file.attemptAborted(txn);
        assertThat(lost()).hasSize(1);
    }
}
