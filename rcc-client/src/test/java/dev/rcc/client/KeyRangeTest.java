package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.Key;
import org.junit.jupiter.api.Test;

class KeyRangeTest {
    @Test
    void shouldHaveTheBoundsThatItIsMadeWith() {
        assertThat(KeyRange.<Long>all().lower(KeyType.LONG)).isEqualTo(Bound.NONE);
        assertThat(KeyRange.<Long>all().upper(KeyType.LONG)).isEqualTo(Bound.NONE);
        KeyRange<Long> between = KeyRange.between(1L, 2L);
        assertThat(between.lower(KeyType.LONG)).isEqualTo(Bound.with(Key.of(1)));
        assertThat(between.upper(KeyType.LONG)).isEqualTo(Bound.with(Key.of(2)));
        KeyRange<Long> open = KeyRange.after(1L).before(2L);
        assertThat(open.lower(KeyType.LONG)).isEqualTo(Bound.without(Key.of(1)));
        assertThat(open.upper(KeyType.LONG)).isEqualTo(Bound.without(Key.of(2)));
        assertThat(open.to(3L).upper(KeyType.LONG)).isEqualTo(Bound.with(Key.of(3)));
    }

    @Test
    void shouldHaveTheSameKeysInTheReverseOrder() {
        KeyRange<Long> range = KeyRange.after(1L).descending().before(2L);
        assertThat(range.isDescending()).isTrue();
        assertThat(KeyRange.after(1L).before(2L).isDescending()).isFalse();
        assertThat(range.lower(KeyType.LONG)).isEqualTo(Bound.without(Key.of(1)));
        assertThat(range.upper(KeyType.LONG)).isEqualTo(Bound.without(Key.of(2)));
    }

    // The end of a prefix is the prefix with its last byte one more; 0xff, which has no more, is left out.
    @Test
    void shouldEndAPrefixRangeBeforeTheNextKeyWithoutThePrefix() {
        assertThat(upper(1, 2)).isEqualTo(Bound.without(key(1, 3)));
        assertThat(upper(1, 0xFF, 0xFF)).isEqualTo(Bound.without(key(2)));
        assertThat(upper(0x7F)).isEqualTo(Bound.without(key(0x80)));
        assertThat(upper(0xFF, 0xFF)).isEqualTo(Bound.NONE);
        assertThat(KeyRange.prefix("ab").lower(KeyType.STRING)).isEqualTo(Bound.with(Key.of(new byte[] {'a', 'b'})));
        assertThatExceptionOfType(BadRequestException.class)
                .isThrownBy(() -> KeyRange.prefix(1L).upper(KeyType.LONG));
    }

    private static Bound upper(int... prefix) {
        return KeyRange.prefix(bytes(prefix)).upper(KeyType.BYTES);
    }

    private static Key key(int... bytes) {
        return Key.of(bytes(bytes));
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
