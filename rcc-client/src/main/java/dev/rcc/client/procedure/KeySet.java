package dev.rcc.client.procedure;

import dev.rcc.client.Table;

/** Receives the keys that a stored procedure declares, each with its access. A key too many costs locks; a wrong one costs a further attempt. */
public interface KeySet {
    /**
     * Declares that the record is read.
     *
     * @param <K> the type of the program's keys
     * @param table the record's table
     * @param key the record's key
     */
    <K> void read(Table<K, ?> table, K key);

    /**
     * Declares that the record is written, and perhaps read before; most probably it exists.
     *
     * @param <K> the type of the program's keys
     * @param table the record's table
     * @param key the record's key
     */
    <K> void update(Table<K, ?> table, K key);

    /**
     * Declares that the record is added; most probably it does not exist.
     *
     * @param <K> the type of the program's keys
     * @param table the record's table
     * @param key the record's key
     */
    <K> void insert(Table<K, ?> table, K key);

    /**
     * Declares that the record is removed.
     *
     * @param <K> the type of the program's keys
     * @param table the record's table
     * @param key the record's key
     */
    <K> void delete(Table<K, ?> table, K key);
}
