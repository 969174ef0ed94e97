package dev.rcc.client;

import dev.rcc.client.wire.Key;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * How a program's keys are a table's keys.
 *
 * @param <K> what the program calls a key
 */
public final class KeyType<K> {
    /** 64-bit numbers, in tables with such keys. */
    public static final KeyType<Long> LONG = new KeyType<>("long", true, Key::of, key -> ((Key.OfLong) key).value());

    /** 32-bit numbers, in tables with 64-bit keys. */
    public static final KeyType<Integer> INTEGER = new KeyType<>(
            "int", true, key -> Key.of(key.longValue()), key -> Math.toIntExact(((Key.OfLong) key).value()));

    /** Texts, in tables with byte-string keys, as UTF-8. Not empty. */
    public static final KeyType<String> STRING = new KeyType<>(
            "String",
            false,
            key -> Key.of(key.getBytes(StandardCharsets.UTF_8)),
            key -> new String(((Key.OfBytes) key).value().unsafeArray(), StandardCharsets.UTF_8));

    /** Bytes, in tables with byte-string keys. Not empty. */
    public static final KeyType<byte[]> BYTES = new KeyType<>(
            "byte[]", false, Key::of, key -> ((Key.OfBytes) key).value().toArray());

    private final String name;
    private final boolean isLong;
    private final Function<K, Key> toWire;
    private final Function<Key, K> fromWire;

    private KeyType(String name, boolean isLong, Function<K, Key> toWire, Function<Key, K> fromWire) {
        this.name = name;
        this.isLong = isLong;
        this.toWire = toWire;
        this.fromWire = fromWire;
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
