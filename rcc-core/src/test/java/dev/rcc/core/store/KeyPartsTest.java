package dev.rcc.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyPartsTest {
    private static final int ROUNDS = 50_000;
    private static final long[] NUMBERS = {Long.MIN_VALUE, -1, 0, 1, 255, Long.MAX_VALUE};

    private final long seed = Long.getLong("rcc.seed", System.nanoTime());
    private final Random random = new Random(seed);

    /** A key's parts, bytes as the characters of a text. */
    private record Parts(long number, String text, int small) {
        byte[] bytes() {
            return text.getBytes(StandardCharsets.ISO_8859_1);
        }

        byte[] key() {
            byte[] key = new byte[Long.BYTES + KeyParts.bytes(bytes()) + Integer.BYTES];
            int end =
                    KeyParts.putInteger(key, KeyParts.putBytes(key, KeyParts.putLong(key, 0, number), bytes()), small);
            assertThat(end).isEqualTo(key.length);
            return key;
        }

        int compareTo(Parts other) {
            int byNumber = Long.compare(number, other.number);
            int byBytes = Arrays.compareUnsigned(bytes(), other.bytes());
            return byNumber != 0 ? byNumber : byBytes != 0 ? byBytes : Integer.compare(small, other.small);
        }
    }

    private Parts draw() {
        byte[] bytes = new byte[random.nextInt(4)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (random.nextInt(4) - 2);
        }
        return new Parts(NUMBERS[random.nextInt(NUMBERS.length)], new String(bytes, StandardCharsets.ISO_8859_1), (int)
                NUMBERS[random.nextInt(NUMBERS.length)]);
    }

    @Test
    void shouldOrderByItsParts() {
        for (int i = 0; i < ROUNDS; i++) {
            Parts a = draw();
            Parts b = draw();
            assertThat(Integer.signum(Arrays.compareUnsigned(a.key(), b.key())))
                    .as("%s and %s, seed %d", a, b, seed)
                    .isEqualTo(Integer.signum(a.compareTo(b)));
        }
    }

    @Test
    void shouldReadThePartsThatWereWritten() {
        for (int i = 0; i < ROUNDS; i++) {
            Parts parts = draw();
            byte[] key = parts.key();
            assertThat(KeyParts.getLong(key, 0)).as("seed %d", seed).isEqualTo(parts.number());
            assertThat(KeyParts.getBytes(key, Long.BYTES)).as("seed %d", seed).isEqualTo(parts.bytes());
            assertThat(KeyParts.getInteger(key, key.length - Integer.BYTES))
                    .as("seed %d", seed)
                    .isEqualTo(parts.small());
        }
    }

    @Test
    void shouldRefuseBytesThatDoNotEnd() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyParts.getBytes(new byte[] {1, 0, (byte) 0xFF, 0}, 0))
                .withMessageContaining("the part at 0 does not end within the key's 4 bytes");
    }
}
