package dev.rcc.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.bench.driver.BenchConfig;
import dev.rcc.bench.driver.BenchRunner;
import dev.rcc.bench.workload.ClientGenerator;
import dev.rcc.bench.workload.Workload;
import dev.rcc.bench.workloads.Workloads;
import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.Table;
import dev.rcc.core.protocol.HybridCode;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.process.ServerOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** TPC-C's durability (3.5): all processes are killed under load, and no acknowledged order is missing. */
class TpccDurabilityIT {
    private static final int NODES = 3;
    private static final int CLIENTS = 6;
    private static final int ORDERS = 60;
    private static final int PUTS = 10;
    private static final Workload WORKLOAD = Workloads.create(
            "tpcc",
            Map.of(
                    "districts",
                    "2",
                    "customers",
                    "10",
                    "items",
                    "30",
                    "growth-percent",
                    "20000",
                    "only",
                    "new-order",
                    "rollback-percent",
                    "0"));

    @TempDir
    private Path directory;

    private final AtomicBoolean killed = new AtomicBoolean();
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();

    private RccProcess up() throws Exception {
        String tables = ServerOptions.describe(WORKLOAD.tables(NODES));
        return RccProcess.up(
                directory,
                "--fabric",
                "tcp",
                "--protocol",
                "nowait",
                "--failure-ms",
                "30000",
                "--durability",
                "disk",
                "--tables",
                tables);
    }

    private List<JsonNode> nodes() {
        return RccProcess.status(directory).get("nodes").valueStream().toList();
    }

    private RccClient connect() {
        return RccClient.connect(nodes().getFirst().get("client").asString());
    }

    // Method: clients write the population of a cluster in this JVM, as servers load nothing. A NewOrder that
    // fails may have happened or not. Afterwards each district is looked at, as clients do during a run.
    @Test
    void shouldHaveAllOrdersThatWereAcknowledgedWhenAllProcessesHadBeenKilled() throws Exception {
        LongTest.TPCC_DURABILITY.assumeDrawn();
        try (EmbeddedCluster model = model()) {
            List<ClientGenerator> terminals = WORKLOAD.clientGenerators(
                    model.catalog(), CLIENTS, new SplittableRandom(Long.getLong("rcc.seed", 5)));
            long before;
            try (RccProcess up = up();
                    RccClient client = connect()) {
                copy(model, client);
                before = nextOrders(client);
                order(terminals, up);
            }
            try (RccProcess up = up();
                    RccClient client = connect()) {
                long grown = nextOrders(client) - before;
                assertThat(grown)
                        .as("acknowledged and unknown orders, of %s", up)
                        .isBetween(acknowledged.get(), acknowledged.get() + unknown.get());
                assertThat(acknowledged.get()).isGreaterThanOrEqualTo(ORDERS);
                look(client, terminals.getFirst());
                assertThat(up.err()).doesNotContain("damaged");
            }
        }
    }

    /** The loaded data, in a cluster of the same shape. */
    private static EmbeddedCluster model() {
        Protocol protocol = Protocols.byName("nowait");
        BenchConfig config = BenchConfig.local(
                protocol,
                HybridCode.parse(protocol, "rpc"),
                WORKLOAD,
                new BenchConfig.Shape(NODES, 1, 1, 1),
                new BenchConfig.Times(0, 1),
                1);
        EmbeddedCluster cluster = new EmbeddedCluster(BenchRunner.clusterConfig(config));
        WORKLOAD.load(cluster.loader());
        cluster.start();
        return cluster;
    }

    /** All but the indexes, which follow. */
    private static List<Table<Long, byte[]>> tables() {
        return WORKLOAD.tables(NODES).stream()
                .filter(schema -> !schema.isIndex())
                .map(TpccDurabilityIT::table)
                .toList();
    }

    private static Table<Long, byte[]> table(TableSchema schema) {
        return new Table<>(schema.name(), KeyType.LONG, Codec.ofBytes(schema.recordBytes()));
    }

    private static void copy(EmbeddedCluster model, RccClient client) {
        for (Table<Long, byte[]> table : tables()) {
            Map<Long, byte[]> rows = new TreeMap<>();
            model.inspect().forEachTuple(model.catalog().table(table.name()), (memory, key, record) -> {
                byte[] row = new byte[table.codec().bytes()];
                memory.getBytes(record, row, 0, row.length);
                rows.put(memory.getLong(key), row);
            });
            List<Long> keys = List.copyOf(rows.keySet());
            for (int from = 0; from < keys.size(); from += PUTS) {
                List<Long> some = keys.subList(from, Math.min(keys.size(), from + PUTS));
                client.transact(RccProcess.PATIENT, txn -> {
                    some.forEach(key -> txn.put(table, key, rows.get(key)));
                    return null;
                });
            }
        }
    }

    /** The sum of D_NEXT_O_ID, the first field of a district. */
    private static long nextOrders(RccClient client) {
        Table<Long, byte[]> districts = tables().stream()
                .filter(table -> table.name().equals("district"))
                .findFirst()
                .orElseThrow();
        return client.<Long>read(RccProcess.PATIENT, txn -> {
            long sum = 0;
            for (long warehouse = 1; warehouse <= NODES; warehouse++) {
                for (long district = 1; district <= 2; district++) {
                    byte[] record = txn.require(districts, warehouse << 40 | district << 32);
                    sum += ByteBuffer.wrap(record)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .getLong();
                }
            }
            return sum;
        });
    }

    /** Has clients order until all processes are killed, which is after a number of acknowledged orders. */
    private void order(List<ClientGenerator> terminals, RccProcess up) throws Exception {
        List<JsonNode> nodes = nodes();
        ClientOptions options = ClientOptions.DEFAULT.withCall(
                CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(5)).withMaxAttempts(100));
        try (RccClient client = RccClient.connect(nodes.getFirst().get("client").asString(), options);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            try {
                terminals.forEach(
                        terminal -> clients.add(CompletableFuture.runAsync(() -> order(client, terminal), threads)));
                RccProcess.await("clients order, of " + up, () -> acknowledged.get() >= ORDERS);
                RccProcess.kill(nodes);
            } finally {
                killed.set(true);
            }
            CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new))
                    .get(RccProcess.HANG_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void order(RccClient client, ClientGenerator terminal) {
        while (!killed.get()) {
            terminal.next();
            try {
                client.transact(terminal.near(CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(5))), txn -> {
                    terminal.perform(txn);
                    return null;
                });
                terminal.committed();
                acknowledged.incrementAndGet();
            } catch (RccException e) {
                unknown.incrementAndGet();
            }
        }
    }

    private static void look(RccClient client, ClientGenerator terminal) {
        for (int district = 0; district < 2 * NODES; district++) {
            client.read(RccProcess.PATIENT, txn -> {
                terminal.look(txn);
                return null;
            });
            terminal.looked();
        }
        assertThat(terminal.counts())
                .containsEntry("looks", 2L * NODES)
                .allSatisfy((name, count) -> assertThat(name).doesNotStartWith("looks_that_violate"));
    }
}
