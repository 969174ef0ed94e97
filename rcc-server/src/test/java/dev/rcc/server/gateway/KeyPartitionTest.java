package dev.rcc.server.gateway;

import static dev.rcc.client.wire.TableAttribute.Distributed.Rule.MODULO;
import static dev.rcc.client.wire.TableAttribute.Distributed.Rule.PREFIX;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.CallOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.KeyPartition;
import dev.rcc.client.wire.Message;
import dev.rcc.client.wire.TableAttribute;
import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.store.Table;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.testing.ZonedPlacement;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** {@link KeyPartition}: clients look for a key where nodes put it. {@code -Drcc.seed=S} draws other keys. */
class KeyPartitionTest {
    private static final long SEED = Long.getLong("rcc.seed", 29);
    private static final int KEYS = 20_000;
    private static final int FINEST = Integer.MAX_VALUE;

    private final Random random = new Random(SEED);

    private static <K> Key near(KeyType<K> type, K key) {
        return CallOptions.DEFAULT
                .near(new dev.rcc.client.Table<>("any", type, Codec.ofLong()), key)
                .near()
                .key();
    }

    /** A partition as nodes compute it, of {@code count} partitions: the bits of the hash by which partitions are chosen. */
    private static int partition(long hash, int count) {
        return (int) Math.unsignedMultiplyHigh(hash, count);
    }

    /** With very many partitions, two different hashes give different partitions. */
    private void check(Key key, long hash) {
        assertThat(KeyPartition.of(key, FINEST)).as("seed %s, %s", SEED, key).isEqualTo(partition(hash, FINEST));
    }

    private static long hash(Memory memory, byte[] key) {
        memory.putLong((long) key.length / Memory.WORD_BYTES * Memory.WORD_BYTES, 0); // zero-padded
        for (int i = 0; i < key.length; i++) {
            memory.segment().set(ValueLayout.JAVA_BYTE, i, key[i]);
        }
        return KeyHash.of(memory, 0, key.length);
    }

    @Test
    void shouldHashNumbersAsNodesDo() {
        for (int i = 0; i < KEYS; i++) {
            long number = i < 100 ? i - 50 : random.nextLong();
            check(near(KeyType.LONG, number), KeyHash.of(number));
            int small = (int) number;
            check(near(KeyType.INTEGER, small), KeyHash.of(small));
        }
        check(near(KeyType.LONG, Long.MIN_VALUE), KeyHash.of(Long.MIN_VALUE));
        check(near(KeyType.LONG, Long.MAX_VALUE), KeyHash.of(Long.MAX_VALUE));
    }

    @Test
    void shouldHashTextsAndBytesAsNodesDo() {
        try (Arena arena = Arena.ofConfined()) {
            Memory memory = Memory.allocate(arena, Key.MAX_BYTES + Memory.WORD_BYTES);
            for (int i = 0; i < KEYS; i++) {
                byte[] bytes = new byte[i < Key.MAX_BYTES ? i + 1 : 1 + random.nextInt(40)];
                random.nextBytes(bytes);
                check(near(KeyType.BYTES, bytes), hash(memory, bytes));
                String text = random.ints(1 + random.nextInt(20), 1, 0x700)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
                check(near(KeyType.STRING, text), hash(memory, text.getBytes(StandardCharsets.UTF_8)));
            }
        }
    }

    @Test
    void shouldFindThePrimaryUnderEveryPlacement() {
        for (Placement home : List.of(
                new RingPlacement(1, 1),
                new RingPlacement(3, 2),
                new RingPlacement(256, 3),
                new ZonedPlacement(3, 2, 3))) {
            for (Placement placement : List.of(home, home.without(0))) {
                var told = Gateway.placementMessage(new GatewayNode.Placed(7, placement));
                assertThat(told.epoch()).isEqualTo(7);
                for (int i = 0; i < KEYS / 10; i++) {
                    long number = random.nextLong();
                    assertThat(told.primaries().get(KeyPartition.of(Key.of(number), placement.partitions())))
                            .as("seed %s, %s in %s", SEED, number, placement)
                            .isEqualTo(placement.primary(placement.partition(KeyHash.of(number))));
                }
            }
        }
    }

    // Goal: under every rule of distribution, a client looks where nodes put the record.
    @Test
    void shouldComputeTheSamePartitionAsNodesForEveryDistribution() {
        try (Arena arena = Arena.ofConfined()) {
            Memory memory = Memory.allocate(arena, Key.MAX_BYTES + Memory.WORD_BYTES);
            for (int nodes : new int[] {1, 3, 16, 250}) {
                for (int i = 0; i < KEYS / 40; i++) {
                    int keyBytes = 1 + random.nextInt(40);
                    byte[] key = new byte[1 + random.nextInt(keyBytes)];
                    random.nextBytes(key);
                    if (random.nextBoolean()) {
                        Arrays.fill(key, key.length / 2, key.length, (byte) 0);
                    }
                    TableSchema bytes = TableSchema.ofByteKeys(0, "bytes", keyBytes, 8, 10);
                    TableSchema longs = TableSchema.ofLongKeys(1, "longs", 8, 10);
                    long number = i % 2 == 0 ? random.nextInt(1000) : random.nextLong();
                    hash(memory, key);
                    TableSchema byPrefix = bytes.placedBy(1 + random.nextInt(keyBytes));
                    TableSchema byNumber = bytes.modulo(1 + random.nextInt(Math.min(keyBytes, Long.BYTES)));
                    for (TableSchema schema : List.of(bytes, byPrefix, byNumber)) {
                        Table table = new Catalog(new RingPlacement(nodes, 1), 8, List.of(schema)).table(0);
                        assertThat(KeyPartition.of(distribution(schema), Key.of(key), nodes))
                                .as("seed %s, key of %s bytes in %s", SEED, key.length, schema)
                                .isEqualTo(table.partition(table.keyHash(memory, 0, key.length)));
                    }
                    int prefixBytes = 1 + random.nextInt(Long.BYTES);
                    for (TableSchema schema : List.of(longs, longs.placedBy(prefixBytes), longs.modulo(prefixBytes))) {
                        Table table = new Catalog(new RingPlacement(nodes, 1), 8, List.of(bytes, schema)).table(1);
                        assertThat(KeyPartition.of(distribution(schema), Key.of(number), nodes))
                                .as("seed %s, key %s in %s", SEED, number, schema)
                                .isEqualTo(table.partition(table.keyHash(number)));
                    }
                    assertThat(KeyPartition.of(distribution(longs.replicated()), Key.of(number), nodes))
                            .isEqualTo(KeyPartition.ANY);
                }
            }
        }
    }

    private static TableAttribute.Distributed distribution(TableSchema schema) {
        return new Message.TableInfo(0, "any", true, 8, 8, true, GatewayCore.attributes(schema)).distribution();
    }

    // The page of the wire protocol has these values.
    @Test
    void shouldHashAsTheManualShows() {
        assertThat(KeyPartition.of(Key.of(-2), 1024)).isEqualTo(972);
        assertThat(KeyPartition.of(Key.of("ab".getBytes(StandardCharsets.UTF_8)), 1024))
                .isEqualTo(49);
        assertThat(KeyPartition.of(Key.of("account-1".getBytes(StandardCharsets.UTF_8)), 1024))
                .isEqualTo(494);
        Key key = Key.of(7L << 32 | 5);
        assertThat(KeyPartition.of(new TableAttribute.Distributed(PREFIX, 4), key, 1024))
                .isEqualTo(KeyPartition.of(Key.of(7), 1024));
        assertThat(KeyPartition.of(new TableAttribute.Distributed(MODULO, 4), key, 5))
                .isEqualTo(2);
    }
}
