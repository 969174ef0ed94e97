package dev.rcc.server.gateway;

import static dev.rcc.server.gateway.ClientFixture.NUMBERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.ErrorCode;
import dev.rcc.client.RccClient;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.CommitId;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.Wire;
import dev.rcc.core.cluster.Placement;
import dev.rcc.core.fabric.FabricCounter;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.TableSchema;
import dev.rcc.protocols.Protocols;
import dev.rcc.server.EmbeddedCluster;
import dev.rcc.server.config.ClusterConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The partition in which the outcome of a commit is kept, and its cost. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class OutcomePartitionTest {
    private static final int NODES = 4;
    private static final int PUTS = 200;
    /** Fewer slots than puts, so that most puts update the record of an outcome. */
    private static final int SLOTS = 10;

    private static EmbeddedCluster cluster(String protocol, int replicas, int outcomes) {
        EmbeddedCluster cluster = new EmbeddedCluster(ClusterConfig.of(
                        Protocols.byName(protocol),
                        List.of(TableSchema.ofLongKeys(0, "numbers", 8, 4_000), OutcomeRecords.schema(1, outcomes)))
                .withShape(NODES, 1, 20, replicas)
                .withMemory(1 << 18, 1 << 16, 1 << 12));
        cluster.start();
        return cluster;
    }

    private static OutcomeRecords records(EmbeddedCluster cluster) {
        return OutcomeRecords.of(cluster.catalog(), Duration.ofMinutes(10)).orElseThrow();
    }

    private static int partition(EmbeddedCluster cluster, long key) {
        return cluster.catalog().placement().partition(KeyHash.of(key));
    }

    private static long[] keysAt(EmbeddedCluster cluster, int node) {
        Placement placement = cluster.catalog().placement();
        return LongStream.range(0, 4_000)
                .filter(key -> placement.primary(partition(cluster, key)) == node)
                .limit(PUTS)
                .toArray();
    }

    /** How many more batches than round trips there are: in a round trip, a transaction has a batch for each node that it needs. */
    private static long batchesToOtherNodes(EmbeddedCluster cluster, Runnable puts) {
        cluster.resetMetrics();
        long before = cluster.networkCounters().get(FabricCounter.BATCHES);
        puts.run();
        long batches = cluster.networkCounters().get(FabricCounter.BATCHES) - before;
        assertThat(cluster.metrics().committed()).isGreaterThanOrEqualTo(PUTS);
        return batches - cluster.metrics().roundTrips();
    }

    private static void putAsAnEarlierClient(EmbeddedGateways gateways, int node, long[] keys) {
        try (RawClient client = new RawClient(gateways.gateway(node).address())) {
            client.call(new Message.Hello(1, Wire.OUTCOME_PARTITION_VERSION - 1, "", "earlier"));
            Random sessions = new Random(1); // seeded: the slots of some sessions are on few other nodes
            long session = CommitId.session(sessions.nextLong(), CommitId.ANYWHERE);
            for (int i = 0; i < keys.length; i++) {
                Message answer;
                do { // until it does not meet the one before, which may not have unlocked everything
                    client.send(new Message.Begin(i, false, 20_000, 0));
                    client.call(new Message.Put(i, 0, Key.of(keys[i]), value(i)));
                    answer = client.call(new Message.Commit(i, CommitId.of(session, i % SLOTS, 1 + i / SLOTS)));
                    if (answer instanceof Message.Failed failed
                            && failed.code() == ErrorCode.OUTCOME_SLOT_TAKEN.number()) {
                        // Its slot has met a slot of the other client at a key, and would for minutes.
                        session = CommitId.session(sessions.nextLong(), CommitId.ANYWHERE);
                    }
                } while (answer instanceof Message.Failed failed && failed.retryable());
                assertThat(answer).isInstanceOf(Message.Committed.class);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Bytes value(long number) {
        return Bytes.wrap(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    // Goal: a put at its record's primary is a transaction of that node alone; for clients of earlier
    // versions nothing changes.
    // Method: without backups, each round trip of such a transaction has one batch. CALVIN's sequencers send
    // to every node in any case.
    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "dslr"})
    void shouldNeedOneNodeToPut(String protocol) {
        int node = 1;
        try (EmbeddedCluster cluster = cluster(protocol, 1, 1 << 14);
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT);
                RccClient client = RccClient.connect(gateways.addresses())) {
            long[] keys = keysAt(cluster, node);
            for (long key : keys) {
                client.put(NUMBERS, key, 1L); // as an insert, and until the client knows the gateway
            }
            assertThat(batchesToOtherNodes(cluster, () -> {
                        for (long key : keys) {
                            client.put(NUMBERS, key, 2L);
                        }
                    }))
                    .as("batches of %s puts to other nodes", PUTS)
                    .isLessThan(PUTS / 10);
            assertThat(batchesToOtherNodes(cluster, () -> putAsAnEarlierClient(gateways, node, keys)))
                    .as("batches of %s puts of an earlier client to other nodes", PUTS)
                    .isGreaterThan(PUTS / 2);
        }
    }

    private static long roundTrips(EmbeddedCluster cluster, Runnable operations) {
        cluster.resetMetrics();
        operations.run();
        return cluster.metrics().roundTrips();
    }

    // Goal: an operation that is sent along with its commit has its outcome fetched along with its record.
    @ParameterizedTest
    @ValueSource(strings = {"nowait", "waitdie", "occ", "mvcc", "sundial", "dslr"})
    void shouldFetchTheOutcomeAlongWithTheRecord(String protocol) {
        try (EmbeddedCluster cluster = cluster(protocol, 1, 1 << 14);
                EmbeddedGateways gateways = new EmbeddedGateways(cluster, GatewayOptions.DEFAULT);
                RccClient client = RccClient.connect(gateways.addresses())) {
            for (long key = 0; key < PUTS; key++) {
                client.put(NUMBERS, key, 1L); // the gateways have commits' slots, and workers know the way to these
            }
            long together = roundTrips(
                    cluster, () -> LongStream.range(PUTS, 2 * PUTS).forEach(key -> client.insert(NUMBERS, key, 1L)));
            long oneByOne = roundTrips(
                    cluster,
                    () -> LongStream.range(2 * PUTS, 3 * PUTS)
                            .forEach(key -> client.execute(txn -> txn.insert(NUMBERS, key, 1L))));
            assertThat(together).as("round trips of %s inserts", PUTS).isLessThan(oneByOne - PUTS * 9 / 10);
        }
    }

    @Test
    void shouldSpreadSlotsOverTheKeysOfTheirPartition() {
        try (EmbeddedCluster cluster = cluster("nowait", 1, 4_096)) {
            OutcomeRecords records = records(cluster);
            for (int partition = 0; partition < 2 * NODES; partition++) {
                int expected = partition % NODES; // a name may come from anywhere
                long session = CommitId.newSession(partition);
                long[] keys = LongStream.range(0, 64)
                        .map(slot -> records.key(CommitId.of(session, (int) slot, 1)))
                        .toArray();
                assertThat(LongStream.of(keys))
                        .allMatch(key -> key >= 0 && key < 4_096 && partition(cluster, key) == expected);
                assertThat(LongStream.of(keys).distinct().count()).isGreaterThan(50);
                assertThat(records.key(CommitId.of(session, 7, 99))).isEqualTo(keys[7]);
            }
        }
    }

    @Test
    void shouldTakeAnyKeyWhereThePartitionHasNone() {
        try (EmbeddedCluster cluster = cluster("nowait", 1, 1)) {
            OutcomeRecords records = records(cluster);
            for (int partition = 0; partition < NODES; partition++) {
                assertThat(records.key(CommitId.of(CommitId.newSession(partition), 0, 1)))
                        .isZero();
            }
        }
    }

    // Goal: outcomes under names of earlier versions lie where those versions have put them, so that they are
    // found after a change of versions.
    @Test
    void shouldMapCommitIdsOfEarlierVersionsToTheirOriginalKeys() {
        try (EmbeddedCluster cluster = cluster("nowait", 1, 1 << 14)) {
            CommitId id = CommitId.parse("7d5c0ac1e6f449b90003000000000011");
            assertThat(id.partition()).isEqualTo(CommitId.ANYWHERE);
            assertThat(records(cluster).key(id)).isEqualTo(1151);
        }
    }
}
