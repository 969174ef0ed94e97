package dev.rcc.client;

import dev.rcc.client.wire.Patch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A transaction: what it reads is as if no other transaction ran, and what it writes comes to pass all at once when it commits. It sees
 * its own writes. For one thread at a time.
 *
 * <p>Every method may end with a {@link RccException}; those of {@link RccClient#transact} pass through the program's code on their way,
 * which must let them.
 */
public interface Transaction {
    /**
     * Reads a record.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table where it is: the cluster's table has such keys, and records no smaller than the codec's
     * @param key the record's key, not null
     * @return the record, or empty if the key has none
     */
    <K, V> Optional<V> get(Table<K, V> table, K key);

    /**
     * Reads a record that must be there.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table where it is, as for {@link #get}
     * @param key the record's key, not null
     * @return the record
     * @throws RecordNotFoundException when it is not there
     */
    <K, V> V require(Table<K, V> table, K key);

    /**
     * Reads a record that is going to be written: protocols that take locks keep others off from now on, if there is one.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table where it is, as for {@link #get}
     * @param key the record's key, not null
     * @return the record, or empty if the key has none
     */
    <K, V> Optional<V> getForUpdate(Table<K, V> table, K key);

    /**
     * Reads several records of a table together: as fast as one of them, at a gateway as in a stored procedure.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table where they are, as for {@link #get}
     * @param keys the records' keys, none null, in any order; may be empty
     * @return for each key in turn, what {@link #get} returns
     */
    <K, V> List<Optional<V>> getAll(Table<K, V> table, List<? extends K> keys);

    /**
     * Reads several records of a table together that are going to be written, as {@link #getAll} and {@link #getForUpdate}.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table where they are, as for {@link #get}
     * @param keys the records' keys, none null, in any order; may be empty
     * @return for each key in turn, what {@link #getForUpdate} returns
     */
    <K, V> List<Optional<V>> getAllForUpdate(Table<K, V> table, List<? extends K> keys);

    /**
     * Asks for a record without waiting for it, so that several travel together; those of one table are simpler read
     * by {@link #getAll}. What is done with the answer runs on a virtual thread.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table where it is, as for {@link #get}
     * @param key the record's key, not null
     * @return the record, or empty if the key has none; fails with what {@link #get} would throw
     */
    <K, V> CompletableFuture<Optional<V>> getAsync(Table<K, V> table, K key);

    /**
     * Writes a record, whether there was one or not. Does not wait: it travels with the next call that does. If it fails, a later call
     * fails, at the latest the commit.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table where it is, as for {@link #get}
     * @param key the record's key, not null
     * @param value the record, not null; nothing is left of one that was there
     * @throws IllegalArgumentException when it does not fit the table's codec
     */
    <K, V> void put(Table<K, V> table, K key, V value);

    /**
     * Adds a record.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table where it is, as for {@link #get}
     * @param key the record's key, not null
     * @param value the record, not null
     * @throws RecordExistsException when the key has one; the transaction may go on
     * @throws IllegalArgumentException when it does not fit the table's codec
     */
    <K, V> void insert(Table<K, V> table, K key, V value);

    /**
     * Writes a part of a record without reading it first, on condition that other bytes of it are as expected: one request, and the record does
     * not travel. Offsets are those of the table's {@linkplain Table#codec codec}.
     *
     * @param <K> what the program calls a key
     * @param table where it is, as for {@link #get}
     * @param key the record's key, not null
     * @param patch what is expected and written
     * @return whether it was written, or why not
     * @throws BadRequestException when the patch ends behind the table's records
     */
    <K> Patch.Result patch(Table<K, ?> table, K key, Patch patch);

    /**
     * Removes a record, if there is one.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table where it is, as for {@link #get}
     * @param key the record's key, not null
     * @return whether there was one
     */
    <K, V> boolean delete(Table<K, V> table, K key);

    /**
     * Reads the records of a range of an ordered table in the order of their keys.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table an ordered table of the cluster, as for {@link #get}
     * @param from the first key of the range
     * @param last the last key of the range, inclusive
     * @param limit most records to be read, at least 1
     * @return the first records of the range with their keys, ascending; empty if it has none
     * @throws BadRequestException when the table is not ordered
     */
    default <K, V> List<Entry<K, V>> scan(Table<K, V> table, K from, K last, int limit) {
        return scan(table, KeyRange.between(from, last), limit);
    }

    /**
     * Reads the first records of a range of an ordered table in the order of their keys, or the last ones in the reverse.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table an ordered table of the cluster, as for {@link #get}
     * @param range which keys, ascending or {@linkplain KeyRange#descending descending}
     * @param limit most records to be read, at least 1
     * @return the first records of the range with their keys, in its order; empty if it has none
     * @throws BadRequestException when the table is not ordered
     */
    <K, V> List<Entry<K, V>> scan(Table<K, V> table, KeyRange<K> range, int limit);

    /**
     * Reads the records of a range that are going to be written, as {@link #scan(Table, Object, Object, int)}.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table an ordered table of the cluster, as for {@link #get}
     * @param from the first key of the range
     * @param last the last key of the range, inclusive
     * @param limit most records to be read, at least 1
     * @return the first records of the range with their keys, ascending; empty if it has none
     */
    default <K, V> List<Entry<K, V>> scanForUpdate(Table<K, V> table, K from, K last, int limit) {
        return scanForUpdate(table, KeyRange.between(from, last), limit);
    }

    /**
     * Reads the records of a range that are going to be written, as {@link #scan(Table, KeyRange, int)}.
     *
     * @param <K> what the program calls a key
     * @param <V> what the program calls a record
     * @param table an ordered table of the cluster, as for {@link #get}
     * @param range which keys, ascending or {@linkplain KeyRange#descending descending}
     * @param limit most records to be read, at least 1
     * @return the first records of the range with their keys, in its order; empty if it has none
     */
    <K, V> List<Entry<K, V>> scanForUpdate(Table<K, V> table, KeyRange<K> range, int limit);

    /**
     * Has the transaction take effect only while no later holder of a lock has fenced one: so what a holder writes that has lost its lock without
     * knowing is refused, at the latest by the commit. The cluster keeps the greatest token of each lock that has fenced a transaction. Does not
     * wait, as {@link #put}.
     *
     * @param lock a lock of the same cluster
     * @throws LockException when the lock is known not to be held any more; a later call, when it turns out that it was lost
     * @throws BadRequestException when the lock is another cluster's
     */
    void fence(HeldLock lock);

    /**
     * Fences the transaction by the token of a lock that another program holds, as {@link #fence(HeldLock)}.
     *
     * @param namespace the name of the lock's namespace
     * @param name the lock's name there
     * @param token the holder's {@link HeldLock#token}
     */
    void fence(String namespace, String name, long token);
}
