package dev.rcc.client;

import dev.rcc.client.wire.Key;
import dev.rcc.client.wire.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Converts a program's keys to a table's keys and back. Immutable, for any thread.
 *
 * @param <K> the type of the program's keys
 */
public final class KeyType<K> {
    /** 64-bit numbers, in tables with 64-bit keys. */
    public static final KeyType<Long> LONG =
            new KeyType<>("long", true, KeyPart.LONG, Key::of, key -> ((Key.OfLong) key).value());

    /** 32-bit numbers, in tables with 64-bit keys. */
    public static final KeyType<Integer> INTEGER = new KeyType<>(
            "int",
            true,
            KeyPart.INTEGER,
            key -> Key.of(key.longValue()),
            key -> Math.toIntExact(((Key.OfLong) key).value()));

    /** Texts of whole characters, in tables with byte-string keys, as UTF-8. Not empty. */
    public static final KeyType<String> STRING = new KeyType<>(
            "String",
            false,
            KeyPart.STRING,
            key -> Key.of(Utf8.bytes("a key", key)),
            key -> new String(((Key.OfBytes) key).value().unsafeArray(), StandardCharsets.UTF_8));

    /** Bytes, in tables with byte-string keys. Not empty. */
    public static final KeyType<byte[]> BYTES = new KeyType<>(
            "byte[]",
            false,
            KeyPart.BYTES,
            Key::of,
            key -> ((Key.OfBytes) key).value().toArray());

    private final String name;
    private final boolean isLong;
    /** The type of these keys as parts of composite keys, or null if they cannot be parts. */
    private final KeyPart part;

    private final Function<K, Key> toWire;
    private final Function<Key, K> fromWire;

    private KeyType(String name, boolean isLong, KeyPart part, Function<K, Key> toWire, Function<Key, K> fromWire) {
        this.name = name;
        this.isLong = isLong;
        this.part = part;
        this.toWire = toWire;
        this.fromWire = fromWire;
    }

    /**
     * {@return a type for keys of several parts, in tables with byte-string keys} The keys are ordered by their first parts, then by their second
     * parts, and so on. Numbers are ordered by value, texts and bytes by their unsigned bytes. A {@link #LONG} takes 8 bytes of the table's key, an
     * {@link #INTEGER} 4. A text or bytes take their own length, 2 more, and 1 more for each zero byte in them; they may be empty.
     *
     * @param parts the types of the parts, at least one, none of them composite
     * @throws IllegalArgumentException when there is no part, or a part is composite
     */
    public static KeyType<CompositeKey> composite(KeyType<?>... parts) {
        if (parts.length == 0) {
            throw new IllegalArgumentException("a composite key has at least one part");
        }
        List<KeyPart> keyParts = new ArrayList<>();
        for (KeyType<?> each : parts) {
            if (each.part == null) {
                throw new IllegalArgumentException("part " + (keyParts.size() + 1)
                        + " must be a LONG, INTEGER, STRING or BYTES, got " + each + ": name its parts instead");
            }
            keyParts.add(each.part);
        }
        CompositeKeyCodec codec = new CompositeKeyCodec(keyParts);
        return new KeyType<>(codec.toString(), false, null, codec::encode, codec::decode);
    }

    boolean isLong() {
        return isLong;
    }

    Key encode(K key) {
        return toWire.apply(key);
    }

    K decode(Key key) {
        return fromWire.apply(key);
    }

    /** The keys' type in Java. */
    @Override
    public String toString() {
        return name;
    }
}
