package dev.rcc.client.procedure;

import dev.rcc.client.Table;

/** Keys that a stored procedure says it will access, and for what. To say too much costs locks, to say it wrongly a further attempt. */
public interface KeySet {
    /**
     * The record is read.
     *
     * @param <K> what the program calls a key
     * @param table the record's table
     * @param key the record's key
     */
    <K> void read(Table<K, ?> table, K key);

    /**
     * The record is read or not, and written; it is there most probably.
     *
     * @param <K> what the program calls a key
     * @param table the record's table
     * @param key the record's key
     */
    <K> void update(Table<K, ?> table, K key);

    /**
     * The record is added; it is not there most probably.
     *
     * @param <K> what the program calls a key
     * @param table the record's table
     * @param key the record's key
     */
    <K> void insert(Table<K, ?> table, K key);

    /**
     * The record is removed.
     *
     * @param <K> what the program calls a key
     * @param table the record's table
     * @param key the record's key
     */
    <K> void delete(Table<K, ?> table, K key);
}
