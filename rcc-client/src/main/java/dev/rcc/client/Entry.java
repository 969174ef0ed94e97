package dev.rcc.client;

/**
 * A record and its key.
 *
 * @param <K> what the program calls a key
 * @param <V> what the program calls a record
 * @param key the record's key
 * @param value the record
 */
public record Entry<K, V>(K key, V value) {}
