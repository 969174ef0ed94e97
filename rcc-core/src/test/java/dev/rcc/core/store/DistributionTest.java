package dev.rcc.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.cluster.Placement;
import dev.rcc.core.cluster.RingPlacement;
import dev.rcc.core.memory.Memory;
import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link Distribution} and the hashes of {@link Table}; {@code -Drcc.seed=S} draws other keys. */
class DistributionTest {
    private static final long SEED = Long.getLong("rcc.seed", System.nanoTime());

    private final Random random = new Random(SEED);
    private final Memory memory = Memory.allocate(Arena.ofAuto(), 64);

    private static Table table(int partitions, TableSchema schema) {
        return new Catalog(new RingPlacement(partitions, 1), 8, List.of(schema)).table(0);
    }

    private static TableSchema longs() {
        return TableSchema.ofLongKeys(0, "t", 8, 100);
    }

    private static TableSchema bytes() {
        return TableSchema.ofByteKeys(0, "t", 24, 8, 100);
    }

    private long hash(Table table, byte[] key) {
        memory.zero(0, 64);
        table.layout().tuple().putIdentity(memory, 0, key);
        return table.keyHash(memory, Memory.WORD_BYTES, key.length);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 64, 255, 256})
    void shouldMoveEachHashIntoThePartitionThatIsAskedFor(int partitions) {
        for (int i = 0; i < 10_000; i++) {
            long hash = i == 0 ? -1L : i == 1 ? 0 : random.nextLong();
            int partition = i % partitions;
            long within = KeyHash.within(hash, partition, partitions);
            assertThat(Placement.partition(within, partitions))
                    .as("seed %s, %s", SEED, hash)
                    .isEqualTo(partition);
        }
    }

    @Test
    void shouldLeaveHashesDifferentThatAreMovedIntoAPartition() {
        long[] moved = new long[100_000];
        Arrays.setAll(moved, i -> KeyHash.within(KeyHash.of(i), 2, 3));
        assertThat(Arrays.stream(moved).distinct().count()).isEqualTo(moved.length);
    }

    @Test
    void shouldPlaceNumbersByTheirFirstBytesInTurn() {
        Table table = table(3, longs().modulo(3));
        for (long warehouse = 0; warehouse < 30; warehouse++) {
            for (int i = 0; i < 100; i++) {
                long key = warehouse << 40 | random.nextLong() >>> 24;
                long hash = table.keyHash(key);
                assertThat(Placement.partition(hash, 3)).isEqualTo((int) (warehouse % 3));
                assertThat(table.keyHash((int) (warehouse % 3), key)).isEqualTo(hash);
            }
        }
    }

    @Test
    void shouldPlaceNumbersOfOneFirstByteTogetherAndSpreadTheRest() {
        Table table = table(4, longs().placedBy(1));
        int[] found = new int[4];
        for (long first = 0; first < 256; first++) {
            int partition = Placement.partition(table.keyHash(first << 56), 4);
            assertThat(Placement.partition(table.keyHash(first << 56 | random.nextLong() >>> 8), 4))
                    .as("seed %s", SEED)
                    .isEqualTo(partition);
            found[partition]++;
        }
        assertThat(Arrays.stream(found).min().orElseThrow()).isGreaterThan(30);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 8, 11, 16, 24})
    void shouldPlaceByteStringsByTheirPrefix(int prefixBytes) {
        Table table = table(5, bytes().placedBy(prefixBytes));
        for (int i = 0; i < 1000; i++) {
            byte[] key = new byte[24];
            random.nextBytes(key);
            byte[] other = new byte[24];
            random.nextBytes(other);
            System.arraycopy(key, 0, other, 0, prefixBytes);
            assertThat(Placement.partition(hash(table, other), 5))
                    .as("seed %s", SEED)
                    .isEqualTo(Placement.partition(hash(table, key), 5));
        }
    }

    @Test
    void shouldTakeAByteStringThatIsShorterThanThePrefixAsFollowedByZeros() {
        Table table = table(5, bytes().placedBy(12));
        for (int length = 1; length < 12; length++) {
            byte[] key = new byte[length];
            random.nextBytes(key);
            assertThat(Placement.partition(hash(table, key), 5))
                    .as("seed %s", SEED)
                    .isEqualTo(Placement.partition(hash(table, Arrays.copyOf(key, 20)), 5));
        }
    }

    @Test
    void shouldPlaceByteStringsByANumberInTurn() {
        Table table = table(3, bytes().modulo(8));
        byte[] key = new byte[13];
        for (int number = 0; number < 30; number++) {
            KeyParts.putLong(key, 0, number);
            int first = Placement.partition(hash(table, key), 3);
            KeyParts.putLong(key, 0, number + 1);
            assertThat(Placement.partition(hash(table, key), 3)).isEqualTo((first + 1) % 3);
        }
    }

    @Test
    void shouldRefuseToPlaceByMoreThanAKeyHas() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> longs().placedBy(9))
                .withMessage("table t: the bytes of a key that decide the partition must be 1 to 8, got 9");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bytes().placedBy(25))
                .withMessage("table t: the bytes of a key that decide the partition must be 1 to 24, got 25");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bytes().modulo(9))
                .withMessage("table t: the bytes of a key that decide the partition must be 1 to 8, got 9");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> longs().modulo(0))
                .withMessage("a table is distributed by at least one byte of its keys under the rule MODULO, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> longs().ordered().replicated())
                .withMessage("table t: a replicated table cannot be ordered");
    }

    // Goal: index nodes can be put into any partition, each under an id of its own.
    @Test
    void shouldMakeDistinctIdsInAGivenPartition() {
        for (int partitions : new int[] {1, 2, 3, 7, 250}) {
            Table table = new Catalog(
                            new RingPlacement(partitions, 1),
                            8,
                            List.of(TableSchema.ofLongKeys(0, "any", 8, 10).ordered()))
                    .table(0)
                    .indexNodes();
            Set<Long> ids = new HashSet<>();
            for (int number = 0; number < 5_000; number++) {
                int partition = number % partitions;
                long id = table.idWithin(partition, number);
                assertThat(table.partition(table.keyHash(id))).isEqualTo(partition);
                ids.add(id);
            }
            assertThat(ids).hasSize(5_000);
        }
    }
}
