package dev.rcc.bench.shell;

import dev.rcc.client.Codec;
import dev.rcc.client.KeyType;
import dev.rcc.client.Table;
import dev.rcc.client.TableDescription;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/**
 * A table as the shell uses it.
 *
 * @param <K> the Java type of its keys
 * @param about the cluster's description of the table
 * @param table the table, with whole records as bytes
 * @param key reads a key
 * @param show writes a key
 * @param json puts a key into an object
 */
record OpenedTable<K>(
        TableDescription about, Table<K, byte[]> table, Function<Word, K> key, Function<K, String> show, Show<K> json) {

    /** Puts a key into an object. */
    @FunctionalInterface
    interface Show<K> {
        void into(ObjectNode object, K key);
    }

    static OpenedTable<?> of(TableDescription about) {
        return about.hasLongKeys() ? ofLongs(about) : ofBytes(about);
    }

    private static OpenedTable<Long> ofLongs(TableDescription about) {
        return new OpenedTable<>(
                about,
                new Table<>(about.name(), KeyType.LONG, Codec.ofBytes(about.recordBytes())),
                Notation::longKey,
                key -> Long.toString(key),
                (object, key) -> object.put("key", key));
    }

    private static OpenedTable<byte[]> ofBytes(TableDescription about) {
        return new OpenedTable<>(
                about,
                new Table<>(about.name(), KeyType.BYTES, Codec.ofBytes(about.recordBytes())),
                word -> Notation.bytesKey(word, about),
                Notation::show,
                (object, key) -> Shell.put(object, "key", key));
    }
}
