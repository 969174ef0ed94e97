package dev.rcc.client;

import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Message;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;

/**
 * A table as a program sees it. Made once and shared: nothing is asked of a cluster before it is used.
 *
 * @param <K> what the program calls a key
 * @param <V> what the program calls a record
 * @param name the table's name in the cluster
 * @param keys how keys are the table's keys
 * @param codec how records are bytes
 */
public record Table<K, V>(String name, KeyType<K> keys, Codec<V> codec) {
    /** Checks that nothing is missing. */
    public Table {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(codec, "codec");
    }

    /**
     * {@return a table whose records are those of a Java record class, as {@link Codec#ofRecord} lays them out}
     *
     * @param <K> what the program calls a key
     * @param <R> the record class
     * @param name the table's name in the cluster
     * @param keys how keys are the table's keys
     * @param type the record class, as {@link Codec#ofRecord} takes it
     * @throws IllegalArgumentException when a component is of a type that has no layout, or lacks its {@link MaxBytes}
     */
    public static <K, R extends Record> Table<K, R> of(String name, KeyType<K> keys, Class<R> type) {
        return new Table<>(name, keys, Codec.ofRecord(type));
    }

    Bytes encode(V value, int recordBytes) {
        byte[] bytes = new byte[recordBytes];
        codec.encode(value, ByteBuffer.wrap(bytes, 0, codec.bytes()));
        return Bytes.wrap(bytes);
    }

    /** The record of an answer, or empty if there is none. */
    Optional<V> record(Message.Value answer) {
        return Optional.ofNullable(answer.value()).map(this::decode);
    }

    V decode(Bytes bytes) {
        return codec.decode(ByteBuffer.wrap(bytes.unsafeArray(), 0, codec.bytes()));
    }
}
