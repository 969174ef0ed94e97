package dev.rcc.server.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.IndexSchema.Part;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.ClusterInspection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Loading {@linkplain Loader#inParallel in parallel}: each task loads the records of one partition. */
class LoaderTest {
    private static final int NODES = 3;
    private static final int RECORDS = 200;
    private static final TableSchema TABLE =
            TableSchema.ofLongKeys(0, "users", 8, 2 * RECORDS).modulo(1);
    private static final TableSchema INDEX =
            TableSchema.index(1, "by_age", TABLE, false, List.of(Part.ofKey(0, 1), Part.ofLong(0)));

    private final Protocol protocol = Protocols.byName("nowait");

    private List<Memstore> memstores(Catalog catalog) {
        return IntStream.range(0, NODES)
                .mapToObj(node -> new Memstore(catalog, new FakeFabric(node)))
                .toList();
    }

    private Catalog catalog(TableSchema... tables) {
        return new Catalog(new RingPlacement(NODES, 2), protocol.metadataBytes(), List.of(tables));
    }

    /** Has as many tasks as nodes load the records whose keys begin with these bytes. */
    private static void load(Loader loader, int... firstBytes) {
        List<Consumer<Loader>> tasks = new ArrayList<>();
        for (int first : firstBytes) {
            tasks.add(each -> {
                for (long i = 0; i < RECORDS; i++) {
                    long age = i * 37 % 101;
                    each.load(each.catalog().table(0), (long) first << 56 | i, record -> record.putLong(0, age));
                }
            });
        }
        loader.inParallel(tasks);
    }

    @Test
    void shouldLoadRecordsWithIndexEntriesInTheSamePartition() {
        Catalog catalog = catalog(TABLE, INDEX.modulo(1));
        List<Memstore> memstores = memstores(catalog);
        Loader loader = new Loader(catalog, memstores);
        load(loader, 0, 1, 2);
        loader.buildIndexes();
        ClusterInspection inspection = new ClusterInspection(protocol, catalog, memstores);
        assertThat(inspection.violations()).isEmpty();
        int[] entries = {0};
        inspection.forEachTuple(catalog.table(1), (memory, key, record) -> entries[0]++);
        assertThat(entries[0]).isEqualTo(NODES * RECORDS);
    }

    @Test
    void shouldRejectAnIndexWithEntriesInOtherPartitions() {
        Loader loader = new Loader(catalog(TABLE, INDEX), memstores(catalog(TABLE, INDEX)));
        assertThatIllegalStateException()
                .isThrownBy(() -> load(loader, 0, 1, 2))
                .withMessageMatching("two tasks load into partition \\d of table by_age at the same time: .*");
    }

    @Test
    void shouldRefuseTwoTasksOfOnePartition() {
        Catalog catalog = catalog(TABLE);
        Loader loader = new Loader(catalog, memstores(catalog));
        assertThatIllegalStateException()
                .isThrownBy(() -> load(loader, 1, 4))
                .withMessageContaining("two tasks load into partition 1 of table users at the same time");
    }

    // Goal: no record is stored under a key by which no transaction can find it.
    @Test
    void shouldRefuseKeysThatTheTableCannotHave() {
        Catalog catalog = catalog(TABLE, TableSchema.ofByteKeys(1, "names", 8, 8, RECORDS));
        Table users = catalog.table(0);
        Table names = catalog.table(1);
        List<Memstore> memstores = memstores(catalog);
        Loader loader = new Loader(catalog, memstores);
        loader.load(names, new byte[1], record -> {});
        loader.load(names, new byte[8], record -> {});
        for (int length : new int[] {0, 9, 12, 2000}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> loader.load(names, new byte[length], record -> {}))
                    .withMessage("table names has keys of 1 to 8 bytes, got " + length + " bytes");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> loader.load(names, 5, record -> {}))
                .withMessage("table names has byte-string keys, got the number 5");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> loader.load(users, new byte[8], record -> {}))
                .withMessage("table users has 64-bit keys, got 8 bytes");
        ClusterInspection inspection = new ClusterInspection(protocol, catalog, memstores);
        assertThat(inspection.violations()).isEmpty();
    }
}
