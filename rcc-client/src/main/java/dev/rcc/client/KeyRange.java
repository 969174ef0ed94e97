package dev.rcc.client;

import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Key;
import java.util.Arrays;
import java.util.Objects;

/**
 * A range of keys of an ordered table, such as {@code KeyRange.from("a").before("b")} or {@code KeyRange.prefix("user").descending()}. Immutable.
 *
 * <p>Numbers are in their order. Texts and bytes are in the order of their bytes, unsigned, texts in UTF-8; a shorter one comes before
 * those that begin with it. For texts this is the order of code points: "Z" before "a", and not always that of
 * {@link String#compareTo}. Composite keys are in the order of their parts.
 *
 * @param <K> what the program calls a key
 */
public final class KeyRange<K> {
    private enum Kind {
        NONE,
        WITH,
        WITHOUT,
        PREFIX
    }

    private record End<K>(Kind kind, K key) {}

    private final End<K> lower;
    private final End<K> upper;
    private final boolean isDescending;

    private KeyRange(End<K> lower, End<K> upper) {
        this(lower, upper, false);
    }

    private KeyRange(End<K> lower, End<K> upper, boolean isDescending) {
        this.lower = lower;
        this.upper = upper;
        this.isDescending = isDescending;
    }

    /**
     * {@return all keys}
     *
     * @param <K> what the program calls a key
     */
    public static <K> KeyRange<K> all() {
        return new KeyRange<>(new End<>(Kind.NONE, null), new End<>(Kind.NONE, null));
    }

    /**
     * {@return the keys from one on, with it}
     *
     * @param <K> what the program calls a key
     * @param key the first key, which need not be there; not null
     */
    public static <K> KeyRange<K> from(K key) {
        return new KeyRange<>(end(Kind.WITH, key), new End<>(Kind.NONE, null));
    }

    /**
     * {@return the keys after one, without it}
     *
     * @param <K> what the program calls a key
     * @param key the key before the range; not null
     */
    public static <K> KeyRange<K> after(K key) {
        return new KeyRange<>(end(Kind.WITHOUT, key), new End<>(Kind.NONE, null));
    }

    /**
     * {@return the keys from one to another, with both}
     *
     * @param <K> what the program calls a key
     * @param from the first key, which need not be there; not null
     * @param last the last key, which need not be there; not null
     */
    public static <K> KeyRange<K> between(K from, K last) {
        return from(from).to(last);
    }

    /**
     * {@return the keys that begin as one does, with it} Not for a table with numbers.
     *
     * @param <K> what the program calls a key
     * @param key how they begin: a text, bytes, or the first parts of a composite key; not null
     */
    public static <K> KeyRange<K> prefix(K key) {
        return new KeyRange<>(end(Kind.WITH, key), end(Kind.PREFIX, key));
    }

    /**
     * {@return those of these keys up to one, with it} It takes the place of the upper end that there was.
     *
     * @param key the last key, which need not be there; not null
     */
    public KeyRange<K> to(K key) {
        return new KeyRange<>(lower, end(Kind.WITH, key), isDescending);
    }

    /**
     * {@return those of these keys before one, without it} It takes the place of the upper end that there was.
     *
     * @param key the key behind the range; not null
     */
    public KeyRange<K> before(K key) {
        return new KeyRange<>(lower, end(Kind.WITHOUT, key), isDescending);
    }

    /**
     * {@return the same keys, the greatest first} A scan with a limit has the last ones of the range then, without reading those before them. A gateway
     * that speaks a version of the wire protocol before 8 cannot do that: a scan there fails with {@link ErrorCode#UNSUPPORTED_VERSION}.
     */
    public KeyRange<K> descending() {
        return new KeyRange<>(lower, upper, true);
    }

    private static <K> End<K> end(Kind kind, K key) {
        return new End<>(kind, Objects.requireNonNull(key, "key"));
    }

    boolean isDescending() {
        return isDescending;
    }

    Bound lower(KeyType<K> keys) {
        return bound(lower, keys);
    }

    Bound upper(KeyType<K> keys) {
        return bound(upper, keys);
    }

    private static <K> Bound bound(End<K> end, KeyType<K> keys) {
        return switch (end.kind) {
            case NONE -> Bound.NONE;
            case WITH -> Bound.with(keys.encode(end.key));
            case WITHOUT -> Bound.without(keys.encode(end.key));
            case PREFIX -> afterPrefix(keys.encode(end.key));
        };
    }

    /** Before the first byte string that is greater than all that begin with a key. */
    private static Bound afterPrefix(Key prefix) {
        if (!(prefix instanceof Key.OfBytes ofBytes)) {
            throw RccException.of(
                    ErrorCode.BAD_REQUEST, "a number is not the beginning of others: use KeyRange.between", null);
        }
        byte[] bytes = ofBytes.value().unsafeArray();
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == (byte) 0xFF) {
            length--;
        }
        if (length == 0) {
            return Bound.NONE;
        }
        byte[] next = Arrays.copyOf(bytes, length);
        next[length - 1]++;
        return Bound.without(new Key.OfBytes(Bytes.wrap(next)));
    }
}
