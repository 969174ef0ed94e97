package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.CallOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.Table;
import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.KeyPartition;
import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.KeyHash;
import dev.rcc.core.testing.ZonedPlacement;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
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
                .near(new Table<>("any", type, Codec.ofLong()), key)
                .near();
    }

    /** As nodes have it, in {@code count} partitions: the bits of the hash by which partitions are chosen. */
    private static int partition(long hash, int count) {
        return (int) Math.unsignedMultiplyHigh(hash, count);
    }

    /** Two hashes that differ show it where there are very many partitions. */
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
                    assertThat(told.primary(Key.of(number)))
                            .as("seed %s, %s in %s", SEED, number, placement)
                            .isEqualTo(placement.primary(placement.partition(KeyHash.of(number))));
                }
            }
        }
    }

    // The page of the wire protocol has these.
    @Test
    void shouldHashAsTheManualShows() {
        assertThat(KeyPartition.of(Key.of(-2), 1024)).isEqualTo(972);
        assertThat(KeyPartition.of(Key.of("ab".getBytes(StandardCharsets.UTF_8)), 1024))
                .isEqualTo(49);
        assertThat(KeyPartition.of(Key.of("account-1".getBytes(StandardCharsets.UTF_8)), 1024))
                .isEqualTo(494);
    }
}
