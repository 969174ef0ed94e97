package dev.rcc.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.testing.Seeds;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AddressCacheTest {
    @Test
    void shouldRememberTheLastAddressOfAKeyOrNone() {
        for (int size : new int[] {1, 2, 3, 64}) {
            Seeds.forEach(20, random -> {
                AddressCache cache = new AddressCache(size);
                Map<Integer, Long> model = new HashMap<>();
                for (int step = 0; step < 500; step++) {
                    int table = random.nextInt(3);
                    int key = random.nextInt(40);
                    int both = table * 100 + key;
                    long found = cache.get(table, KeyHash.of(key));
                    assertThat(found).isIn(RemoteAddress.NONE, model.getOrDefault(both, RemoteAddress.NONE));
                    switch (random.nextInt(3)) {
                        case 0 -> {
                            cache.remove(table, KeyHash.of(key));
                            model.remove(both);
                            assertThat(cache.get(table, KeyHash.of(key))).isEqualTo(RemoteAddress.NONE);
                        }
                        default -> {
                            long address = random.nextLong(1 << 20);
                            cache.put(table, KeyHash.of(key), address);
                            model.put(both, address);
                            assertThat(cache.get(table, KeyHash.of(key))).isEqualTo(address);
                        }
                    }
                }
            });
        }
    }

    @Test
    void shouldKeepTheNeighbourThatTookAKeysPlaceWhenTheKeyIsRemoved() {
        AddressCache cache = new AddressCache(1);
        cache.put(0, 1, 100);
        cache.put(0, 2, 200);
        cache.remove(0, 1);
        assertThat(cache.get(0, 1)).isEqualTo(RemoteAddress.NONE);
        assertThat(cache.get(0, 2)).isEqualTo(200);
    }

    @Test
    void shouldHoldMostOfAsManyKeysAsItHasEntries() {
        AddressCache cache = new AddressCache(1000);
        for (long key = 0; key < 1024; key++) {
            cache.put(0, KeyHash.of(key), key);
        }
        int held = 0;
        for (long key = 0; key < 1024; key++) {
            held += cache.get(0, KeyHash.of(key)) == key ? 1 : 0;
        }
        assertThat(held).as("four places a set: 1,024 - 200 on average").isBetween(790, 860);
    }

    @Test
    void shouldHoldAlmostAllOfAQuarterOfTheKeysThatItHasRoomFor() {
        AddressCache cache = new AddressCache(1 << 16);
        for (long key = 0; key < 1 << 14; key++) {
            cache.put(0, KeyHash.of(key), key);
        }
        int missed = 0;
        for (long key = 0; key < 1 << 14; key++) {
            missed += cache.get(0, KeyHash.of(key)) == key ? 0 : 1;
        }
        assertThat(missed).as("of 16,384, direct-mapped 1,812").isLessThan(100);
    }

    @Test
    void shouldReplaceTheKeyThatCameFirst() {
        AddressCache cache = new AddressCache(4);
        for (long key = 0; key < 6; key++) {
            cache.put(0, key, 100 + key);
        }
        cache.remove(0, 4);
        cache.put(0, 6, 106);
        assertThat(cache.get(0, 0)).isEqualTo(RemoteAddress.NONE);
        assertThat(cache.get(0, 1)).isEqualTo(RemoteAddress.NONE);
        assertThat(cache.get(0, 4)).isEqualTo(RemoteAddress.NONE);
        for (long key : new long[] {2, 3, 5, 6}) {
            assertThat(cache.get(0, key)).isEqualTo(100 + key);
        }
    }

    @Test
    void shouldReplaceItsContentsByThoseOfACopiedCache() {
        AddressCache other = new AddressCache(16);
        other.put(0, 1, 101);
        other.deepen(2, 3);
        AddressCache cache = new AddressCache(16);
        cache.put(0, 2, 102);
        cache.copy(other);
        other.put(0, 1, 999);
        assertThat(cache.get(0, 1)).isEqualTo(101);
        assertThat(cache.get(0, 2)).isEqualTo(RemoteAddress.NONE);
        assertThat(cache.depth(2)).isEqualTo(3);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new AddressCache(32).copy(other))
                .withMessage("a cache of 32 entries cannot copy a cache of 16 entries");
    }

    @Test
    void shouldRefuseAnImpossibleSize() {
        for (int entries : new int[] {-1, 0, (1 << 28) + 1}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new AddressCache(entries))
                    .withMessage("an address cache holds 1 to 268435456 entries, got " + entries);
        }
    }
}
