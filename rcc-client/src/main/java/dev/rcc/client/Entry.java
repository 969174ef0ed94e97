package dev.rcc.client;

/**
 * A record and its key.
 *
 * @param <K> the type of the program's keys
 * @param <V> the type of the program's records
 * @param key the record's key
 * @param value the record
 */
public record Entry<K, V>(K key, V value) {}
