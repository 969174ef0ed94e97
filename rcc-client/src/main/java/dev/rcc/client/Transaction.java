package dev.rcc.client;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A transaction: what it reads is as if nobody else were there, and what it writes comes to pass all at once when it commits. It sees
 * its own writes. For one thread at a time.
 *
 * <p>Every method may end with a {@link RccException}; those of {@link RccClient#transact} pass through the program's code on their way,
 * which must let them.
 */
public interface Transaction {
    /** Reads a record. */
    <K, V> Optional<V> get(Table<K, V> table, K key);

    /**
     * Reads a record that must be there.
     *
     * @throws RecordNotFoundException when it is not
     */
    <K, V> V require(Table<K, V> table, K key);

    /** Reads a record that is going to be written: protocols that take locks keep others off from now on, if there is one. */
    <K, V> Optional<V> getForUpdate(Table<K, V> table, K key);

    /**
     * Asks for a record without waiting for it, so that several travel together. What is done with the answer runs on a virtual thread.
     */
    <K, V> CompletableFuture<Optional<V>> getAsync(Table<K, V> table, K key);

    /** Writes a record, whether there was one or not. Does not wait: it travels with the next call that does. */
    <K, V> void put(Table<K, V> table, K key, V value);

    /**
     * Adds a record.
     *
     * @throws RecordExistsException when the key has one; the transaction may go on
     */
    <K, V> void insert(Table<K, V> table, K key, V value);

    /** Removes a record, and says whether there was one. */
    <K, V> boolean delete(Table<K, V> table, K key);

    /**
     * Reads the records of a range of an ordered table in the order of their keys.
     *
     * @param from the first key of the range
     * @param last the last key of the range, inclusive
     * @param limit most records to be read, at least 1
     */
    default <K, V> List<Entry<K, V>> scan(Table<K, V> table, K from, K last, int limit) {
        return scan(table, KeyRange.between(from, last), limit);
    }

    /** Reads the first records of a range, at most {@code limit}, 1 or more; the table is ordered. */
    <K, V> List<Entry<K, V>> scan(Table<K, V> table, KeyRange<K> range, int limit);

    /** Reads the records of a range that are going to be written, as {@link #scan(Table, Object, Object, int)}. */
    default <K, V> List<Entry<K, V>> scanForUpdate(Table<K, V> table, K from, K last, int limit) {
        return scanForUpdate(table, KeyRange.between(from, last), limit);
    }

    /** Reads the records of a range that are going to be written, as {@link #scan(Table, KeyRange, int)}. */
    <K, V> List<Entry<K, V>> scanForUpdate(Table<K, V> table, KeyRange<K> range, int limit);
}
