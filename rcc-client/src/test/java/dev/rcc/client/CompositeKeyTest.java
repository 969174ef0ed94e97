package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.Key;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CompositeKeyTest {
    private static final int ROUNDS = 50_000;
    private static final KeyType<CompositeKey> ALL =
            KeyType.composite(KeyType.LONG, KeyType.STRING, KeyType.INTEGER, KeyType.BYTES);
    private static final List<String> TEXTS =
            List.of("", "a", "ab", "b", "\0", "a\0", "a\0\0", "a\0b", "\u00ff", "\ud83d\ude00");

    /** The order of parts, and of keys with fewer parts before those that go on. */
    private static final Comparator<CompositeKey> ORDER = (a, b) -> {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int compared = switch (i) {
                case 0 -> a.part(i, Long.class).compareTo(b.part(i, Long.class));
                case 1 -> Arrays.compareUnsigned(utf8(a.part(i, String.class)), utf8(b.part(i, String.class)));
                case 2 -> a.part(i, Integer.class).compareTo(b.part(i, Integer.class));
                default -> Arrays.compareUnsigned(a.part(i, byte[].class), b.part(i, byte[].class));
            };
            if (compared != 0) {
                return compared;
            }
        }
        return Integer.compare(a.size(), b.size());
    };

    private final long seed = Long.getLong("rcc.seed", System.nanoTime());
    private final Random random = new Random(seed);

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** A key that is often the same as another, or the same up to a part. */
    private CompositeKey draw() {
        byte[] bytes = new byte[random.nextInt(4)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) List.of(0, 1, 0xFE, 0xFF).get(random.nextInt(4)).intValue();
        }
        Object[] parts = {
            List.of(Long.MIN_VALUE, -1L, 0L, 1L, Long.MAX_VALUE).get(random.nextInt(5)),
            TEXTS.get(random.nextInt(TEXTS.size())),
            List.of(Integer.MIN_VALUE, -1, 0, 255, Integer.MAX_VALUE).get(random.nextInt(5)),
            bytes
        };
        return CompositeKey.of(Arrays.copyOf(parts, 1 + random.nextInt(parts.length)));
    }

    private static byte[] bytes(KeyType<CompositeKey> type, CompositeKey key) {
        return ((Key.OfBytes) type.encode(key)).value().toArray();
    }

    // Goal: the unsigned order of the bytes is that of the parts.
    @Test
    void shouldOrderByItsParts() {
        for (int i = 0; i < ROUNDS; i++) {
            CompositeKey a = draw();
            CompositeKey b = draw();
            assertThat(Integer.signum(Arrays.compareUnsigned(bytes(ALL, a), bytes(ALL, b))))
                    .as("%s and %s, seed %d", a, b, seed)
                    .isEqualTo(Integer.signum(ORDER.compare(a, b)));
        }
    }

    @Test
    void shouldReadThePartsThatItWasMadeOf() {
        for (int i = 0; i < ROUNDS; i++) {
            CompositeKey key = draw();
            assertThat(ALL.decode(ALL.encode(key))).as("seed %d", seed).isEqualTo(key);
        }
    }

    // Goal: a range of a key's first parts has all keys that go on, and no others.
    @Test
    void shouldSelectExactlyTheKeysThatBeginWithAPrefix() {
        for (int i = 0; i < ROUNDS; i++) {
            CompositeKey prefix = draw();
            CompositeKey key = draw();
            boolean goesOn = key.size() >= prefix.size()
                    && CompositeKey.of(Arrays.copyOf(parts(key), prefix.size())).equals(prefix);
            KeyRange<CompositeKey> range = KeyRange.prefix(prefix);
            assertThat(isIn(ALL.encode(key), range.lower(ALL), range.upper(ALL)))
                    .as("%s begins with %s, seed %d", key, prefix, seed)
                    .isEqualTo(goesOn);
        }
    }

    private static Object[] parts(CompositeKey key) {
        Object[] parts = new Object[key.size()];
        Arrays.setAll(parts, key::part);
        return parts;
    }

    private static boolean isIn(Key key, Bound lower, Bound upper) {
        return compare(key, lower.key()) >= 0 && (upper.key() == null || compare(key, upper.key()) < 0);
    }

    private static int compare(Key a, Key b) {
        return ((Key.OfBytes) a).value().compareTo(((Key.OfBytes) b).value());
    }

    @Test
    void shouldHaveTheBytesThatAreDocumented() {
        assertThat(HexFormat.of().formatHex(bytes(ALL, CompositeKey.of(1L, "a\0b", -1))))
                .isEqualTo("8000000000000001" + "6100ff620000" + "7fffffff");
    }

    @Test
    void shouldRejectAnInvalidKeyOrKeyTypeWithTheReason() {
        KeyType<CompositeKey> type = KeyType.composite(KeyType.LONG, KeyType.STRING);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> type.encode(CompositeKey.of(1L, 2)))
                .withMessage("part 2 of a key [Long, String] must be of type String, got 2 of type Integer");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> type.encode(CompositeKey.of(1L, "a", 3)))
                .withMessage("a key [Long, String] has at most 2 parts, got 3: [1, a, 3]");
        assertThatIllegalArgumentException().isThrownBy(CompositeKey::of).withMessageContaining("at least one part");
        assertThatNullPointerException().isThrownBy(() -> CompositeKey.of(1L, null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyType.composite(KeyType.LONG, type))
                .withMessageContaining("part 2 must be a LONG, INTEGER, STRING or BYTES, got [Long, String]");
        assertThatIllegalArgumentException().isThrownBy(KeyType::composite).withMessageContaining("at least one part");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> type.decode(Key.of(new byte[] {1, 2})))
                .withMessageContaining("part 1 does not end");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyType.composite(KeyType.INTEGER).decode(Key.of(new byte[6])))
                .withMessageContaining("it has 2 bytes more");
    }
}
