package dev.rcc.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.CallOptions;
import dev.rcc.client.Codec;
import dev.rcc.client.CompositeKey;
import dev.rcc.client.Entry;
import dev.rcc.client.KeyRange;
import dev.rcc.client.KeyType;
import dev.rcc.client.RccClient;
import dev.rcc.client.Table;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Key;
import dev.rcc.core.store.KeyParts;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link CompositeKey}: procedures of the engine find the records that clients write. {@code -Drcc.seed=S} draws other keys. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CompositeKeysTest {
    private static final long SEED = Long.getLong("rcc.seed", 31);
    private static final int KEYS = 20_000;
    private static final Table<CompositeKey, Long> ORDERS =
            new Table<>("words", KeyType.composite(KeyType.INTEGER, KeyType.INTEGER), Codec.ofLong());
    private static final Table<CompositeKey, Long> PARTS =
            new Table<>("any", KeyType.composite(KeyType.LONG, KeyType.BYTES, KeyType.INTEGER), Codec.ofLong());

    private static Key key(CompositeKey key) {
        return CallOptions.DEFAULT.near(PARTS, key).near().key();
    }

    @Test
    void shouldHaveTheBytesThatTheEngineWrites() {
        Random random = new Random(SEED);
        for (int i = 0; i < KEYS; i++) {
            byte[] part = new byte[random.nextInt(6)];
            for (int at = 0; at < part.length; at++) {
                part[at] = (byte) (random.nextInt(4) - 2);
            }
            long number = random.nextLong();
            int small = random.nextInt();
            byte[] key = new byte[Long.BYTES + KeyParts.bytes(part) + Integer.BYTES];
            KeyParts.putInteger(key, KeyParts.putBytes(key, KeyParts.putLong(key, 0, number), part), small);
            Key.OfBytes clients = (Key.OfBytes) key(CompositeKey.of(number, part, small));
            assertThat(clients.value()).as("seed %d", SEED).isEqualTo(Bytes.wrap(key));
        }
    }

    @Test
    void shouldScanThoseWithTheSameFirstPart() {
        ClientFixture fixture = new ClientFixture("sundial");
        RccClient client = fixture.client;
        for (int customer = -1; customer <= 1; customer++) {
            for (int order = -2; order <= 2; order++) {
                client.put(ORDERS, CompositeKey.of(customer, order), 10L * customer + order);
            }
        }
        assertThat(client.scan(ORDERS, KeyRange.prefix(CompositeKey.of(0)), 10))
                .extracting(Entry::value)
                .containsExactly(-2L, -1L, 0L, 1L, 2L);
        assertThat(client.scan(ORDERS, KeyRange.after(CompositeKey.of(-1, 1)).before(CompositeKey.of(1)), 2))
                .isEqualTo(List.of(new Entry<>(CompositeKey.of(-1, 2), -8L), new Entry<>(CompositeKey.of(0, -2), -2L)));
        fixture.closeAndInspect();
    }
}
