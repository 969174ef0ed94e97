package dev.rcc.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.Memstore;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import dev.rcc.core.testing.FakeFabric;
import dev.rcc.protocols.Protocols;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@link ClusterInspection} of a replicated table, whose partitions are filled one by one. */
class ClusterInspectionTest {
    private static final int NODES = 3;

    private final Protocol protocol = Protocols.byName("nowait");
    private final Catalog catalog = new Catalog(
            new RingPlacement(NODES, 1),
            protocol.metadataBytes(),
            List.of(TableSchema.ofLongKeys(0, "rates", 8, 20).replicated()));
    private final Table table = catalog.table(0);
    private final List<Memstore> memstores = IntStream.range(0, NODES)
            .mapToObj(node -> new Memstore(catalog, new FakeFabric(node)))
            .toList();
    private final Memory identity = Memory.allocate(Arena.ofAuto(), 2 * Memory.WORD_BYTES);
    private final Memory record = Memory.allocate(Arena.ofAuto(), Memory.WORD_BYTES);

    private void load(int partition, long key, long version, long value) {
        identity.putLong(0, TupleLayout.liveHeader(Long.BYTES));
        identity.putLong(Memory.WORD_BYTES, key);
        record.putLong(0, value);
        memstores
                .get(partition)
                .partition(0, partition)
                .load(table.keyHash(partition, key), identity, 0, version, record, 0);
    }

    private List<String> violations() {
        return new ClusterInspection(protocol, catalog, memstores).violations();
    }

    @Test
    void shouldFindNothingWrongWithPartitionsThatHaveTheSameRecords() {
        for (long key = 0; key < 10; key++) {
            for (int partition = 0; partition < NODES; partition++) {
                load(partition, key, 5, key);
            }
        }
        assertThat(violations()).isEmpty();
    }

    @Test
    void shouldReportARecordThatOnlySomePartitionsHave() {
        load(0, 7, 5, 70);
        load(1, 7, 5, 70);
        assertThat(violations())
                .singleElement()
                .asString()
                .matches("table rates, partition 1: the record in slot \\d+ is not in partition 2");
    }

    @Test
    void shouldReportRecordsAndVersionsThatDiffer() {
        for (int partition = 0; partition < NODES; partition++) {
            load(partition, 7, 5, partition == 1 ? 71 : 70);
            load(partition, 8, partition == 0 ? 6 : 5, 80);
        }
        assertThat(violations())
                .hasSize(4)
                .allMatch(violation -> violation.matches(
                        "table rates, partition \\d: the record in slot \\d+ differs in partition \\d"));
    }
}
