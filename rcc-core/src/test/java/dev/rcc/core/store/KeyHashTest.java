package dev.rcc.core.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.testing.Seeds;
import java.lang.foreign.Arena;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KeyHashTest {
    private final TupleLayout layout = new TupleLayout(0, TableSchema.ofByteKeys(0, "t", 40, 8, 1));
    private final Memory memory = Memory.allocate(Arena.ofAuto(), 64);

    // Method: over 4,096 keys, flipping one bit of the key must flip each bit of the hash half of the time;
    // 45 to 55 % is more than six standard deviations either way.
    @Test
    void shouldFlipEveryBitHalfOfTheTimeWhenOneBitOfALongKeyFlips() {
        SplittableRandom random = new SplittableRandom(5);
        assertAvalanche(64, (i, bit) -> {
            long key = i % 2 == 0 ? i : random.nextLong();
            return KeyHash.of(key) ^ KeyHash.of(key ^ (1L << bit));
        });
    }

    @Test
    void shouldFlipEveryBitHalfOfTheTimeWhenOneBitOfAByteStringFlips() {
        SplittableRandom random = new SplittableRandom(6);
        byte[] key = new byte[13];
        assertAvalanche(13 * 8, (i, bit) -> {
            random.nextBytes(key);
            long before = hash(key);
            key[bit / 8] ^= (byte) (1 << bit % 8);
            return before ^ hash(key);
        });
    }

    @Test
    void shouldFindTheKeyOfAHash() {
        SplittableRandom random = new SplittableRandom(8);
        for (int i = 0; i < 10_000; i++) {
            long key = i % 2 == 0 ? i : random.nextLong();
            assertThat(KeyHash.inverseOf(KeyHash.of(key))).isEqualTo(key);
        }
    }

    // A key that is a prefix of another, or differs in zero bytes at its end only, lies in the same padded bytes.
    @Test
    void shouldHashKeysOfDifferentLengthsInTheSameBytesDifferently() {
        Set<Long> hashes = new HashSet<>();
        for (int length = 1; length <= 40; length++) {
            hashes.add(hash(new byte[length]));
        }
        assertThat(hashes).hasSize(40);
    }

    @Test
    void shouldDependOnTheOrderOfWords() {
        byte[] ab = new byte[16];
        ab[0] = 1;
        byte[] ba = new byte[16];
        ba[8] = 1;
        assertThat(hash(ab)).isNotEqualTo(hash(ba));
    }

    @Test
    void shouldNotReadBytesBehindThePaddedKey() {
        layout.putIdentity(memory, 0, new byte[] {1, 2, 3});
        long hash = KeyHash.of(memory, 8, 3);
        memory.putLong(16, -1);
        assertThat(KeyHash.of(memory, 8, 3)).isEqualTo(hash);
    }

    // The hash decides where tuples lie on every node, so it must not change from one release to the next.
    @Test
    void shouldHashALongKeyToTheFirstNumberOfSplitMix64() {
        assertThat(KeyHash.of(0)).isEqualTo(0xE220A8397B1DCDAFL); // SplitMix64's first number from seed 0
        assertThat(KeyHash.of(1)).isEqualTo(new SplittableRandom(1).nextLong());
    }

    @Test
    void shouldMixWithoutCollisions() {
        Seeds.forEach(10, random -> {
            long start = random.nextLong();
            Set<Long> mixed = new HashSet<>();
            for (int i = 0; i < 10_000; i++) {
                mixed.add(KeyHash.mix(start + i));
            }
            assertThat(mixed).hasSize(10_000);
        });
    }

    private interface Flip {
        long difference(int i, int bit);
    }

    private static void assertAvalanche(int bits, Flip flip) {
        int samples = 4096;
        for (int bit = 0; bit < bits; bit++) {
            int[] flips = new int[Long.SIZE];
            for (int i = 0; i < samples; i++) {
                long difference = flip.difference(i, bit);
                for (int out = 0; out < Long.SIZE; out++) {
                    flips[out] += (int) (difference >>> out & 1);
                }
            }
            for (int out = 0; out < Long.SIZE; out++) {
                assertThat(flips[out]).as("key bit %d, hash bit %d", bit, out).isBetween((int) (samples * 0.45), (int)
                        (samples * 0.55));
            }
        }
    }

    private long hash(byte[] key) {
        layout.putIdentity(memory, 0, key);
        return KeyHash.of(memory, 8, key.length);
    }
}
