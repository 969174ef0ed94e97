package dev.rcc.client;

import dev.rcc.client.wire.Bytes;
import dev.rcc.client.wire.Message;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;

/**
 * Describes a table of a cluster to a program. Make it once and share it among threads and clients: nothing is sent to a cluster before it is used.
 *
 * @param <K> the type of the program's keys
 * @param <V> the type of the program's records
 * @param name the table's name in the cluster
 * @param keys how the program's keys are converted to the table's keys
 * @param codec how records are converted to bytes
 */
public record Table<K, V>(String name, KeyType<K> keys, Codec<V> codec) {
    /** Checks that nothing is null. */
    public Table {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(keys, "keys");
        Objects.requireNonNull(codec, "codec");
    }

    /**
     * {@return a table whose records are instances of a Java record class, laid out by {@link Codec#ofRecord}}
     *
     * @param <K> the type of the program's keys
     * @param <R> the record class
     * @param name the table's name in the cluster
     * @param keys how the program's keys are converted to the table's keys
     * @param type the record class, as for {@link Codec#ofRecord}
     * @throws IllegalArgumentException when a component's type has no layout or a component lacks its {@link MaxBytes}, or the class is not
     *     accessible
     */
    public static <K, R extends Record> Table<K, R> of(String name, KeyType<K> keys, Class<R> type) {
        return new Table<>(name, keys, Codec.ofRecord(type));
    }

    Bytes encode(V value, int recordBytes) {
        byte[] bytes = new byte[recordBytes];
        codec.encode(value, ByteBuffer.wrap(bytes, 0, codec.bytes()));
        return Bytes.wrap(bytes);
    }

    /** The record of an answer, or empty if the answer has none. */
    Optional<V> record(Message.Value answer) {
        return Optional.ofNullable(answer.value()).map(this::decode);
    }

    V decode(Bytes bytes) {
        return codec.decode(ByteBuffer.wrap(bytes.unsafeArray(), 0, codec.bytes()));
    }
}
