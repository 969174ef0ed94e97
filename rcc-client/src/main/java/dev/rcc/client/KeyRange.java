package dev.rcc.client;

import dev.rcc.client.wire.Bound;
import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Key;
import java.util.Arrays;
import java.util.Objects;

/**
 * A range of keys of an ordered table, such as {@code KeyRange.from("a").before("b")} or {@code KeyRange.prefix("user").descending()}. Immutable.
 *
 * <p>Numbers are ordered by value. Texts (in UTF-8) and bytes are ordered by their unsigned bytes; a shorter key comes before the longer keys
 * that begin with it. For texts this is the order of code points: "Z" comes before "a". It is not always the order of
 * {@link String#compareTo}. Composite keys are ordered by their parts.
 *
 * @param <K> the type of the program's keys
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
     * @param <K> the type of the program's keys
     */
    public static <K> KeyRange<K> all() {
        return new KeyRange<>(new End<>(Kind.NONE, null), new End<>(Kind.NONE, null));
    }

    /**
     * {@return the keys from a first key on, including it}
     *
     * @param <K> the type of the program's keys
     * @param key the first key, which need not exist; not null
     */
    public static <K> KeyRange<K> from(K key) {
        return new KeyRange<>(end(Kind.WITH, key), new End<>(Kind.NONE, null));
    }

    /**
     * {@return the keys after a key, excluding it}
     *
     * @param <K> the type of the program's keys
     * @param key the key before the range; not null
     */
    public static <K> KeyRange<K> after(K key) {
        return new KeyRange<>(end(Kind.WITHOUT, key), new End<>(Kind.NONE, null));
    }

    /**
     * {@return the keys from a first key to a last key, including both}
     *
     * @param <K> the type of the program's keys
     * @param from the first key, which need not exist; not null
     * @param last the last key, which need not exist; not null
     */
    public static <K> KeyRange<K> between(K from, K last) {
        return from(from).to(last);
    }

    /**
     * {@return the keys that begin with a prefix, including the prefix itself} Not for a table with 64-bit keys: a scan of such a range throws a
     * {@link BadRequestException}.
     *
     * @param <K> the type of the program's keys
     * @param key the prefix: a text, bytes, or the first parts of a composite key; not null
     */
    public static <K> KeyRange<K> prefix(K key) {
        return new KeyRange<>(end(Kind.WITH, key), end(Kind.PREFIX, key));
    }

    /**
     * {@return this range with another upper end, up to a last key, including it}
     *
     * @param key the last key, which need not exist; not null
     */
    public KeyRange<K> to(K key) {
        return new KeyRange<>(lower, end(Kind.WITH, key), isDescending);
    }

    /**
     * {@return this range with another upper end, before a key, excluding it}
     *
     * @param key the key after the range; not null
     */
    public KeyRange<K> before(K key) {
        return new KeyRange<>(lower, end(Kind.WITHOUT, key), isDescending);
    }

    /**
     * {@return the same keys in descending order} A scan with a limit then returns the last records of the range, and does not read the others. A
     * gateway before version 8 of the wire protocol cannot do that: a scan there fails with {@link ErrorCode#UNSUPPORTED_VERSION}.
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

    /** The bound before the first byte string that is greater than all byte strings with a prefix. */
    private static Bound afterPrefix(Key prefix) {
        if (!(prefix instanceof Key.OfBytes ofBytes)) {
            throw RccException.of(ErrorCode.BAD_REQUEST, "a 64-bit key cannot be a prefix: use KeyRange.between", null);
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
