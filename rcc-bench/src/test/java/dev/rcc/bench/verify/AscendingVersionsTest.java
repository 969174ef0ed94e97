package dev.rcc.bench.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
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

class AscendingVersionsTest {
    private static final long EARLIER = 1 << 20;
    private static final long COMMIT = 2 << 20;

    private final Catalog catalog =
            new Catalog(new RingPlacement(1, 1), 8, List.of(TableSchema.ofLongKeys(0, "numbers", 16, 30)));
    private final Table table = catalog.table(0);
    private final Transaction txn = TestTransactions.create(new FakeWorker(0), 0, catalog, 1 << 12);
    private final AscendingVersions order = new AscendingVersions((transaction, beginNanos, endNanos) -> {});

    @BeforeEach
    void begin() {
        txn.begin(true);
        txn.commitTs(COMMIT);
    }

    /** An insert of a key into a slot that another one had before. */
    private void insert(long slotVersion, long leafVersion) {
        Access access = txn.insert(table, 5);
        access.slotVersion(slotVersion);
        access.leafVersion(leafVersion);
        access.foundNothing();
        access.putLong(0, 1);
        order.logging(txn, 0);
    }

    @Test
    void shouldAllowAnInsertOverEarlierVersions() {
        insert(EARLIER, EARLIER);
        assertThat(order.violations()).isEmpty();
    }

    @Test
    void shouldNoticeASlotWhoseLastKeyWentLater() {
        insert(COMMIT, EARLIER);
        assertThat(order.violations()).singleElement().asString().contains("numbers", "what it replaces has version");
    }

    @Test
    void shouldNoticeALeafThatChangedLater() {
        insert(EARLIER, COMMIT);
        assertThat(order.violations()).singleElement().asString().contains("numbers", "the leaf has version");
    }
}
