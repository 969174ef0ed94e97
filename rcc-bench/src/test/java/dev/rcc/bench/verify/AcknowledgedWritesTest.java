package dev.rcc.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeWorker;
import dev.rcc.core.testing.TestTransactions;
import dev.rcc.core.txn.Transaction;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.ClusterInspection;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link AcknowledgedWrites} of a cluster whose tables are empty at the end. */
class AcknowledgedWritesTest {
    private static final long KEY = 5;

    private final Catalog catalog =
            new Catalog(new RingPlacement(1, 1), 8, List.of(TableSchema.ofLongKeys(0, "numbers", 16, 30)));
    private final Table table = catalog.table(0);
    private final Transaction txn = TestTransactions.create(new FakeWorker(0), 0, catalog, 1 << 12);
    private final AcknowledgedWrites writes = new AcknowledgedWrites((transaction, beginNanos, endNanos) -> {});

    private void acknowledgeInsert(long version) {
        writes.acknowledged(0, KeyHash.of(KEY), version, false);
    }

    private void logDelete(long version) {
        txn.begin(true);
        txn.delete(table, KEY).foundTuple();
        txn.commitTs(version);
        txn.logBegins();
        writes.logging(txn, 0);
    }

    private List<String> lost() {
        return writes.lost(
                catalog,
                new ClusterInspection(Protocols.byName("nowait"), catalog, Collections.<Memstore>singletonList(null)));
    }

    @Test
    void shouldReportALostAcknowledgedInsert() {
        acknowledgeInsert(1 << 20);
        assertThat(lost()).singleElement().asString().contains("the key has no record");
    }

    @Test
    void shouldAllowALaterCommittedDelete() {
        acknowledgeInsert(1 << 20);
        logDelete(2 << 20);
        writes.committed(txn, 0, 1);
        assertThat(lost()).isEmpty();
    }

    // The coordinator of the delete is lost: no client was notified of its outcome, and it may have
    // committed.
    @Test
    void shouldAllowALaterDeleteWithoutAnOutcome() {
        acknowledgeInsert(1 << 20);
        logDelete(2 << 20);
        assertThat(lost()).isEmpty();
    }

    // The other nodes have taken the coordinator for dead, and may find the delete in their logs.
    @Test
    void shouldAllowALaterDeleteWhoseLogFailed() {
        acknowledgeInsert(1 << 20);
        logDelete(2 << 20);
        writes.aborted(txn, 0, 1);
        assertThat(lost()).isEmpty();
    }

    @Test
    void shouldReportALossDespiteAnEarlierOrAbortedDelete() {
        acknowledgeInsert(2 << 20);
        logDelete(1 << 20);
        assertThat(lost()).hasSize(1);
        logDelete(3 << 20);
        writes.aborted(txn, 0, 1);
        writes.attemptAborted(txn);
        assertThat(lost()).hasSize(1);
    }
}
