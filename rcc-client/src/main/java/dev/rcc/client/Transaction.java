package dev.rcc.client;

import dev.rcc.client.wire.Patch;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A serializable transaction. It reads as if no other transaction ran, and sees its own writes. All of its writes take effect at once, when it
 * commits. For one thread at a time.
 *
 * <p>Every method may throw a {@link RccException}, and an {@link IllegalStateException} after the transaction's end. In the body of {@link
 * RccClient#transact}, the program must let a {@code RccException} pass: {@code transact} handles it.
 */
public interface Transaction {
    /**
     * Reads a record.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table the record's table: the cluster's table has such keys, and records that are at least as long as the codec's
     * @param key the record's key, not null
     * @return the record, or empty if the key has none
     * @throws BadRequestException when the cluster has no such table, or its keys or records do not fit
     */
    <K, V> Optional<V> get(Table<K, V> table, K key);

    /**
     * Reads a record that must exist.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table the record's table, as for {@link #get}
     * @param key the record's key, not null
     * @return the record
     * @throws RecordNotFoundException when the key has no record
     */
    <K, V> V require(Table<K, V> table, K key);

    /**
     * Reads a record that the transaction is going to write. Protocols that take locks keep other transactions from the record from now on, if it
     * exists.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table the record's table, as for {@link #get}
     * @param key the record's key, not null
     * @return the record, or empty if the key has none
     */
    <K, V> Optional<V> getForUpdate(Table<K, V> table, K key);

    /**
     * Reads several records of a table together, about as fast as one of them, from a client and in a stored procedure.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table the records' table, as for {@link #get}
     * @param keys the records' keys, none null, in any order; may be empty
     * @return for each key in turn, the result of {@link #get}
     */
    <K, V> List<Optional<V>> getAll(Table<K, V> table, List<? extends K> keys);

    /**
     * Reads together several records of a table that the transaction is going to write, as {@link #getAll} and {@link #getForUpdate}.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table the records' table, as for {@link #get}
     * @param keys the records' keys, none null, in any order; may be empty
     * @return for each key in turn, the result of {@link #getForUpdate}
     */
    <K, V> List<Optional<V>> getAllForUpdate(Table<K, V> table, List<? extends K> keys);

    /**
     * Requests a record without waiting for it, so that several requests travel together; {@link #getAll} is simpler for records of one table. Waits
     * only when the cluster allows no more requests without an answer ({@code client.pipelined}). The
     * future completes on a virtual thread, so actions that depend on it may wait. A {@code CompletionException} with which the future fails may pass
     * through the closure of {@link RccClient#transact}: it counts as its cause.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table the record's table, as for {@link #get}
     * @param key the record's key, not null
     * @return a future with the record, or empty if the key has none; it fails with the exception that {@link #get} would throw, also when the time is over. An error that is
     *     found before the request is sent is thrown at once
     */
    <K, V> CompletableFuture<Optional<V>> getAsync(Table<K, V> table, K key);

    /**
     * Writes a record, whether or not the key has one. The request travels with the next call that waits. If the write fails, a later call fails, at
     * the latest the commit. Waits only when the cluster allows no more requests without an answer ({@code client.pipelined}).
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table the record's table, as for {@link #get}
     * @param key the record's key, not null
     * @param value the record, not null; it replaces the key's earlier record as a whole
     * @throws IllegalArgumentException when the record does not fit the table's codec
     */
    <K, V> void put(Table<K, V> table, K key, V value);

    /**
     * Adds a record.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table the record's table, as for {@link #get}
     * @param key the record's key, not null
     * @param value the record, not null
     * @throws RecordExistsException when the key has a record already; the transaction may go on
     * @throws IllegalArgumentException when the record does not fit the table's codec
     */
    <K, V> void insert(Table<K, V> table, K key, V value);

    /**
     * Writes a part of a record without reading it first, if other bytes of it are as expected. It takes one request, and the record is not sent.
     * Offsets are those of the table's {@linkplain Table#codec codec}.
     *
     * @param <K> the type of the program's keys
     * @param table the record's table, as for {@link #get}
     * @param key the record's key, not null
     * @param patch the bytes that are expected and the bytes to write
     * @return whether the patch was written, or why not
     * @throws BadRequestException when the patch ends beyond the end of the table's records, or is longer than a message to the gateway may be; the
     *     transaction may go on
     */
    <K> Patch.Result patch(Table<K, ?> table, K key, Patch patch);

    /**
     * Removes a record, if there is one.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table the record's table, as for {@link #get}
     * @param key the record's key, not null
     * @return whether there was a record
     */
    <K, V> boolean delete(Table<K, V> table, K key);

    /**
     * Reads the records of a range of an ordered table in the order of their keys.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table an ordered table of the cluster, as for {@link #get}
     * @param from the first key of the range
     * @param last the last key of the range, inclusive
     * @param limit the most records to read, at least 1
     * @return the first records of the range with their keys, ascending; empty if it has none
     * @throws BadRequestException when the table is not ordered
     */
    default <K, V> List<Entry<K, V>> scan(Table<K, V> table, K from, K last, int limit) {
        return scan(table, KeyRange.between(from, last), limit);
    }

    /**
     * Reads the first records of a range of an ordered table in the order of their keys, or the last records in descending order.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table an ordered table of the cluster, as for {@link #get}
     * @param range the keys to read, ascending or {@linkplain KeyRange#descending descending}
     * @param limit the most records to read, at least 1
     * @return the first records of the range with their keys, in its order; empty if it has none
     * @throws BadRequestException when the table is not ordered
     */
    <K, V> List<Entry<K, V>> scan(Table<K, V> table, KeyRange<K> range, int limit);

    /**
     * Reads the records of a range that the transaction is going to write, as {@link #scan(Table, Object, Object, int)}.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table an ordered table of the cluster, as for {@link #get}
     * @param from the first key of the range
     * @param last the last key of the range, inclusive
     * @param limit the most records to read, at least 1
     * @return the first records of the range with their keys, ascending; empty if it has none
     */
    default <K, V> List<Entry<K, V>> scanForUpdate(Table<K, V> table, K from, K last, int limit) {
        return scanForUpdate(table, KeyRange.between(from, last), limit);
    }

    /**
     * Reads the records of a range that the transaction is going to write, as {@link #scan(Table, KeyRange, int)}.
     *
     * @param <K> the type of the program's keys
     * @param <V> the type of the program's records
     * @param table an ordered table of the cluster, as for {@link #get}
     * @param range the keys to read, ascending or {@linkplain KeyRange#descending descending}
     * @param limit the most records to read, at least 1
     * @return the first records of the range with their keys, in its order; empty if it has none
     */
    <K, V> List<Entry<K, V>> scanForUpdate(Table<K, V> table, KeyRange<K> range, int limit);

    /**
     * Fences the transaction by a lock: it takes effect only if no later holder of the lock has fenced one before. So a holder that has lost its lock
     * without noticing cannot write: its transaction is refused, at the latest by the commit. The cluster keeps the greatest token of each lock
     * that has fenced a transaction. Does not wait, as {@link #put}.
     *
     * @param lock a lock of the same cluster
     * @throws LockException when this client knows that the lock is no longer held. If the lock was lost without notice, a later call throws it
     * @throws BadRequestException when the lock is of another cluster
     */
    void fence(HeldLock lock);

    /**
     * Fences the transaction by the token of a lock that another program holds, as {@link #fence(HeldLock)}.
     *
     * @param namespace the name of the lock's namespace
     * @param name the lock's name there
     * @param token the holder's {@link HeldLock#token}
     * @throws IllegalArgumentException when the name has half of a surrogate pair
     */
    void fence(String namespace, String name, long token);
}
