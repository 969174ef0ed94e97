package dev.rcc.server.gateway;

import static dev.rcc.server.gateway.ClientFixture.NAMES;
import static dev.rcc.server.gateway.ClientFixture.NUMBERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.ClientTelemetry;
import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.OpenTransaction;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import dev.rcc.client.TableDescription;
import dev.rcc.client.Transaction;
import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Wire;
import dev.rcc.core.cluster.Placement;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.TablePartition;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import dev.rcc.server.node.Client;
import dev.rcc.server.procedure.Procedures;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gateway at which a client begins: that of the record's node, if the client has been notified of it. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NearTest {
    private static final int NODES = 3;
    private static final long KEYS = 60;
    /** More rounds than it takes to meet each gateway for the first time. */
    private static final int WARM_UP = 10;
    /** The gateway of a dead node has transactions that never end. */
    private static final GatewayOptions HASTY =
            GatewayOptions.DEFAULT.withTimeouts(Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofMillis(100));

    /** Counts requests by the gateway that they were sent to. */
    private static final class Counter implements ClientTelemetry {
        private final Map<String, Integer> requests = new ConcurrentHashMap<>();

        @Override
        public Call begin(Operation operation, Call parent) {
            if (operation.kind() == Kind.REQUEST) {
                requests.merge(operation.gateway(), 1, Integer::sum);
            }
            return Call.NONE;
        }

        /** The gateways of the requests since the last call. */
        private List<String> gateways() {
            List<String> gateways = List.copyOf(requests.keySet());
            requests.clear();
            return gateways;
        }
    }

    private final Counter counter = new Counter();

    private static CallOptions near(long key) {
        return CallOptions.DEFAULT.near(NUMBERS, key);
    }

    private ClientFixture fixture(Procedures procedures) {
        return new ClientFixture(
                "nowait", GatewayOptions.DEFAULT, ClientOptions.DEFAULT.withTelemetry(counter), procedures);
    }

    private static int primary(EmbeddedCluster cluster, long key) {
        Placement placement = cluster.catalog().placement();
        return placement.primary(placement.partition(KeyHash.of(key)));
    }

    private void warmUp(RccClient client) {
        for (long key = 0; key < WARM_UP; key++) {
            client.get(NUMBERS, key);
        }
        counter.gateways();
    }

    @Test
    void shouldSendOperationsOnOneRecordToItsPrimary() {
        try (ClientFixture fixture = fixture(Procedures.NONE)) {
            warmUp(fixture.client);
            for (long key = 0; key < KEYS; key++) {
                fixture.client.insert(NUMBERS, key, 1L);
                fixture.client.put(NUMBERS, key, 2L);
                assertThat(fixture.client.get(NUMBERS, key)).hasValue(2L);
                assertThat(fixture.client.delete(NUMBERS, key)).isTrue();
                assertThat(counter.gateways())
                        .as("gateways of key %s", key)
                        .containsExactly(fixture.gateways
                                .gateway(primary(fixture.cluster, key))
                                .address());
            }
        }
    }

    // Goal: for each table, the client knows which part of a key decides its partition. Method: most keys
    // with one prefix have another partition by their hashes.
    @Test
    void shouldSendOperationsToWhereThePrefixIs() throws IOException {
        Table<Long, Long> byNumber = new Table<>("by-number", KeyType.LONG, Codec.ofLong());
        Table<String, Long> byText = new Table<>("by-text", KeyType.STRING, Codec.ofLong());
        List<TableSchema> schemas = List.of(
                TableSchema.ofLongKeys(0, "by-number", 8, 4_000).ordered().modulo(Integer.BYTES),
                TableSchema.ofByteKeys(1, "by-text", 24, 8, 4_000).placedBy(2));
        try (EmbeddedCluster cluster = new EmbeddedCluster(ClusterConfig.of(Protocols.byName("nowait"), schemas)
                .withShape(NODES, 1, 20, 2)
                .withMemory(1 << 18, 1 << 18, 1 << 12))) {
            cluster.start();
            try (EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT);
                    RawClient old = new RawClient(gateways.gateway(0).address());
                    RccClient client =
                            RccClient.connect(gateways.addresses(), ClientOptions.DEFAULT.withTelemetry(counter))) {
                for (long i = 0; i < WARM_UP; i++) {
                    client.get(byNumber, i << Integer.SIZE);
                }
                counter.gateways();
                for (long i = 0; i < KEYS; i++) {
                    client.put(byNumber, 5L << Integer.SIZE | i, i);
                }
                assertThat(counter.gateways())
                        .as("5 modulo 3")
                        .containsExactly(gateways.gateway(2).address());
                for (long i = 0; i < KEYS; i++) {
                    client.put(byText, "ab" + i, i);
                }
                assertThat(counter.gateways()).hasSize(1);
                client.put(byText, "ab", 7L);
                client.execute(CallOptions.DEFAULT.near(byText, "ab7"), txn -> txn.put(byText, "ab8", 7L));
                assertThat(client.tables())
                        .extracting(TableDescription::distribution)
                        .containsExactly("modulo=4", "placed=2");
                old.call(new Message.Hello(1, Wire.TABLE_ATTRIBUTES_VERSION - 1, "", "old"));
                assertThat(old.receive().message()).isInstanceOf(Message.Placement.class);
                assertThat(((Message.Tables) old.call(new Message.DescribeTables())))
                        .isEqualTo(new Message.Tables(
                                List.of(
                                        new Message.TableInfo(0, "by-number", true, 8, 8, true),
                                        new Message.TableInfo(1, "by-text", false, 24, 8, false)),
                                false));
            }
        }
    }

    private static final ProcedureType<Long, Long> READ =
            ProcedureType.ofReader("read", Codec.ofLong(), Codec.ofLong());

    private static StoredProcedure<Long, Long> read() {
        return new StoredProcedure<>() {
            @Override
            public ProcedureType<Long, Long> type() {
                return READ;
            }

            @Override
            public Long run(Transaction txn, Long key) {
                return txn.get(NUMBERS, key).orElse(-1L);
            }
        };
    }

    @Test
    void shouldBeginTransactionsAndCallsNearAKeyThatIsNamed() {
        try (ClientFixture fixture = fixture(Procedures.of(List.of(read())))) {
            warmUp(fixture.client);
            for (long key = 0; key < KEYS; key++) {
                long number = key;
                String home =
                        fixture.gateways.gateway(primary(fixture.cluster, key)).address();
                fixture.client.execute(near(key), txn -> {
                    txn.put(NUMBERS, number, 7L);
                    txn.put(NAMES, "name " + number, 7L);
                });
                assertThat(counter.gateways()).containsExactly(home);
                assertThat(fixture.client.call(near(key), READ, key)).isEqualTo(7L);
                assertThat(counter.gateways()).containsExactly(home);
            }
            for (int i = 0; i < NODES; i++) {
                fixture.client.read(txn -> txn.get(NUMBERS, 1L));
            }
            assertThat(counter.gateways()).as("gateways without a hint").hasSize(NODES);
        }
    }

    // ---- wrong hints, and none -------------------------------------------------------------------------------------

    /** A node that takes the next node for the primary of its own partitions. */
    private record Mistaken(GatewayNode real) implements GatewayNode {
        @Override
        public int node() {
            return real.node();
        }

        @Override
        public String protocol() {
            return real.protocol();
        }

        @Override
        public Catalog catalog() {
            return real.catalog();
        }

        @Override
        public int workers() {
            return real.workers();
        }

        @Override
        public Worker worker(int index) {
            return real.worker(index);
        }

        @Override
        public int coroutines() {
            return real.coroutines();
        }

        @Override
        public TablePartition copy(dev.rcc.core.store.Table table, int partition) {
            return real.copy(table, partition);
        }

        @Override
        public Placed placed() {
            Placement placement = real.placed().placement();
            return new Placed(
                    1,
                    placement.withHolders(placement.holders().stream()
                            .map(holders -> List.of((holders.getFirst() + 1) % NODES))
                            .toList()));
        }

        @Override
        public void spawn(int worker, int coroutine, Client client) {
            real.spawn(worker, coroutine, client);
        }
    }

    // Goal: a wrong guess, which every client makes for a moment after a failover, costs a trip and nothing
    // else.
    @Test
    void shouldDoTheSameWhereTheRecordIsNot() {
        try (ClientFixture fixture = fixture(Procedures.NONE)) {
            List<Gateway> gateways = new ArrayList<>();
            fixture.gateways.close();
            assertThat(fixture.cluster.awaitClients(Duration.ofSeconds(20))).isTrue();
            List<String> addresses = new CopyOnWriteArrayList<>();
            for (int node = 0; node < NODES; node++) {
                gateways.add(new Gateway(
                        new Mistaken(GatewayNode.of(fixture.cluster, node)), GatewayOptions.DEFAULT, () -> addresses));
                addresses.add(gateways.getLast().address());
            }
            try (RccClient client =
                    RccClient.connect(String.join(",", addresses), ClientOptions.DEFAULT.withTelemetry(counter))) {
                warmUp(client);
                for (long key = 0; key < KEYS; key++) {
                    client.insert(NUMBERS, key, key);
                    assertThat(client.get(NUMBERS, key)).hasValue(key);
                    assertThat(counter.gateways())
                            .containsExactly(addresses.get((primary(fixture.cluster, key) + 1) % NODES));
                }
            } finally {
                gateways.forEach(Gateway::close);
            }
        }
    }

    // Goal: gateways send no hints to clients of the protocol's first version.
    @Test
    void shouldSendNoHintsToClientsOfTheFirstVersion() throws IOException {
        try (ClientFixture fixture = fixture(Procedures.NONE);
                RawClient first = new RawClient(fixture.gateways.gateway(1).address());
                RawClient second = new RawClient(fixture.gateways.gateway(1).address())) {
            first.send(new Message.Hello(1, 1, "", "old"));
            assertThat(((Message.Welcome) first.receive().message()).version()).isEqualTo(1);
            int asked = first.send(new Message.DescribeTables());
            assertThat(first.receive().request()).as("what follows the welcome").isEqualTo(asked);
            second.send(new Message.Hello(1, 9, "", "new"));
            assertThat(((Message.Welcome) second.receive().message()).version()).isEqualTo(Wire.VERSION);
            assertThat(second.receive().message()).isEqualTo(new Message.Placement(0, List.of(0, 1, 2)));
        }
    }

    // ---- a node dies -----------------------------------------------------------------------------------------------

    @Test
    void shouldFollowAFailover() throws IOException {
        Table<Long, Long> numbers = new Table<>("numbers", KeyType.LONG, Codec.ofLong());
        int dead = 1;
        try (EmbeddedCluster cluster = new EmbeddedCluster(
                ClusterConfig.of(Protocols.byName("nowait"), List.of(TableSchema.ofLongKeys(0, "numbers", 8, 4_000)))
                        .withShape(NODES, 1, 20, 2)
                        .withRecovery(Duration.ofSeconds(30))
                        .withMemory(1 << 18, 1 << 16, 1 << 12))) {
            cluster.start();
            try (EmbeddedGateways gateways = new EmbeddedGateways(cluster, HASTY);
                    RawClient old = RawClient.greet(gateways.gateway(0).address());
                    RccClient client =
                            RccClient.connect(gateways.addresses(), ClientOptions.DEFAULT.withTelemetry(counter))) {
                for (long key = 0; key < KEYS; key++) {
                    client.put(numbers, key, key);
                }
                gateways.gateway(dead).cut();
                cluster.stopNode(dead);
                for (long key = 0; key < KEYS; key++) {
                    assertThat(client.get(numbers, key)).hasValue(key);
                }
                assertThat(cluster.await(Duration.ofSeconds(20), cluster::isReconfigured))
                        .isTrue();
                assertThat(IntStream.range(0, NODES)
                                .map(partition -> cluster.catalog().placement().primary(partition)))
                        .doesNotContain(dead);
                assertThat(cluster.await(Duration.ofSeconds(20), () -> isFollowed(cluster, gateways, client, numbers)))
                        .as("each get goes to the record's present primary")
                        .isTrue();
                int asked = old.send(new Message.DescribeTables());
                assertThat(old.receive().request())
                        .as("what comes next to a client of the first version")
                        .isEqualTo(asked);
            }
        }
    }

    // Goal: a client that thinks, or is gone without a word, holds up no failover, and can go on after it.
    // Method: its transaction may be idle for an hour, and the cluster may not take so long.
    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "calvin", "dslr"})
    void shouldNotHoldUpAFailoverByATransactionThatWaitsForItsClient(String protocol) {
        Table<Long, Long> numbers = new Table<>("numbers", KeyType.LONG, Codec.ofLong());
        Message.Limits limits = GatewayOptions.DEFAULT.limits();
        int hour = 3_600_000;
        GatewayOptions patient = GatewayOptions.DEFAULT.withLimits(new Message.Limits(
                limits.frameLength(),
                limits.transactions(),
                limits.pipelined(),
                limits.scanRecords(),
                limits.transactionBytes(),
                hour,
                hour));
        int dead = 1;
        try (EmbeddedCluster cluster = new EmbeddedCluster(
                ClusterConfig.of(Protocols.byName(protocol), List.of(TableSchema.ofLongKeys(0, "numbers", 8, 4_000)))
                        .withShape(NODES, 1, 20, 2)
                        .withRecovery(Duration.ofSeconds(30))
                        .withMemory(1 << 18, 1 << 16, 1 << 12))) {
            cluster.start();
            try (EmbeddedGateways gateways = new EmbeddedGateways(cluster, patient);
                    RccClient client = RccClient.connect(gateways.gateway(0).address())) {
                for (long key = 0; key < KEYS; key++) {
                    client.put(numbers, key, key);
                }
                OpenTransaction open = client.begin(Duration.ofMinutes(30));
                while (!open.toString().endsWith(gateways.gateway(0).address())) {
                    open.abort();
                    open = client.begin(Duration.ofMinutes(30));
                }
                assertThat(open.get(numbers, 1L)).hasValue(1L);
                assertThat(open.get(numbers, 2L)).hasValue(2L);
                gateways.gateway(dead).cut();
                cluster.stopNode(dead);
                assertThat(cluster.await(Duration.ofSeconds(20), cluster::isReconfigured))
                        .isTrue();
                open.put(numbers, 1L, 11L);
                assertThat(open.get(numbers, 3L)).hasValue(3L);
                open.commit();
                // under MVCC, the clock of the node that reads may be behind for a moment
                assertThat(cluster.await(
                                Duration.ofSeconds(20),
                                () -> client.get(numbers, 1L).equals(Optional.of(11L))))
                        .isTrue();
            }
        }
    }

    private boolean isFollowed(
            EmbeddedCluster cluster, EmbeddedGateways gateways, RccClient client, Table<Long, Long> numbers) {
        counter.gateways();
        for (long key = 0; key < KEYS; key++) {
            client.get(numbers, key);
            String home = gateways.gateway(primary(cluster, key)).address();
            if (!counter.gateways().equals(List.of(home))) {
                return false;
            }
        }
        return true;
    }
}
