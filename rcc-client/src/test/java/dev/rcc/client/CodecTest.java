package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class CodecTest {
    @SuppressWarnings("ArrayRecordComponent") // compared by their elements
    record All(
            long a,
            int b,
            short c,
            byte d,
            boolean e,
            char f,
            double g,
            float h,
            @MaxBytes(5) String i,
            @MaxBytes(2) byte[] j,
            boolean k) {}

    @Test
    void shouldReadBackItsOwnOutput() {
        Codec<All> codec = Codec.ofRecord(All.class);
        assertThat(codec.bytes()).isEqualTo(8 + 4 + 2 + 1 + 1 + 2 + 8 + 4 + (2 + 5) + (2 + 2) + 1);
        All value = new All(
                Long.MIN_VALUE,
                -2,
                Short.MAX_VALUE,
                (byte) -4,
                true,
                '\u00e9',
                -0.0,
                Float.MIN_VALUE,
                "\u00e9\u00e9",
                new byte[] {9},
                true);
        ByteBuffer bytes = ByteBuffer.allocate(codec.bytes());
        codec.encode(value, bytes);
        assertThat(bytes.hasRemaining()).isFalse();
        All read = codec.decode(bytes.flip());
        assertThat(read).usingRecursiveComparison().isEqualTo(value);
        assertThat(bytes.hasRemaining()).isFalse();
    }

    @Test
    void shouldReadZerosAsNothing() {
        All nothing = Codec.ofRecord(All.class).decode(ByteBuffer.allocate(100));
        assertThat(nothing.i()).isEmpty();
        assertThat(nothing.j()).isEmpty();
        assertThat(nothing.a()).isZero();
    }

    record TooLong(@MaxBytes(3) String name) {}

    @Test
    void shouldRejectAValueThatDoesNotFit() {
        Codec<TooLong> codec = Codec.ofRecord(TooLong.class);
        ByteBuffer bytes = ByteBuffer.allocate(codec.bytes());
        codec.encode(new TooLong("abc"), bytes);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.encode(new TooLong("ab\u00e9"), bytes.clear()))
                .withMessageEndingWith("TooLong.name has room for 3 bytes, got 4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.encode(new TooLong(null), bytes.clear()))
                .withMessageEndingWith("TooLong.name must not be null");
    }

    record NoLimit(String name) {}

    record Strange(Object what) {}

    record Empty() {}

    @Test
    void shouldRejectATypeWithoutAFixedLayout() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codec.ofRecord(NoLimit.class))
                .withMessageContaining("NoLimit.name needs a @MaxBytes of 1 to 65535");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Codec.ofRecord(Strange.class))
                .withMessageContaining("Strange.what is of type java.lang.Object; allowed are long, int");
        assertThatIllegalArgumentException().isThrownBy(() -> Codec.ofRecord(Empty.class));
        assertThatIllegalArgumentException().isThrownBy(() -> Codec.ofBytes(0));
    }

    @Test
    void shouldMakeKeysOfNumbersTextsAndBytes() {
        assertThat(KeyType.INTEGER.decode(KeyType.INTEGER.encode(-7))).isEqualTo(-7);
        assertThat(KeyType.LONG.decode(KeyType.LONG.encode(Long.MIN_VALUE))).isEqualTo(Long.MIN_VALUE);
        assertThat(KeyType.STRING.decode(KeyType.STRING.encode("caf\u00e9"))).isEqualTo("caf\u00e9");
        assertThat(KeyType.BYTES.decode(KeyType.BYTES.encode(new byte[] {0, -1})))
                .containsExactly(0, -1);
        assertThatIllegalArgumentException().isThrownBy(() -> KeyType.STRING.encode(""));
    }
}
