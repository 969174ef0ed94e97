package dev.rcc.bench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.core.store.Table;
import dev.rcc.core.txn.Outcome;
import dev.rcc.core.txn.Procedure;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.transport.sim.SimOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** A small TPC-C in virtual time: two nodes with a warehouse each, of two districts with 30 customers; 20 items. */
final class TpccCluster implements AutoCloseable {
    static final int CUSTOMERS = 30;
    static final int ITEMS = 20;
    static final TpccScale SCALE = new TpccScale(2, 2, CUSTOMERS, ITEMS);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    final EmbeddedCluster cluster;
    final TpccTables tables;

    TpccCluster(String protocol) {
        Workload workload = workload();
        cluster = EmbeddedCluster.simulated(
                ClusterConfig.of(Protocols.byName(protocol), workload.tables(2))
                        .withShape(2, 1, 2, 2)
                        .withMemory(1 << 18, 1 << 19, 1024),
                SimOptions.of("connectx4-edr"));
        workload.load(cluster.loader());
        cluster.start();
        tables = new TpccTables(cluster.catalog());
    }

    /** The workload of this scale. */
    static Workload workload() {
        return Workloads.create(
                "tpcc",
                Map.of("districts", "2", "customers", Integer.toString(CUSTOMERS), "items", Integer.toString(ITEMS)));
    }

    /** Runs procedures one after the other. */
    List<Outcome> run(Procedure... procedures) {
        List<Outcome> outcomes = Collections.synchronizedList(new ArrayList<>());
        cluster.spawn(0, 0, 0, (runner, self) -> {
            for (Procedure procedure : procedures) {
                outcomes.add(runner.run(procedure));
            }
        });
        await();
        return outcomes;
    }

    /** Waits until all clients have ended, and checks the cluster and all conditions. */
    void await() {
        assertThat(cluster.awaitClients(PATIENCE)).isTrue();
        assertThat(cluster.quiesce(PATIENCE)).isTrue();
        assertThat(cluster.inspect().violations()).isEmpty();
        assertThat(conditions().violations()).isEmpty();
    }

    Conditions conditions() {
        return new Conditions(tables, SCALE, cluster.inspect());
    }

    /** A field of a row. */
    long field(Table table, long key, int offset) {
        return only(table, key, record -> record.getLong(offset));
    }

    /** Whether there is a row. */
    boolean exists(Table table, long key) {
        return !values(table, key, record -> 0L).isEmpty();
    }

    /** Bytes of a row. */
    byte[] bytes(Table table, long key, int offset, int count) {
        byte[] target = new byte[count];
        only(table, key, record -> {
            System.arraycopy(record.getBytes(offset, count), 0, target, 0, count);
            return 0L;
        });
        return target;
    }

    long rows(Table table) {
        long[] count = {0};
        cluster.inspect().forEachTuple(table, (memory, key, record) -> count[0]++);
        return count[0];
    }

    private long only(Table table, long key, ToLongFunction<TpccRecord> value) {
        List<Long> values = values(table, key, value).stream().distinct().toList(); // items are replicated
        assertThat(values).as("rows of %s with key %x", table, key).hasSize(1);
        return values.getFirst();
    }

    private List<Long> values(Table table, long key, ToLongFunction<TpccRecord> value) {
        List<Long> values = new ArrayList<>();
        cluster.inspect().forEachTuple(table, (memory, keyOffset, recordOffset) -> {
            if (memory.getLong(keyOffset) == key) {
                byte[] bytes = new byte[table.schema().recordBytes()];
                memory.getBytes(recordOffset, bytes, 0, bytes.length);
                values.add(value.applyAsLong(new TpccRecord(bytes.length).putBytes(0, bytes)));
            }
        });
        return values;
    }

    // ---- inputs ----------------------------------------------------------------------------------------------------

    /** A NewOrder of these items, five of each, of the warehouse's own stock. */
    static TpccInput newOrder(int warehouse, int district, int customer, int... items) {
        TpccInput input = input(Kind.NEW_ORDER, warehouse, district);
        input.customer = customer;
        input.lines = items.length;
        for (int i = 0; i < items.length; i++) {
            input.items[i] = items[i];
            input.suppliers[i] = warehouse;
            input.quantities[i] = 5;
        }
        return input;
    }

    static TpccInput payment(int warehouse, int district, int customer, long cents) {
        TpccInput input = input(Kind.PAYMENT, warehouse, district);
        input.customer = customer;
        input.amountCents = cents;
        input.historyNumber = 0x1234_5678_9ABCL + customer;
        return input;
    }

    static TpccInput orderStatus(int warehouse, int district, int customer) {
        TpccInput input = input(Kind.ORDER_STATUS, warehouse, district);
        input.customer = customer;
        return input;
    }

    static TpccInput delivery(int warehouse) {
        TpccInput input = input(Kind.DELIVERY, warehouse, 1);
        input.carrier = 7;
        input.firstDistrict = 1;
        input.lastDistrict = SCALE.districts();
        return input;
    }

    static TpccInput stockLevel(int warehouse, int district, int threshold) {
        TpccInput input = input(Kind.STOCK_LEVEL, warehouse, district);
        input.threshold = threshold;
        return input;
    }

    private static TpccInput input(Kind kind, int warehouse, int district) {
        TpccInput input = new TpccInput();
        input.kind = kind;
        input.warehouse = warehouse;
        input.district = district;
        input.customerWarehouse = warehouse;
        input.customerDistrict = district;
        input.name = TpccInput.NO_NAME;
        return input;
    }

    @Override
    public void close() {
        cluster.close();
    }
}
